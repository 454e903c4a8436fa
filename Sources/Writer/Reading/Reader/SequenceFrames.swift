internal import Image
internal import Media

/// The pictures of a sequence, each decoded when it is asked for; one is held.
final class SequenceFrames: TrackFrames {
    // immutable
    let line: EditLine
    private let files: SequenceFiles
    /// Of one frame (ticks).
    private let step: Int64

    // owned by the calling thread
    private var latest: (shown: SequenceFiles.Shown, sample: SampleBuffer)?
    /// Of pictures that could not be decoded whole, each once.
    private(set) var damagedFiles: [String] = []

    init(_ files: SequenceFiles) {
        self.files = files
        let length = files.sequence.rate.frameDuration
        (line, step) = (.identity(timescale: length.timescale), length.value)
    }

    var damagedSamples: Int { damagedFiles.count }

    func close() { latest = nil }

    func picture(at media: Int64) throws(MediaError) -> (sample: SampleBuffer, end: Int64?) {
        let index = index(at: media)
        let shown = files.shown(Int(index))
        var sample: SampleBuffer
        if let latest, latest.shown == shown {
            sample = latest.sample
        } else {
            // its memory may serve for the next one
            latest = nil
            switch shown {
            case .picture(let place): sample = try picture(place)
            case .black: sample = black()
            }
            latest = (shown, sample)
        }
        sample.presentationTime = line.time(index * step)
        sample.duration = line.time(step)
        return (sample, (index + 1) * step)
    }

    /// Each picture costs as much as any other.
    func syncTimes(
        around media: Int64, within limits: SyncLimits
    ) -> (before: Int64?, after: Int64?) {
        let index = index(at: media)
        return (index * step, index + 1 < files.count ? (index + 1) * step : nil)
    }

    /// The last frame that begins at or before a time; before the first the first.
    private func index(at media: Int64) -> Int64 {
        min(Int64(files.count) - 1, max(0, media) / step)
    }

    private func picture(_ place: Int) throws(MediaError) -> SampleBuffer {
        let path = files.path.path(files.numbers[place])
        try requireUnchanged(place, path)
        let file = try SequenceFiles.file(path)
        try requireSize(file)
        let decoder = try ImageDecoder(
            file, fitting: (FrameBounds.longest.width, FrameBounds.longest.height))
        let picture = try decoder.picture(at: 0)
        // what was written to while it was read may be half of one and half of the other
        try requireUnchanged(place, path)
        var sample = SampleBuffer(
            payload: .pixels(picture), format: .video(decoder.format), presentationTime: .zero)
        if decoder.damagedFrames > 0 {
            sample.attachments.isDamaged = true
            if !damagedFiles.contains(path) { damagedFiles.append(path) }
        }
        return sample
    }

    private func requireUnchanged(_ place: Int, _ path: String) throws(MediaError) {
        // opening what is not there says so
        guard let now = FileState(path), now != files.states[place] else { return }
        throw MediaError(
            code: .damagedFile, subject: path,
            message: "\(path) was changed while the film was made; make the film again.")
    }

    private func requireSize(_ file: ImageFile) throws(MediaError) {
        let lead = files.lead
        guard
            (file.width, file.height) != (lead.width, lead.height)
                || file.orientation != lead.orientation
        else { return }
        let isRotated = (file.width, file.height) == (lead.width, lead.height)
        throw MediaError(
            code: .unsupported, subject: file.path,
            message: isRotated
                ? "\(file.path) is rotated otherwise than \(lead.path), and the pictures of a sequence lie alike."
                : "\(file.path) has \(file.width)x\(file.height) pixels and \(lead.path) "
                    + "\(lead.width)x\(lead.height), and the pictures of a sequence have one size.")
    }

    /// As large as the pictures, in which nothing is bright.
    private func black() -> SampleBuffer {
        let (width, height) = (files.lead.width, files.lead.height)
        var picture = PixelBuffer(width: width, height: height, format: .rgb24)
        picture.withMutablePlanes { planes in
            for plane in planes {
                plane.base.initializeMemory(
                    as: UInt8.self, repeating: 0, count: plane.bytesPerRow * height)
            }
        }
        return SampleBuffer(
            payload: .pixels(picture),
            format: .video(
                VideoFormat(
                    coding: .raw(.rgb24), width: width, height: height,
                    color: ColorDescription(primaries: 2, transfer: 2, matrix: 0, range: .full),
                    orientation: files.lead.orientation)),
            presentationTime: .zero)
    }
}
