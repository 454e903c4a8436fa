internal import Media

/// What decides over a take: its life, what its start waits for, its writer and its end.
///
/// A pure value but for the writer, which it keeps. Times are host nanoseconds.
struct TakeControl: Sendable {
    private var machine = RecorderMachine()
    private var gate: StartGate
    private(set) var writer: (any TakeWriting)?
    /// How far the writer is behind.
    private var load: WriterLoad?
    /// When a start that still waits has failed.
    private(set) var startDeadline: Int64 = .max
    private(set) var failure: MediaError?
    /// Of a stop.
    private var drain = DrainTime(.max, from: 0)
    /// Sources of which everything up to the end is written.
    private(set) var reached: Set<Int> = []
    /// Sources that the movie has no track for.
    private(set) var leftOut: Set<Int> = []

    init(_ gate: StartGate) { self.gate = gate }

    var life: RecorderMachine.Life { machine.life }
    var isFailing: Bool { machine.isFailing }
    /// Sources that the start waits for.
    var missing: [Int] { gate.missing }
    /// The camera at whose frame the movie starts.
    var lead: Int? { gate.lead }
    /// The writer while the movie runs or is paused.
    var runningWriter: (any TakeWriting)? { life == .running ? writer : nil }

    /// Says how full the writer's queues are while the movie runs.
    mutating func measure(into reading: inout PressureReading) {
        guard let runningWriter else { return }
        load?.look(runningWriter.status, into: &reading)
    }

    // MARK: The start

    mutating func start(
        _ writer: any TakeWriting, load: WriterLoad?, until deadline: Int64
    ) {
        self.writer = writer
        self.load = load
        startDeadline = deadline
        _ = machine.handle(.start)
    }

    mutating func postponeStart(by length: Int64) {
        guard life == .starting, length > 0 else { return }
        startDeadline = startDeadline > .max - length ? .max : startDeadline + length
    }

    /// A source has delivered.
    /// - Returns: the movie's start and the writer to start, when this decided it.
    mutating func delivered(_ source: Int, at stamp: Int64) -> (Int64, any TakeWriting)? {
        guard life == .starting, !leftOut.contains(source),
            let start = gate.delivered(source, at: stamp),
            let writer, machine.handle(.ready) == .startSession
        else { return nil }
        return (start, writer)
    }

    /// A source went away.
    mutating func lost(_ source: Int) { gate.lost(source) }

    /// These sources are not waited for, and some of them are left out of the movie.
    /// - Returns: those that are left out only now; `nil`: the movie cannot begin without these sources.
    mutating func excuse(
        _ sources: [Int], leavingOut useless: [Int], until deadline: Int64
    ) -> [Int]? {
        guard life == .starting, gate.excuse(sources) else { return nil }
        startDeadline = deadline
        return useless.filter { leftOut.insert($0).inserted }
    }

    // MARK: The end

    /// - Returns: whether it is news that everything of the source is written.
    mutating func reachedEnd(_ source: Int) -> Bool { reached.insert(source).inserted }

    /// - Parameter drainLimit: how long what is on its way is waited for; 0: not at all, and no longer.
    /// - Returns: whether the end is decided by this.
    mutating func stop(at now: Int64, drainLimit: Int64) -> Bool {
        let isNew = machine.handle(.stop) != .none
        if isNew || life == .finishing && drainLimit == 0 {
            drain = DrainTime(drainLimit, from: now)
        }
        return isNew
    }

    /// - Returns: whether the end is decided by this; `nil` where it changes nothing, because the recording is failing
    ///   or over.
    mutating func fail(_ error: MediaError, at now: Int64) -> Bool? {
        guard !isFailing, !life.isOver else { return nil }
        failure = error
        drain = DrainTime(0, from: now)
        return machine.handle(.fail) != .none
    }

    /// One look: whether what is on its way has been waited for long enough.
    mutating func isDrainOver(at now: Int64) -> Bool { drain.isOver(at: now) }

    /// The writer has ended.
    /// - Returns: why the recording fails, the first failure of all.
    mutating func ended(_ failure: MediaError?) -> MediaError? {
        if self.failure == nil, let failure {
            self.failure = failure
            _ = machine.handle(.fail)
        }
        return self.failure
    }

    mutating func closed() { _ = machine.handle(.closed) }
}
