/// Holds back the frames (or coded packets) of one track until the gate has decided on them.
/// A pure value; the element is whatever carries the sample.
struct FrameQueue<Element: Sendable>: Sendable {
    /// A frame that goes into the movie.
    struct Released: Sendable {
        let element: Element
        /// Where it is presented (movie time, ns).
        let movieTime: Int64
        /// Whether it is the first one after the start or a resume: it must be a sync sample.
        let startsSpan: Bool
        /// By how much the movie has it later than it began (ns): it began before the start or in a pause.
        var delay: Int64 = 0
        /// Whether it is in the file because others need it, and not shown; its movie time may be negative.
        var isHidden = false
    }

    /// A track whose first frames need one that is not there.
    struct LateStart: Sendable, Hashable {
        /// When its first frame is shown (movie time, ns); nil: none was.
        var movieTime: Int64?
        /// Frames that were left out before it.
        var leftOut: Int
    }

    private struct Entry: Sendable {
        let element: Element
        let time: Int64
        let isSync: Bool
        let weight: Int
        let length: Int64
        let isHidden: Bool
        let holdsUntil: Int64?

        var hidden: HiddenSamples<Element>.Entry {
            HiddenSamples.Entry(
                sample: element, time: time, isSync: isSync, weight: weight, length: length,
                isHidden: isHidden)
        }
    }

    /// Frames that need one that is left out.
    struct EarlyEnd: Sendable, Hashable {
        /// When the first of them would be shown (movie time, ns).
        var movieTime: Int64
        var leftOut: Int
    }

    /// Whether only a sync sample can follow a cut (coded frames that need others).
    let needsSync: Bool
    /// How far after its stamp an element is judged (ns): 0 for frames, half its length for a coded
    /// audio packet, which cannot be cut.
    let judgedAfter: Int64
    /// Whether the container cuts what lies across the movie's start or end, or behind it.
    let isCutInside: Bool
    /// First instant that is not decided on (source time, ns).
    private(set) var undecidedFrom = Int64.min
    /// First instant the movie can still end at (source time, ns).
    var endableFrom: Int64 { isCutInside ? .min : undecidedFrom }
    /// Weight held back (bytes).
    private(set) var heldWeight = 0
    private var held: [Entry] = []
    /// What began last of what is not in the movie and may still hold where the movie begins or continues.
    private var carried: Entry?
    private var latest = Int64.min
    private var span: Int?
    private var awaitsSync = true
    private var outside: HiddenSamples<Element>
    /// When the file's first sync sample is shown (source time, ns).
    private var firstSync: Int64?
    private var withoutSync = 0
    /// Whether frames were left out because their sync sample is not there.
    private var beganLate = false
    /// Whether the file is without a frame that those decoded from now on may need.
    private var lacksReference = false
    private var withoutReference: EarlyEnd?
    /// Whether anything of the track is in the movie.
    private(set) var isEmpty = true

    /// - Parameters:
    ///   - hidden: which elements from outside the movie are passed on too.
    ///   - isCutInside: see there.
    init(
        needsSync: Bool, judgedAfter: Int64 = 0, hidden: HiddenSampleRule = .none,
        isCutInside: Bool = false
    ) {
        self.needsSync = needsSync
        self.judgedAfter = judgedAfter
        self.isCutInside = isCutInside
        outside = HiddenSamples(hidden)
    }

    /// What is missing at the track's start because no sync sample came; nil: nothing.
    /// - Parameter isFinished: whether none will come any more.
    mutating func takeLateStart(movieTime: Int64?, isFinished: Bool) -> LateStart? {
        guard withoutSync > 0, movieTime != nil || (isFinished && span == nil) else { return nil }
        defer { withoutSync = 0 }
        return LateStart(movieTime: movieTime, leftOut: withoutSync)
    }

