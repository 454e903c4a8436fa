internal import LibAV
internal import Media

/// A track of any other container, through libavformat.
///
/// Movie time zero is the first instant that any track shows, because MPEG-TS begins at any stamp,
/// Matroska moves everything by what its audio's decoder cuts off, and MP3 states its encoder's delay by
/// samples to cut.
// because its owner serialises its calls
final class DemuxedFileTrack: CodedTrack, @unchecked Sendable {
    /// As `EditLine.reach` (seconds).
    private static let farthest = EditLine.reach.approximateSeconds

    // immutable
    let format: FormatDescription
    let line: EditLine
    let hasCoarseStamps: Bool
    let decodeTimes: DecodeTimes
    private let path: String
    private let index: Int
    /// The file's stamp at movie time zero (ticks of the line).
    private let origin: Int64
    private let lostBytes: [Range<Int64>]

    // owned by the calling thread
    private var keepsLengths = false
    private var demuxer: Demuxer?
    /// A sample read while looking for a sync sample.
    private var waiting: SampleBuffer?

    init(_ asset: Asset, _ track: AssetTrack) throws(MediaError) {
        path = asset.path
        index = track.id - 1
        do throws(MediaError) {
            let demuxer = try Demuxer(path: path, excluding: asset.lostBytes)
            guard demuxer.tracks.indices.contains(index) else {
                throw MediaError(
                    code: .unsupported, function: "", subject: path,
                    message: "Cannot read track \(track.id) of \(path): it is not there any more.")
            }
            let described = demuxer.tracks[index]
            format = described.format
            line = .identity(timescale: described.timescale)
            hasCoarseStamps =
                described.format.audio?.isCoarse(inTicksOf: described.timescale) ?? false
            // Matroska has no decode times; libavformat guesses, and not at all at the beginning
            let isReordered = described.format.video?.codec?.isReordered ?? false
            let statesNone = demuxer.containerName.hasPrefix("matroska")
            decodeTimes = isReordered ? (statesNone ? .unknown : .stated) : .inOrder
            origin = asset.origin.ticks(per: described.timescale, rounding: .nearest)
            lostBytes = asset.lostBytes
            demuxer.readOnly(index)
            self.demuxer = demuxer
        } catch {
            throw error.of(asset.path)
        }
    }

    /// Samples say how long they are in ticks finer than the line's, where the file does.
    func keepLengths() { keepsLengths = true }

    func close() {
        demuxer = nil
        waiting = nil
    }

    func next() throws(MediaError) -> SampleBuffer? {
        if let sample = waiting {
            waiting = nil
            return sample
        }
        guard let demuxer else { return nil }
        while true {
            let result: Demuxer.Result
            do throws(MediaError) { result = try demuxer.next() } catch {
                throw error.of(path)
            }
            guard case .sample(let track, let sample) = result else { return nil }
            guard track == index else { continue }
            return try placed(sample)
        }
    }

    private func placed(_ sample: SampleBuffer) throws(MediaError) -> SampleBuffer {
        var sample = sample
        sample.presentationTime = try moved(sample.presentationTime)
        if let decode = sample.decodeTime { sample.decodeTime = try moved(decode) }
        if !keepsLengths {
            sample.duration = sample.duration?.scaled(to: line.timescale, rounding: .nearest)
        }
        return sample
    }

    private func moved(_ time: MediaTime) throws(MediaError) -> MediaTime {
        let ticks = time.ticks(per: line.timescale, rounding: .nearest)
        let (place, isOver) = ticks.subtractingReportingOverflow(origin)
        guard !isOver, abs(line.time(place).approximateSeconds) < Self.farthest else {
            throw MediaError(
                code: .damagedFile, subject: path,
                message: "Cannot read on in \(path): a sample claims to be years away; the file "
                    + "is damaged.")
        }
        return line.time(place)
    }

    func syncTime(before media: Int64) -> Int64? { nil }

    /// libavformat lands where it can: on a later sample, or on none to begin with. Each try goes
    /// further back, the last one to the beginning.
    func seek(to media: Int64) throws(MediaError) -> Bool {
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
        do throws(MediaError) {
            try demuxer.seek(track: index, to: line.time(media + origin))
            return true
        } catch { return false }
    }

    private func rewind() throws(MediaError) {
        guard demuxer != nil else { return }
        do throws(MediaError) {
            let fresh = try Demuxer(path: path, excluding: lostBytes)
            fresh.readOnly(index)
            demuxer = fresh
        } catch {
            throw error.of(path)
        }
    }
}
