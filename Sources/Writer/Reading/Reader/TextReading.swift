internal import Media
internal import Movie

/// A text track's cues as samples of plain text.
// because its owner serialises its calls
final class TextReading: TrackReading, @unchecked Sendable {
    // immutable
    private let cues: [TextCue]

    // owned by the calling thread
    private var range: MediaTimeRange?
    private var position = 0

    init(_ asset: Asset, _ track: AssetTrack) throws(MediaError) {
        cues = try asset.cues(of: track).cues
    }

    func begin(_ range: MediaTimeRange) {
        self.range = range
        position = 0
    }

    func close() {}

    func next() -> SampleBuffer? {
        guard let range else { return nil }
        while position < cues.count {
            let cue = cues[position]
            position += 1
            // in the cue's own ticks, the range's borders within them rounded to the nearest
            let scale = cue.timeRange.start.timescale
            let from = max(
                cue.timeRange.start.value, range.start.ticks(per: scale, rounding: .nearest))
            let to = min(cue.timeRange.end.value, range.end.ticks(per: scale, rounding: .nearest))
            guard from < to else { continue }
            return SampleBuffer(
                payload: .coded(BlockBuffer(Array(cue.text.utf8))),
                format: .text(TextFormat(coding: .raw)),
                presentationTime: MediaTime(value: from, timescale: scale),
                duration: MediaTime(value: to - from, timescale: scale))
        }
        return nil
    }
}
