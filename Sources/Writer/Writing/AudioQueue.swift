/// Places the raw audio of one track by counting frames, cuts it at pauses and says where it
/// fades. A pure value; the element is whatever carries a run of frames.
///
/// Source frame *n* is the *n*-th that was appended; movie frames are counted from movie time zero.
/// After any number of pauses the movie holds exactly `round(movie time · rate)` frames.
struct AudioQueue<Element: Sendable>: Sendable {
    /// A part of an element that goes into the movie.
    struct Piece: Sendable {
        let element: Element
        /// Which of the element's frames (frames from its start).
        let frames: Range<Int>
        /// Movie frame of the first of them.
        let position: Int64
        let fade: AudioFade
    }

    private struct Entry: Sendable {
        let element: Element
        let frames: Range<Int64>
        let weight: Int
    }

    /// A stretch of source frames that is in the movie unbroken.
    private struct Span: Sendable {
        var first: Int64
        var position: Int64
        /// First frame after it; `nil` while it is not decided.
        var end: Int64?
        var fadesIn: Bool
    }

    let rate: Int64
    /// Length of a fade (frames).
    let fadeFrames: Int64
    /// Weight held back (bytes).
    private(set) var heldWeight = 0
    /// Frames left out by intent (frames).
    private(set) var leftOut = 0
    private(set) var received: Int64 = 0
    /// Frames that were counted though nobody appended them, and that are not left out yet (frames).
    private var skipped: Int64 = 0
    private var anchor: Int64?
    private var held: [Entry] = []
    /// First source frame that is neither in the movie nor left out.
    private var decided: Int64 = 0
    private var span: Span?
    private var cutsSeen = 0

    init(rate: Int, fade: Int64) {
        self.rate = Int64(rate)
        fadeFrames = TickSequence.ticks(fade, timescale: Int64(rate))
    }

    /// Takes a run of frames.
    /// - Returns: how far its stamp is from where counting puts it (ns; positive: a hole).
    mutating func append(_ element: Element, frames: Int, at time: Int64, weight: Int) -> Int64 {
        let expected = progress ?? time
        if anchor == nil { anchor = time }
        held.append(
            Entry(element: element, frames: received..<received + Int64(frames), weight: weight))
        heldWeight += weight
        received += Int64(frames)
        return time - expected
    }

    /// Nothing came for a while in which the movie held, as when a program stops its devices in a pause: the
    /// frames of that time are counted as left out.
    mutating func skip(_ hole: Range<Int64>) {
        let frames = TickSequence.ticks(hole.upperBound - hole.lowerBound, timescale: rate)
        received += frames
        skipped += frames
    }

    /// The instant just after the last frame appended (source time, ns).
    var progress: Int64? { anchor.map { $0 + nanoseconds(received) } }

    /// First instant the movie can still end at (source time, ns): a frame late, because a span's
    /// start and its place in the movie are both rounded.
    var endableFrom: Int64 { instant(decided + 1, 0) }

    /// First instant a pause can still be at (source time, ns): a whole fade fits before it.
    var pausableFrom: Int64 { instant(decided + 1 + fadeFrames, 0) }

    /// First instant a resume can still be at (source time, ns): less than half a frame early,
    /// because cuts are at the nearest frame.
    var resumableFrom: Int64 { instant(decided, -300_000_000 / rate) }

    private func instant(_ frame: Int64, _ correction: Int64) -> Int64 {
        guard let anchor, decided > 0 else { return .min }
        return anchor + nanoseconds(frame) + correction
    }

