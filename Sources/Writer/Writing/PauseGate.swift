/// Decides, from stamps alone, which instants of the sources are in the movie and where.
///
/// A pure value: no clock, no lock, no samples. Times are nanoseconds of the sources' common clock
/// (host time); movie times are nanoseconds from the session's start with the pauses cut out.
/// docs/design/time.md holds the definition of the cuts.
package struct PauseGate: Sendable {
    /// A span left out of the movie: from `start` until `end`, at `movieTime`.
    package struct Cut: Sendable, Hashable {
        var movieTime: Int64
        var start: Int64
        var end: Int64?
    }

    /// A pause that ended where it began, so that nothing is missing: when it was asked for, and when to continue.
    package struct Undone: Sendable, Hashable {
        var pause: Int64
        var resume: Int64
    }

    /// What becomes of an instant.
    package enum Fate: Sendable, Hashable {
        /// In the movie, at a movie time, in the span that follows so many cuts.
        case kept(movieTime: Int64, span: Int)
        case leftOut
        /// Hold the sample back: a pause or resume is not decided yet.
        case undecided
    }

    package enum Phase: Sendable, Hashable {
        case running
        case pausing(at: Int64)
        case paused
        case resuming(at: Int64)
    }

    private enum Command: Sendable {
        case pause(at: Int64)
        case resume(at: Int64)

        var time: Int64 {
            switch self {
            case .pause(let time), .resume(let time): time
            }
        }
    }

    package let start: Int64
    let stallLimit: Int64
    /// Length at which the movie ends by itself (movie time, ns); `nil` for none.
    let limit: Int64?
    private(set) var hasLead: Bool
    /// The end that was set (source time); see `end`.
    private(set) var stop: Int64?
    /// Where the limit was reached, once a track has passed it (source time).
    private(set) var reachedLimit: Int64?
    /// A pause was asked for at or after the wanted end: nothing asked for later can come before it.
    private var isOver = false
    package private(set) var cuts: [Cut] = []
    private var pending: [Command] = []
    private var undone: [Undone] = []
    private var latestLead = Int64.min

    /// - Parameters:
    ///   - hasLead: whether a lead video track exists, at whose frames pauses cut.
    ///   - stallLimit: how far other tracks may get past a pause before the lead counts as stalled.
    ///   - limit: length at which the movie ends by itself (movie time).
    init(start: Int64, hasLead: Bool, stallLimit: Int64, limit: Int64? = nil) {
        self.start = start
        self.limit = limit
        self.hasLead = hasLead
        self.stallLimit = stallLimit
    }

    // MARK: Questions

    package var phase: Phase {
        switch pending.first {
        case .pause(let time): .pausing(at: time)
        case .resume(let time): .resuming(at: time)
        case nil: isCutOpen ? .paused : .running
        }
    }

    /// Whether, once all is decided, the movie stands still.
    package var endsPaused: Bool {
        switch pending.last {
        case .pause: true
        case .resume: false
        case nil: isCutOpen
        }
    }

    /// First instant whose fate is not decided.
    package var horizon: Int64 { pending.first?.time ?? .max }

    /// First instant after the movie, as far as is known: the one that was set, or, while the movie
    /// runs, the one at which it will have the wanted length. A pause before that moves it.
    package var end: Int64? {
        guard let wanted = limitEnd else { return stop }
        return min(wanted, stop ?? .max)
    }

    /// The end that no pause can move any more.
    var finalEnd: Int64? { stop == nil ? reachedLimit : end }

    /// Where the span that is running reaches the limit.
    private var limitEnd: Int64? {
        guard let limit else { return nil }
        guard let cut = cuts.last else { return start + limit }
        return cut.end.map { $0 + limit - cut.movieTime }
    }

    /// The end while nothing that was asked for can move it: unknown in a pause, and while one is asked
    /// for before it.
    package var expectedEnd: Int64? {
        guard let wanted = limitEnd, horizon >= wanted else { return stop }
        return min(wanted, stop ?? .max)
    }

    package func fate(of time: Int64) -> Fate {
        if time < start { return .leftOut }
        if let stop, time >= stop { return .leftOut }
        // a pause that is not decided may move the wanted end
        if time >= horizon { return .undecided }
        if let wanted = limitEnd, time >= wanted { return .leftOut }
        guard let index = cuts.lastIndex(where: { $0.start <= time }) else {
            return .kept(movieTime: time - start, span: 0)
        }
        guard let resumed = cuts[index].end, resumed <= time else { return .leftOut }
        return .kept(movieTime: cuts[index].movieTime + time - resumed, span: index + 1)
    }

    /// Where the movie begins or continues after an instant that is not in it (source time, ns); nil: nowhere, or it
    /// is not decided.
    func continuation(after time: Int64) -> Int64? {
        let next = time < start ? start : cuts.last { $0.start <= time }?.end
        guard let next, next > time else { return nil }
        return switch fate(of: next) {
        case .kept: next
        case .leftOut: continuation(after: next)
        case .undecided: nil
        }
    }

    /// Where an instant is in the movie; one inside a pause is at the cut.
    func movieTime(of time: Int64) -> Int64 {
        guard let cut = cuts.last(where: { $0.start <= time }) else { return max(0, time - start) }
        guard let resumed = cut.end, resumed <= time else { return cut.movieTime }
        return cut.movieTime + time - resumed
    }

    /// The instant that is at a place of the movie; at a cut the one after it.
    func sourceTime(of movieTime: Int64) -> Int64 {
        let cut = cuts.last { $0.end != nil && $0.movieTime <= movieTime }
        guard let cut, let resumed = cut.end else { return start + movieTime }
        return resumed + movieTime - cut.movieTime
    }

    /// Length of the movie at an instant (movie time, ns): what is not decided yet does not count.
    package func length(at time: Int64) -> Int64 {
        movieTime(of: min(time, horizon, end ?? .max))
    }

    /// How long the movie was held up to an instant (ns).
    package func heldTime(at time: Int64) -> Int64 {
        cuts.reduce(0) { $0 + max(0, min($1.end ?? .max, time) - $1.start) }
    }

    // MARK: Commands

    /// Asks for a pause; `notBefore` is the first instant that is not in the movie yet.
    /// - Returns: whether anything changed.
    mutating func pause(at time: Int64, notBefore: Int64) -> Bool {
        guard !endsPaused, !isOver else { return false }
        let time = max(time, notBefore, pending.last?.time ?? boundary)
        if pending.isEmpty, let wanted = limitEnd, time >= wanted {
            reachedLimit = wanted
            isOver = true
            return false
        }
        reachedLimit = nil
        command(.pause(at: time))
        return true
    }

    /// Asks for a resume; `notBefore` is the first instant that is not discarded yet.
    /// - Returns: whether anything changed.
    mutating func resume(at time: Int64, notBefore: Int64) -> Bool {
        guard endsPaused else { return false }
        command(.resume(at: max(time, notBefore, pending.last?.time ?? boundary)))
        return true
    }

    /// Nothing at or after `time` is in the movie; an earlier end stays.
    mutating func endSession(at time: Int64) { stop = min(max(time, start), stop ?? .max) }

    private mutating func command(_ command: Command) {
        pending.append(command)
        if !hasLead {
            settle { _ in
                true
            } at: {
                $0
            }
        }
    }

    /// Pauses that left no trace since the last call.
    mutating func takeUndone() -> [Undone] {
        defer { undone = [] }
        return undone
    }

    // MARK: Progress of the tracks

    /// A frame of the lead track; `isCutPoint` and `isResumePoint` are false where a coded track
    /// cannot be cut or entered.
    mutating func leadFrame(at time: Int64, isCutPoint: Bool = true, isResumePoint: Bool = true) {
        guard time >= start else { return }
        let stalledAfter = latestLead
        let limit = stallLimit
        if let stop, time >= stop { return finish() }
        settle { command in
            guard time >= command.time else { return false }
            if case .pause = command { return isCutPoint } else { return isResumePoint }
        } at: { asked in
            time - max(asked, stalledAfter) <= limit ? time : asked
        }
        latestLead = max(latestLead, time)
        notePassing(time)
    }

    /// A track has got as far as `time`: where nothing can move the wanted end any more, it is reached.
    private mutating func notePassing(_ time: Int64) {
        guard pending.isEmpty, let wanted = limitEnd, time >= wanted else { return }
        reachedLimit = wanted
    }

    /// Another track has got as far as `time`: a silent lead is not waited for.
    mutating func progress(to time: Int64) {
        let lead = latestLead
        let limit = stallLimit
        settle {
            time - max($0.time, lead) >= limit
        } at: {
            $0
        }
        notePassing(time)
    }

    /// No more lead frames will come.
    mutating func leadEnded() {
        hasLead = false
        settle { _ in
            true
        } at: {
            $0
        }
    }

    /// Decides now what the lead has not decided, because too much is held back.
    mutating func decideNow() {
        settle { _ in
            true
        } at: {
            $0
        }
    }

    /// No more samples at all: a pause asked for is at its own time, a resume never happened, and
    /// neither did a pause after it.
    mutating func finish() {
        while let command = pending.first {
            guard case .pause(let time) = command, time < end ?? .max, !isCutOpen else {
                pending.removeFirst()
                continue
            }
            settle {
                $0.time == time
            } at: {
                $0
            }
        }
    }

    /// Carries out pending commands while they are `due`, each at the instant `at` gives it.
    /// A pause that is over where it began, or a span without length, leaves no trace.
    private mutating func settle(
        _ due: (Command) -> Bool, at instant: (Int64) -> Int64
    ) {
        let known = cuts.count
        var resumedNow = false
        var asked: Int64 = 0
        while let command = pending.first, due(command) {
            pending.removeFirst()
            let time = max(instant(command.time), boundary)
            switch command {
            case .pause(let wish):
                asked = wish
                if let wanted = limitEnd, time >= wanted {
                    // the movie was over before its cut, and so is all that was asked for later
                    reachedLimit = wanted
                    isOver = true
                    return pending.removeAll()
                }
                if resumedNow, let last = cuts.last, last.end == time {
                    cuts[cuts.count - 1].end = nil
                } else {
                    cuts.append(Cut(movieTime: movieTime(of: time), start: time, end: nil))
                }
                resumedNow = false
            case .resume(let wish):
                if cuts.count > known, cuts.last?.start == time {
                    cuts.removeLast()
                    undone.append(Undone(pause: asked, resume: wish))
                } else {
                    cuts[cuts.count - 1].end = time
                    resumedNow = true
                }
            }
        }
    }

    /// The last instant at which the movie stopped or continued.
    private var boundary: Int64 { cuts.last.map { $0.end ?? $0.start } ?? start }

    private var isCutOpen: Bool {
        guard let last = cuts.last else { return false }
        return last.end == nil
    }
}
