internal import Media

/// A span at another speed that keeps its pitch: overlapping blocks of the source, each taken from where
/// it continues the block before it best (WSOLA: waveform similarity overlap-add).
///
/// Blocks are 40 ms, half overlapping, under complementary raised cosines. The middle of each may lie up to
/// 12.5 ms of the source from its exact place, and its ends as much as 20 ms · |1 − speed| further, which is the most
/// by which audio can be early or late; behind silence blocks are at their exact places. All channels move together.
/// The first block is at the span's first source frame, and no frame outside the span is heard.
/// A request behind the last one begins again at the span's start, so that samples never depend on the
/// order of requests.
final class TimeStretch: SpanAudio {
    /// Below this (amplitude; −80 dB) nothing has to be continued.
    private static let silence: Float = 1e-4

    private let window: SourceWindow
    private let span: AudioSpan
    private let hop: Int
    private let tolerance: Int
    private let fadeIn: [Float]

    /// The hop whose output is in `ready`; -1: none yet.
    private var current = -1
    private var ready: [Float] = []
    /// Where the current block begins (frames from the span's first source frame).
    private var place: Int64 = 0

    init(_ window: SourceWindow, span: AudioSpan, sampleRate: Int) {
        self.window = window
        self.span = span
        hop = max(sampleRate / 50, 16)
        tolerance = max(sampleRate / 80, 8)
        fadeIn = CutFade.gains(hop)
    }

    func read(from frame: Int64, count: Int) throws(MediaError) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(count * window.channels)
        var position = frame
        while position < frame + Int64(count) {
            try advance(to: Int(position / Int64(hop)))
            let offset = Int(position % Int64(hop))
            let length = min(hop - offset, Int(frame + Int64(count) - position))
            let channels = window.channels
            result += ready[offset * channels..<(offset + length) * channels]
            position += Int64(length)
        }
        return result
    }

    private func advance(to index: Int) throws(MediaError) {
        if index < current { current = -1 }
        while current < index { try next() }
    }

    /// Makes the output of the next hop.
    private func next() throws(MediaError) {
        let index = current + 1
        guard index > 0 else {
            place = 0
            ready = Array(try source(0, hop))
            current = 0
            return
        }
        let continuation = place + Int64(hop)
        let old = Array(try source(continuation, hop))
        place = try bestPlace(of: index, continuing: continuation, as: mono(old[...]))
        let new = Array(try source(place, hop))
        let channels = window.channels
        for frame in 0..<hop {
            for sample in frame * channels..<(frame + 1) * channels {
                ready[sample] = old[sample] + (new[sample] - old[sample]) * fadeIn[frame]
            }
        }
        current = index
    }

    private func source(_ frame: Int64, _ count: Int) throws(MediaError) -> ArraySlice<Float> {
        let first = span.sourceFrame + frame
        return try window.frames(first..<first + Int64(count))
    }

    /// The place near the exact one where the source is most like what would have followed.
    private func bestPlace(
        of index: Int, continuing continuation: Int64, as template: [Float]
    ) throws(MediaError) -> Int64 {
        // the block's middle is at the exact place of the frame it is heard at
        let exact = span.speed.position(of: Int64(index + 1) * Int64(hop)).whole - Int64(hop)
        let remaining = min(Int64(2 * hop), span.count - Int64(index) * Int64(hop))
        let last = max(0, span.sourceCount - max(remaining, 0))
        let low = max(0, min(exact - Int64(tolerance), last))
        let high = max(low, min(exact + Int64(tolerance), last))
        let preferred = min(max(exact, low), high)
        if template.allSatisfy({ abs($0) < Self.silence }) { return preferred }
        if (low...high).contains(continuation) { return continuation }
        let region = mono(try source(low, Int(high - low) + hop))
        let search = SimilaritySearch(template: template, region: region)
        return low + Int64(search.best(preferring: Int(preferred - low)))
    }

    private func mono(_ frames: ArraySlice<Float>) -> [Float] {
        let channels = window.channels
        guard channels > 1 else { return Array(frames) }
        return stride(from: frames.startIndex, to: frames.endIndex, by: channels).map { start in
            frames[start] + frames[start + 1]
        }
    }
}
