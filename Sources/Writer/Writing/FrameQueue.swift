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
    }

    private struct Entry: Sendable {
        let element: Element
        let time: Int64
        let isSync: Bool
        let weight: Int
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
    private var span: Int?
    private var awaitsSync = true

    init(needsSync: Bool, judgedAfter: Int64 = 0) {
        self.needsSync = needsSync
        self.judgedAfter = judgedAfter
    }

    mutating func append(_ element: Element, at time: Int64, isSync: Bool, weight: Int) {
        held.append(Entry(element: element, time: time, isSync: isSync, weight: weight))
        heldWeight += weight
    }

    /// Passes on what the gate has decided.
    /// - Parameter limit: the first instant of which nothing is passed on yet (source time, ns).
    /// - Returns: how many elements were left out by intent.
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
            guard case .kept(let movieTime, let span) = fate else {
                leftOut += 1
                continue
            }
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
        return leftOut
    }
}
