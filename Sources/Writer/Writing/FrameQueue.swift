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
    }

    private struct Entry: Sendable {
        let element: Element
        let time: Int64
        let isSync: Bool
        let weight: Int
        let holdsUntil: Int64?
    }

    /// Whether only a sync sample can follow a cut (coded frames that need others).
    let needsSync: Bool
    /// How far after its stamp an element is judged (ns): 0 for frames, half its length for a coded
    /// audio packet, which cannot be cut.
    let judgedAfter: Int64
    /// First instant that is not decided on (source time, ns).
    private(set) var undecidedFrom = Int64.min
    /// Weight held back (bytes).
    private(set) var heldWeight = 0
    private var held: [Entry] = []
    /// What began last of what is not in the movie and may still hold where the movie begins or continues.
    private var carried: Entry?
    private var latest = Int64.min
    private var span: Int?
    private var awaitsSync = true

    init(needsSync: Bool, judgedAfter: Int64 = 0) {
        self.needsSync = needsSync
        self.judgedAfter = judgedAfter
    }

    /// - Parameter holdsUntil: of a state, when it ends (source time, ns; `.max`: with the next one); nil: it is none.
    mutating func append(
        _ element: Element, at time: Int64, isSync: Bool, weight: Int, holdsUntil: Int64? = nil
    ) {
        held.append(
            Entry(
                element: element, time: time, isSync: isSync, weight: weight,
                holdsUntil: holdsUntil))
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
            let fate = gate.fate(of: entry.time + judgedAfter)
            if fate == .undecided || entry.time >= limit { break }
            count += 1
            heldWeight -= entry.weight
            undecidedFrom = max(undecidedFrom, entry.time + judgedAfter + 1)
            leftOut -= releaseCarried(by: gate, before: min(entry.time, limit), into: &output)
            let isLatest = entry.time >= latest
            latest = max(latest, entry.time)
            guard case .kept(let movieTime, let span) = fate else {
                leftOut += 1
                if isLatest, entry.holdsUntil != nil { carried = entry }
                continue
            }
            carried = nil
            if span != self.span { awaitsSync = true }
            if needsSync, awaitsSync, !entry.isSync {
                leftOut += 1
                continue
            }
            let starts = awaitsSync
            self.span = span
            awaitsSync = false
            output.append(
                Released(
                    element: entry.element, movieTime: movieTime - judgedAfter, startsSpan: starts))
        }
        held.removeFirst(count)
        return leftOut - releaseCarried(by: gate, before: limit, into: &output)
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
