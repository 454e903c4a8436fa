internal import Image
internal import Media

/// The pictures of a picture file or an animation.
final class ImageFrames: TrackFrames {
    // immutable
    let line: EditLine
    private let file: ImageFile

    // owned by the calling thread
    private var decoder: ImageDecoder?
    /// The picture given last, and its number.
    private var latest: (index: Int, sample: SampleBuffer)?

    init(_ file: ImageFile, fitting box: FrameBounds?) throws(MediaError) {
        self.file = file
        line = .identity(timescale: file.timescale)
        decoder = try ImageDecoder(file, fitting: box.map { ($0.width, $0.height) })
    }

    var damagedSamples: Int { decoder?.damagedFrames ?? 0 }

    func close() {
        decoder = nil
        latest = nil
    }

    func picture(at media: Int64) throws(MediaError) -> (sample: SampleBuffer, end: Int64?) {
        let index = index(at: media)
        let (start, length) = (file.pictures[index].start, file.pictures[index].duration)
        let end = file.isStill ? nil : start + length
        if let latest, latest.index == index { return (latest.sample, end) }
        // its memory may serve for the next one
        latest = nil
        guard let decoder else {
            throw MediaError(
                code: .invalidState, subject: file.path,
                message: "Cannot show a picture of \(file.path): it is closed.")
        }
        let picture: PixelBuffer
        let damaged = decoder.damagedFrames
        picture = try decoder.picture(at: index)
        var sample = SampleBuffer(
            payload: .pixels(picture), format: .video(decoder.format),
            presentationTime: line.time(start),
            duration: file.isStill ? nil : line.time(length))
        sample.attachments.isDamaged = decoder.damagedFrames > damaged
        latest = (index, sample)
        return (sample, end)
    }

    /// Each picture costs as much as any other.
    func syncTimes(
        around media: Int64, within limits: SyncLimits
    ) -> (before: Int64?, after: Int64?) {
        let index = index(at: media)
        let next = index + 1 < file.pictures.count ? file.pictures[index + 1].start : nil
        return (file.pictures[index].start, next)
    }

    /// The last picture that begins at or before a time; before the first the first.
    private func index(at media: Int64) -> Int {
        var (low, high) = (0, file.pictures.count)
        while low < high {
            let middle = (low + high) / 2
            if file.pictures[middle].start <= media { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}
