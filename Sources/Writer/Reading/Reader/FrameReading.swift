internal import LibAV
internal import Media

/// A track's frames one after the other, each once.
// because its owner serialises its calls
final class FrameReading: TrackReading, @unchecked Sendable {
    // immutable
    private let cursor: FrameCursor
    private let wanted: PixelFormat?
    private let path: String

    // owned by the calling thread
    /// Where the next frame is looked for, and where reading ends (ticks of the line).
    private var place: Int64 = 0
    private var end: Int64 = 0
    private var converter: PixelConverter?

    init(
        _ asset: Asset, _ track: AssetTrack, format: PixelFormat?, threads: Int
    ) throws(MediaError) {
        cursor = try FrameCursor(asset: asset, track: track, threads: threads)
        wanted = format
        path = asset.path
    }

    func begin(_ range: MediaTimeRange) {
        place = cursor.line.ticks(range.start)
        end = cursor.line.ticks(range.end)
    }

    var damagedSamples: Int { cursor.damagedSamples }

    func close() { cursor.close() }

    func next() throws(MediaError) -> SampleBuffer? {
        let line = cursor.line
        while let span = line.spans.first(where: { $0.media != nil && $0.end ?? .max > place }) {
            place = max(place, span.start)
            guard place < end else { return nil }
            var sample = try cursor.picture(at: line.time(place))
            let start = line.ticks(sample.presentationTime)
            let stop = sample.duration.map { start + line.ticks($0) }
            if start >= end { return nil }
            if start > place {
                // nothing is shown before
                place = start
                continue
            }
            if let stop, stop <= place {
                // the span's last frame has passed
                guard let next = span.end else { return nil }
                place = next
                continue
            }
            sample.presentationTime = line.time(place)
            let cut = stop.map { min($0, end) }
            sample.duration = cut.map { line.time($0 - place) } ?? sample.duration
            place = cut ?? span.end ?? end
            return try converted(sample)
        }
        return nil
    }

    private func converted(_ sample: SampleBuffer) throws(MediaError) -> SampleBuffer {
        guard let wanted, let frame = sample.pixelBuffer, frame.format != wanted,
            let format = sample.format.video
        else { return sample }
        do throws(MediaError) {
            // codes of RGB mean something else than those of YUV
            let target = try FrameTarget(pixelFormat: wanted).format(of: format)
            let converter: PixelConverter
            if let known = self.converter, known.input == format {
                converter = known
            } else {
                converter = try PixelConverter(from: format, to: target)
                self.converter = converter
            }
            var result = sample
            result.payload = .pixels(try converter.convert(frame))
            result.format = .video(converter.output)
            return result
        } catch {
            throw error.of(path)
        }
    }
}