    /// Frames before the movie's end, or a hidden part's, that cannot be decoded without one behind it.
    mutating func takeEarlyEnd() -> EarlyEnd? {
        defer { withoutReference = nil }
        return withoutReference
    }

    /// - Parameters:
    ///   - length: how long it lasts (ns; 0: unknown).
    ///   - isHidden: whether the source says that it is not shown.
    ///   - holdsUntil: of a state, when it ends (source time, ns; `.max`: with the next one); nil: it is none.
    mutating func append(
        _ element: Element, at time: Int64, isSync: Bool, weight: Int, length: Int64 = 0,
        isHidden: Bool = false, holdsUntil: Int64? = nil
    ) {
        held.append(
            Entry(
                element: element, time: time, isSync: isSync, weight: weight, length: length,
                isHidden: isHidden, holdsUntil: holdsUntil))
        heldWeight += weight
    }

    /// Passes on what the gate has decided.
    /// - Parameter limit: the first instant of which nothing is passed on yet (source time, ns).
    /// - Returns: how many elements were left out by intent; less those of earlier calls that hold where the movie
    ///   continues.
    mutating func release(
        by gate: PauseGate, before limit: Int64 = .max, into output: inout [Released]
    ) -> Int {
        var leftOut = 0
        var count = 0
        for entry in held {
            let instant = instant(of: entry, gate)
            let fate = gate.fate(of: instant)
            if fate == .undecided || entry.time >= limit { break }
            count += 1
            heldWeight -= entry.weight
            undecidedFrom = max(undecidedFrom, entry.time + judgedAfter + 1)
            leftOut -= releaseCarried(by: gate, before: min(entry.time, limit), into: &output)
            let isLatest = entry.time >= latest
            latest = max(latest, entry.time)
            guard case .kept(let movieTime, let span) = fate, !entry.isHidden else {
                leftOut += 1
                hold(entry, instant, gate)
                noteMissing(entry, instant, gate)
                if isLatest, entry.holdsUntil != nil { carried = entry }
                continue
            }
            carried = nil
            leftOut -= enter(span, entry, gate, into: &output)
            if needsSync, awaitsSync, !entry.isSync {
                leftOut += 1
                if self.span == nil { (withoutSync, beganLate) = (withoutSync + 1, true) }
                continue
            }
            if isUndecodable(entry, movieTime) {
                leftOut += 1
                continue
            }
            output.append(
                Released(
                    element: entry.element, movieTime: movieTime - (instant - entry.time),
                    startsSpan: awaitsSync))
            self.span = span
            awaitsSync = false
            isEmpty = false
        }
        held.removeFirst(count)
        return leftOut - releaseCarried(by: gate, before: limit, into: &output)
    }

    /// The instant that says whether an element is in the movie.
    private func instant(of entry: Entry, _ gate: PauseGate) -> Int64 {
        let instant = entry.time + judgedAfter
        guard isCutInside else { return instant }
        if judgedAfter > 0, instant < gate.start, entry.time + entry.length > gate.start {
            return gate.start
        }
        if let end = gate.end, instant >= end, entry.time < end { return end - 1 }
        return instant
    }

    /// Keeps an element that is not in the movie for those that may need it.
    private mutating func hold(_ entry: Entry, _ instant: Int64, _ gate: PauseGate) {
        guard span != nil else {
            let isAfterEnd = instant >= gate.end ?? .max
            guard !isAfterEnd, instant < gate.start || entry.isHidden else { return }
            return outside.holdBefore(entry.hidden, start: gate.start)
        }
        guard needsSync else { return }
        // not what is in a pause: behind it the movie continues with a sync sample
        let isOutside = instant < gate.start || instant >= gate.end ?? .max || entry.isHidden
        guard isOutside, entry.time >= firstSync ?? .min else { return }
        outside.holdReordered(entry.hidden)
    }