    /// Passes on what the gate has decided; `everything` at the end of the track.
    mutating func release(by gate: PauseGate, everything: Bool, into output: inout [Piece]) {
        guard let anchor else { return }
        if span == nil {
            span = Span(
                first: frame(at: gate.start, anchor), position: 0, end: nil, fadesIn: false)
        }
        while true {
            guard var span else { return }
            closeSpan(&span, gate, anchor)
            self.span = span
            let (limit, isFinal) = releaseLimit(of: span, gate, everything)
            emit(until: limit, isFinal: isFinal, span, gate, into: &output)
            guard let end = span.end, decided >= end, cutsSeen < gate.cuts.count else { return }
            let cut = gate.cuts[cutsSeen]
            let resume = cut.end ?? gate.horizon
            let next = resume == .max ? Int64.max : frame(at: resume, anchor)
            discard(until: max(next, end))
            guard cut.end != nil else { return }
            self.span = Span(
                first: max(next, end, decided > 0 ? decided : .min),
                position: span.position + end - span.first,
                end: nil, fadesIn: true)
            cutsSeen += 1
        }
    }

    /// Sets the span's end once the gate has cut it.
    private func closeSpan(_ span: inout Span, _ gate: PauseGate, _ anchor: Int64) {
        guard span.end == nil, cutsSeen < gate.cuts.count else { return }
        let gone = decided > 0 ? decided : span.first
        span.end = max(endFrame(of: span, movieTime: gate.cuts[cutsSeen].movieTime), gone)
    }

    /// Up to which source frame the span may go out now, and whether it ends there.
    private func releaseLimit(
        of span: Span, _ gate: PauseGate, _ everything: Bool
    ) -> (frame: Int64, isFinal: Bool) {
        if let end = span.end { return (end, true) }
        var limit = everything ? Int64.max : received - fadeFrames
        if gate.horizon != .max, !everything {
            let first = endFrame(of: span, movieTime: gate.movieTime(of: gate.horizon))
            limit = min(limit, first - fadeFrames)
        }
        guard let end = gate.end else { return (limit, false) }
        let last = endFrame(of: span, movieTime: gate.movieTime(of: end))
        return (min(limit, last), limit >= last)
    }

    /// The source frame at which the span reaches a movie time.
    private func endFrame(of span: Span, movieTime: Int64) -> Int64 {
        max(
            span.first,
            span.first + TickSequence.ticks(movieTime, timescale: rate) - span.position)
    }

    /// Puts out held frames below `limit`: whole elements unless the span ends there, so that
    /// nothing is cut up without need.
    private mutating func emit(
        until limit: Int64, isFinal: Bool, _ span: Span, _ gate: PauseGate,
        into output: inout [Piece]
    ) {
        discard(until: span.first)
        while let head = held.first, head.frames.lowerBound < limit {
            let from = max(head.frames.lowerBound, decided)
            let to = min(head.frames.upperBound, limit)
            guard isFinal || to == head.frames.upperBound, from < to else { break }
            let base = head.frames.lowerBound
            output.append(
                Piece(
                    element: head.element, frames: Int(from - base)..<Int(to - base),
                    position: span.position + from - span.first,
                    fade: AudioFade(
                        length: fadeFrames, sinceStart: span.fadesIn ? from - span.first : nil,
                        untilEnd: span.end.map { $0 - to })))
            advance(to: to)
        }
        if span.end == nil, let end = gate.end, gate.horizon == .max {
            discard(until: endFrame(of: span, movieTime: gate.movieTime(of: end)), orAfter: true)
        }
    }

    /// Leaves out held frames before `frame`; with `orAfter` those from `frame` on instead.
    private mutating func discard(until frame: Int64, orAfter: Bool = false) {
        if orAfter, decided < frame { return }
        let limit = orAfter ? received : min(frame, received)
        guard limit > decided else { return }
        let unreal = min(skipped, limit - decided)
        skipped -= unreal
        leftOut += Int(limit - decided - unreal)
        advance(to: limit)
    }

    private mutating func advance(to frame: Int64) {
        decided = max(decided, frame)
        while let head = held.first, head.frames.upperBound <= decided {
            heldWeight -= head.weight
            held.removeFirst()
        }
    }

    private func nanoseconds(_ frames: Int64) -> Int64 {
        TickSequence.ticks(frames, from: rate, to: 1_000_000_000)
    }

    private func frame(at time: Int64, _ anchor: Int64) -> Int64 {
        TickSequence.ticks(time - anchor, timescale: rate)
    }
}
