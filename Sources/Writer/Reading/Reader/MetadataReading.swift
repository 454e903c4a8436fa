internal import Media
internal import Movie

/// A metadata track's samples with what they hold for.
// because its owner serialises its calls
final class MetadataReading: TrackReading, @unchecked Sendable {
    // immutable
    private let samples: [SampleBuffer]

    // owned by the calling thread
    private var range: MediaTimeRange?
    private var position = 0

    init(_ asset: Asset, _ track: AssetTrack) throws(MediaError) {
        samples = try asset.metadataSamples(of: track)
    }

    func begin(_ range: MediaTimeRange) {
        self.range = range
        position = 0
    }

    func close() {}

    func next() -> SampleBuffer? {
        guard let range else { return nil }
        while position < samples.count {
            var sample = samples[position]
            position += 1
            // in the sample's own ticks, the range's borders within them rounded to the nearest
            let scale = sample.presentationTime.timescale
            let start = sample.presentationTime.value
            let from = max(start, range.start.ticks(per: scale, rounding: .nearest))
            let to = min(
                start + (sample.duration?.value ?? 0),
                range.end.ticks(per: scale, rounding: .nearest))
            guard from < to else { continue }
            sample.presentationTime = MediaTime(value: from, timescale: scale)
            sample.duration = MediaTime(value: to - from, timescale: scale)
            return sample
        }
        return nil
    }
}
