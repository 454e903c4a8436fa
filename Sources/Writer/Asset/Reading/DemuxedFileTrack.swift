internal import LibAV
internal import Media

/// A track of any other container, through libavformat.
///
/// Movie time zero is the file's own zero in Matroska; elsewhere it is the first instant that any
/// track shows, because MPEG-TS begins at any stamp and MP3 tells its encoder's delay by samples to cut.
final class DemuxedFileTrack: CodedTrack, @unchecked Sendable {
    // because its owner serialises its calls

    /// How many samples may pass before every track has shown its first (count).
    private static let headSamples = 4000

    // immutable
    let format: FormatDescription
    let line: EditLine
    let hasCoarseStamps: Bool
    private let path: String
    private let index: Int
    /// The file's stamp at movie time zero (ticks of the line).
    private let origin: Int64

    // owned by the calling thread
    private var demuxer: Demuxer?
    /// A sample read while looking for a sync sample.
    private var waiting: SampleBuffer?

    init(_ asset: Asset, _ track: AssetTrack) throws(WriterError) {
        path = asset.path
        index = track.id - 1
        do throws(LibAVError) {
            var demuxer = try Demuxer(path: path)
            guard demuxer.tracks.indices.contains(index) else {
                throw LibAVError(
                    code: .unsupported, function: "", subject: path,
                    message: "Cannot read track \(track.id) of \(path): it is not there any more.")
            }
            let described = demuxer.tracks[index]
            format = described.format
            line = .identity(timescale: described.timescale)
            hasCoarseStamps =
                described.format.audio.map { described.timescale < $0.sampleRate } ?? false
            var origin = MediaTime.zero
            if !demuxer.containerName.hasPrefix("matroska") {
                origin = try DemuxedFileTrack.start(of: demuxer)
                demuxer = try Demuxer(path: path)
            }
            self.origin = origin.ticks(per: described.timescale, rounding: .nearest)
            demuxer.readOnly(index)
            self.demuxer = demuxer
        } catch {
            throw WriterError(error, reading: asset.path)
        }
    }

    /// The first instant that any track shows (the file's time).
    private static func start(of demuxer: Demuxer) throws(LibAVError) -> MediaTime {
        var firsts: [Int: MediaTime] = [:]
        for _ in 0..<headSamples where firsts.count < demuxer.tracks.count {
            guard case .sample(let track, let sample) = try demuxer.next() else { break }
            guard firsts[track] == nil else { continue }
            let rate = Int32(clamping: sample.format.audio?.sampleRate ?? 1)
            let cut = MediaTime(value: Int64(sample.attachments.leadingTrim), timescale: rate)
                .scaled(to: sample.presentationTime.timescale, rounding: .nearest)
            firsts[track] = sample.presentationTime + cut
        }
        return firsts.values.min() ?? .zero
    }

    func close() {
        demuxer = nil
        waiting = nil
    }

    func next() throws(WriterError) -> SampleBuffer? {
        if let sample = waiting {
            waiting = nil
            return sample
        }
        guard let demuxer else { return nil }
        while true {
            let result: Demuxer.Result
            do throws(LibAVError) { result = try demuxer.next() } catch {
                throw WriterError(error, reading: path)
            }
            guard case .sample(let track, let sample) = result else { return nil }
            if track == index { return placed(sample) }
        }
    }

    private func placed(_ sample: SampleBuffer) -> SampleBuffer {
        var sample = sample
        sample.presentationTime = moved(sample.presentationTime)
        sample.decodeTime = sample.decodeTime.map(moved)
        sample.duration = sample.duration?.scaled(to: line.timescale, rounding: .nearest)
        return sample
    }

    private func moved(_ time: MediaTime) -> MediaTime {
        line.time(time.ticks(per: line.timescale, rounding: .nearest) - origin)
    }

    func syncTime(before media: Int64) -> Int64? { nil }

    /// libavformat lands where it can: on a later sample, or on none to begin with. Each try goes
    /// further back, the last one to the beginning.
    func seek(to media: Int64) throws(WriterError) -> Bool {
        waiting = nil
        var back: Int64 = 0
        while true {
            let target = media - back
            guard target + origin > 0, jump(to: target) else {
                try rewind()
                return true
            }
            while let sample = try next() {
                guard sample.isSync else { continue }
                if sample.presentationTime.value <= media { waiting = sample }
                break
            }
            if waiting != nil { return false }
            back = max(2 * back, Int64(line.timescale))
        }
    }

    private func jump(to media: Int64) -> Bool {
        guard let demuxer else { return false }
        do throws(LibAVError) {
            try demuxer.seek(track: index, to: line.time(media + origin))
            return true
        } catch { return false }
    }

    private func rewind() throws(WriterError) {
        guard demuxer != nil else { return }
        do throws(LibAVError) {
            let fresh = try Demuxer(path: path)
            fresh.readOnly(index)
            demuxer = fresh
        } catch {
            throw WriterError(error, reading: path)
        }
    }
}