    /// Passes on what an element of the movie needs from outside.
    /// - Returns: how many elements that were.
    private mutating func enter(
        _ span: Int, _ entry: Entry, _ gate: PauseGate, into output: inout [Released]
    ) -> Int {
        if span != self.span, self.span != nil {
            awaitsSync = true
            outside.clear()
        }
        // nothing shown from a sync sample on needs what was before it
        if judgedAfter == 0, awaitsSync, entry.isSync, entry.time == gate.start { outside.clear() }
        let needed = outside.take()
        for earlier in needed {
            let movieTime =
                earlier.time < gate.start
                ? earlier.time - gate.start : gate.movieTime(of: earlier.time)
            output.append(
                Released(
                    element: earlier.sample, movieTime: movieTime,
                    startsSpan: awaitsSync, isHidden: !covers(earlier, gate)))
            if needsSync, awaitsSync { firstSync = firstSync ?? earlier.time }
            awaitsSync = false
        }
        if needsSync, awaitsSync, entry.isSync { firstSync = firstSync ?? entry.time }
        return needed.count
    }

    /// Whether a frame may be on show where the movie begins: it began before, and the source shows it.
    private func covers(_ entry: HiddenSamples<Element>.Entry, _ gate: PauseGate) -> Bool {
        judgedAfter == 0 && entry.time < gate.start && !entry.isHidden
    }

    /// At the end of a track of which no frame begins in the movie: passes on the one that was on show before its
    /// start, where it lasts beyond it, with what it needs.
    /// - Returns: how many elements that were.
    mutating func releaseCover(by gate: PauseGate, into output: inout [Released]) -> Int {
        guard isCutInside, judgedAfter == 0, span == nil else { return 0 }
        let shown = outside.waiting.filter { covers($0, gate) }.max { $0.time < $1.time }
        guard let shown, shown.length == 0 || shown.time + shown.length > gate.start else {
            return 0
        }
        let needed = outside.take()
        for (index, entry) in needed.enumerated() {
            output.append(
                Released(
                    element: entry.sample, movieTime: entry.time - gate.start,
                    startsSpan: index == 0, isHidden: !covers(entry, gate)))
        }
        (span, awaitsSync, isEmpty) = (0, false, false)
        return needed.count
    }

    /// Notes a frame that is not in the file though others may need it.
    private mutating func noteMissing(_ entry: Entry, _ instant: Int64, _ gate: PauseGate) {
        guard needsSync, outside.rule == .none, span != nil, let firstSync,
            entry.time >= firstSync, entry.isHidden || instant >= gate.end ?? .max
        else { return }
        lacksReference = true
    }

    /// Whether a frame needs one that is not in the file: one behind the end, or, of what is decoded behind the first
    /// sync sample and shown before it, one before the start.
    private mutating func isUndecodable(_ entry: Entry, _ movieTime: Int64) -> Bool {
        guard needsSync else { return false }
        if entry.isSync { lacksReference = false }
        let isLeading = beganLate && entry.time < firstSync ?? .min
        guard lacksReference || isLeading else { return false }
        let known = withoutReference ?? EarlyEnd(movieTime: movieTime, leftOut: 0)
        withoutReference = EarlyEnd(
            movieTime: min(known.movieTime, movieTime), leftOut: known.leftOut + 1)
        return true
    }

    /// Passes on what began before the start or in a pause, where the movie begins or continues and it still holds.
    /// - Returns: how many elements that were (0 or 1).
    private mutating func releaseCarried(
        by gate: PauseGate, before limit: Int64, into output: inout [Released]
    ) -> Int {
        guard let entry = carried, let until = entry.holdsUntil,
            let next = gate.continuation(after: entry.time), next < limit
        else { return 0 }
        carried = nil
        guard until > next, case .kept(let movieTime, let span) = gate.fate(of: next) else {
            return 0
        }
        self.span = span
        awaitsSync = false
        output.append(
            Released(
                element: entry.element, movieTime: movieTime, startsSpan: true,
                delay: next - entry.time))
        return 1
    }
}
