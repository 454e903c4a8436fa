internal import Media

/// A span at another speed that keeps its pitch: overlapping blocks of the source, each taken from where
/// it continues the block before it best (WSOLA: waveform similarity overlap-add).
///
/// Blocks are 40 ms, half overlapping, under complementary raised cosines. The middle of each may lie up to
/// 12.5 ms of the source from its exact place, and its ends as much as 20 ms · |1 − speed| further; behind silence
/// blocks are at their exact places. What begins (`AudioOnsets`) is heard once and at its exact time to 4 ms, up to four
/// times as fast: blocks that hold it then play it as it is, and no other block reaches it. All channels move together.
/// The first block is at the span's first source frame unless something begins in it, and no frame outside the span
/// is heard.
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
    /// How far from its time what begins may be heard (frames of the film).
    private let leeway: Int64
    /// How much of what begins is left out where it would be heard again (frames).
    private let slack: Int
    private var onsets: AudioOnsets

    /// The hop whose output is in `ready`; -1: none yet.
    private var current = -1
    private var ready: [Float] = []
    /// Where the current block begins (frames from the span's first source frame).
    private var place: Int64 = 0
    /// Where the first block may begin (the same).
    private var floor: Int64 = 0

    init(_ window: SourceWindow, span: AudioSpan, sampleRate: Int) {
        self.window = window
        self.span = span
        hop = max(sampleRate / 50, 16)
        tolerance = max(sampleRate / 80, 8)
        fadeIn = CutFade.gains(hop)
        leeway = Int64(sampleRate / 250)
        slack = sampleRate / 200
        onsets = AudioOnsets(channels: window.channels, sampleRate: sampleRate)
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
            let beginning = mono(try source(0, hop))
            let isSilent = beginning.prefix(slack).allSatisfy { abs($0) < Self.silence }
            // before what begins silent there is nothing, which a block may hold
            floor = isSilent ? -2 * Int64(hop) : 0
            let first = try limits(of: 0)
            place = isSilent ? first.preferred : first.isDue ? max(0, first.preferred) : 0
            ready = Array(try source(place, hop))
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
        let (low, high, preferred, _) = try limits(of: index)
        if template.allSatisfy({ abs($0) < Self.silence }) { return preferred }
        if (low...high).contains(continuation) { return continuation }
        let region = mono(try source(low, Int(high - low) + hop))
        let search = SimilaritySearch(template: template, region: region)
        return low + Int64(search.best(preferring: Int(preferred - low)))
    }

    /// Where a block may be taken from within the span, and best were.
    private func limits(
        of index: Int
    ) throws(MediaError) -> (low: Int64, high: Int64, preferred: Int64, isDue: Bool) {
        // the block's middle is at the exact place of the frame it is heard at
        let exact = span.speed.position(of: Int64(index + 1) * Int64(hop)).whole - Int64(hop)
        let remaining = min(Int64(2 * hop), span.count - Int64(index) * Int64(hop))
        let last = max(floor, span.sourceCount - max(remaining, 0))
        let (wanted, best, isDue) = try places(of: index, around: exact)
        // behind what begins in the last moments there is nothing
        let most = isDue ? max(last, wanted.upperBound) : last
        let low = max(floor, min(wanted.lowerBound, most))
        let high = max(low, min(wanted.upperBound, most))
        return (low, high, min(max(best, low), high), isDue)
    }

    /// Where a block may be taken from: near its exact place, unless something begins there (`isDue`: in the block).
    private func places(
        of index: Int, around exact: Int64
    ) throws(MediaError) -> (range: ClosedRange<Int64>, best: Int64, isDue: Bool) {
        let (begin, block) = (Int64(index) * Int64(hop), Int64(2 * hop))
        var low = exact - Int64(tolerance)
        var high = exact + Int64(tolerance)
        let advance = exact + Int64(hop) - span.speed.position(of: begin).whole
        guard advance <= 4 * Int64(hop) else { return (low...high, exact, false) }
        let (window, first) = (window, span.sourceFrame)
        let due = span.speed.position(of: begin + block).whole
        // the silence behind the span changes much at once, too
        let end = min(max(high + block, due), span.sourceCount - Int64(slack))
        let start = min(low, exact + Int64(hop) - advance)
        guard start < end else { return (low...high, exact, false) }
        let near = try onsets.places(in: start..<end) { range throws(MediaError) in
            try window.frames(first + range.lowerBound..<first + range.upperBound)
        }
        for onset in near {
            let offset = film(ofSource: onset) - begin
            if offset < 0 {
                // it was heard, and is not heard again
                low = max(low, onset + Int64(slack))
            } else if offset < block {
                // the span's own beginning is where it is
                if onset < Int64(slack) { continue }
                let place = onset - offset
                return (place - leeway...place + leeway, place, true)
            } else {
                // it comes later
                high = min(high, onset - block)
            }
        }
        return (low...max(low, high), exact, false)
    }

    /// When a frame of the source is due (frames of the film from the span's first one on).
    private func film(ofSource frame: Int64) -> Int64 {
        var (low, high) = (Int64(0), span.count)
        while low < high {
            let middle = (low + high) / 2
            if span.speed.position(of: middle).whole < frame {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func mono(_ frames: ArraySlice<Float>) -> [Float] {
        let channels = window.channels
        guard channels > 1 else { return Array(frames) }
        return stride(from: frames.startIndex, to: frames.endIndex, by: channels).map { start in
            frames[start] + frames[start + 1]
        }
    }
}
