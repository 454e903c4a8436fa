internal import Media
internal import Movie

/// The samples of a text or metadata track, each with how long it holds, read as a whole beforehand.
// because its owner serialises its calls
final class TimedReading: TrackReading, @unchecked Sendable {
    // immutable
    private let samples: [SampleBuffer]

    // owned by the calling thread
    private var range: MediaTimeRange?
    private var position = 0

    private init(_ samples: [SampleBuffer]) { self.samples = samples }

    /// A text track's cues as samples of plain text.
    convenience init(text asset: Asset, _ track: AssetTrack) throws(MediaError) {
        self.init(
            try asset.cues(of: track).cues.map { cue in
                SampleBuffer(
                    payload: .coded(BlockBuffer(Array(cue.text.utf8))),
                    format: .text(TextFormat(coding: .raw)),
                    presentationTime: cue.timeRange.start, duration: cue.timeRange.duration)
            })
    }

    convenience init(metadata asset: Asset, _ track: AssetTrack) throws(MediaError) {
        self.init(try asset.metadataSamples(of: track))
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
