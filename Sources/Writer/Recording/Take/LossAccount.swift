internal import Media
internal import Writing

/// What one source did not deliver, distinguished by whether the movie lacks it: what was lost while the movie
/// was paused is not missing from it. A span waits until the gate has decided on all of it.
///
/// A pure value. Times are host nanoseconds unless said.
struct LossAccount: Sendable {
    /// A filled span of the movie.
    struct Gap: Sendable, Hashable {
        var start: Int64
        /// Where it begins in the movie (movie time, ns).
        var movieTime: Int64
        /// How much of it is in the movie (ns).
        var length: Int64
        var cause: String
    }

    /// Frames of a cause, to be reported.
    struct News: Sendable, Hashable {
        var cause: SampleDrop.Cause
        var count: Int
        var isInPause: Bool
    }

    private enum Kind: Sendable {
        case drop(SampleDrop.Cause, count: Int)
        case gap(cause: String)
        /// A frame that was written again.
        case repeated
        /// One of these that is not in the movie after all.
        case lostRepeat
    }

    /// A frame that is written again: where it is refused, the source has lost nothing.
    private struct Attempt: Sendable {
        let time: Int64
        var isWritten = false
    }

    private struct Span: Sendable {
        let kind: Kind
        let start: Int64
        let length: Int64

        var end: Int64 { start + length }
    }

    private var waiting: [Span] = []
    /// The newest: the writer says of some later that it has no room for them.
    private var attempts: [Attempt] = []
    private static let mostAttempts = 64
    private var unstated: [SampleDrop.Cause: Int] = [:]
    private var unreportedInPauses: [SampleDrop.Cause: Int] = [:]
    /// Frames that the movie lacks, by cause.
    private(set) var drops: [SampleDrop.Cause: Int] = [:]
    /// Frames lost while the movie was paused, by cause.
    private(set) var dropsInPauses: [SampleDrop.Cause: Int] = [:]
    private(set) var gaps: [Gap] = []
    /// Gaps that lie wholly in pauses.
    private(set) var gapsInPauses = 0
    /// Frames of the movie that repeat the one before (frames).
    private(set) var repeats: Int64 = 0

    // MARK: What happened

    /// - Parameter length: how long `count` frames last (ns; 0 where nobody knows).
    mutating func dropped(_ cause: SampleDrop.Cause, _ count: Int, at time: Int64, length: Int64) {
        guard count > 0 else { return }
        waiting.append(Span(kind: .drop(cause, count: count), start: time, length: length))
    }

    mutating func filled(from start: Int64, length: Int64, cause: String) {
        waiting.append(Span(kind: .gap(cause: cause), start: start, length: length))
    }

    /// The writer has left out frames, of the source's or such as were written again.
    mutating func refused(_ cause: SampleDrop.Cause, _ count: Int, at time: Int64, length: Int64) {
        let attempt =
            attempts.firstIndex { $0.time == time && !$0.isWritten }
            ?? attempts.firstIndex { $0.time == time }
        guard count == 1, let attempt else {
            return dropped(cause, count, at: time, length: length)
        }
        if attempts.remove(at: attempt).isWritten {
            waiting.append(Span(kind: .lostRepeat, start: time, length: 0))
        }
    }

    /// The last frame is about to be written again.
    mutating func repeats(at time: Int64) {
        if attempts.count == Self.mostAttempts { attempts.removeFirst() }
        attempts.append(Attempt(time: time))
    }

    /// It was taken.
    mutating func repeated(at time: Int64) {
        guard let attempt = attempts.lastIndex(where: { $0.time == time && !$0.isWritten }) else {
            return  // and left out since
        }
        attempts[attempt].isWritten = true
        waiting.append(Span(kind: .repeated, start: time, length: 0))
    }

    // MARK: What it means

    /// Accounts for everything that the gate has decided.
    mutating func settle(by gate: PauseGate) {
        guard !waiting.isEmpty else { return }
        let horizon = gate.horizon
        let isDecided = { (span: Span) in span.end < horizon }
        for span in waiting where isDecided(span) { account(for: span, by: gate) }
        waiting.removeAll(where: isDecided)
    }

    private mutating func account(for span: Span, by gate: PauseGate) {
        // what is lost before the movie's start or behind its end is missing nowhere
        let end = min(span.end, gate.end ?? .max)
        guard span.start < gate.end ?? .max, span.start >= gate.start || span.end > gate.start
        else { return }
        let begin = max(span.start, gate.start)
        let from = gate.length(at: begin)
        let kept = gate.length(at: end) - from
        switch span.kind {
        case .drop(let cause, let count):
            // a single frame is where it begins, as the writer has it
            guard span.length > 0, count > 1 else {
                guard span.start >= gate.start else { return }
                if gate.keeps(span.start) {
                    Self.add(count, cause, to: &drops, &unstated)
                } else {
                    Self.add(count, cause, to: &dropsInPauses, &unreportedInPauses)
                }
                return
            }
            let share = { (part: Int64) in
                Int((Double(count) * Double(part) / Double(span.length)).rounded())
            }
            let missing = share(kept)
            Self.add(missing, cause, to: &drops, &unstated)
            Self.add(
                share(end - begin) - missing, cause, to: &dropsInPauses, &unreportedInPauses)
        case .gap(let cause):
            if kept > 0 {
                gaps.append(Gap(start: begin, movieTime: from, length: kept, cause: cause))
            } else {
                gapsInPauses += 1
            }
        case .repeated: if gate.keeps(span.start) { repeats += 1 }
        case .lostRepeat: if gate.keeps(span.start) { repeats -= 1 }
        }
    }

    private static func add(
        _ count: Int, _ cause: SampleDrop.Cause, to totals: inout [SampleDrop.Cause: Int],
        _ unstated: inout [SampleDrop.Cause: Int]
    ) {
        guard count > 0 else { return }
        totals[cause, default: 0] += count
        unstated[cause, default: 0] += count
    }

    /// What has been accounted for since the last call, in a fixed order.
    mutating func takeNews() -> [News] {
        defer { (unstated, unreportedInPauses) = ([:], [:]) }
        return Self.sorted(unstated, isInPause: false)
            + Self.sorted(unreportedInPauses, isInPause: true)
    }

    private static func sorted(_ counts: [SampleDrop.Cause: Int], isInPause: Bool) -> [News] {
        counts.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { News(cause: $0.key, count: $0.value, isInPause: isInPause) }
    }
}

extension PauseGate {
    /// Whether a decided instant is in the movie.
    func keeps(_ time: Int64) -> Bool {
        if case .kept = fate(of: time) { true } else { false }
    }
}
