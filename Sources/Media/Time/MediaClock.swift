/// The only way vcap reads a clock or waits: injected everywhere, so that tests own time.
public protocol MediaClock: Sendable {
    /// The current time on this clock (nanosecond timescale).
    func now() -> MediaTime

    /// Blocks the calling thread until `deadline`, or until `signal` is raised. Never called on
    /// Swift's cooperative pool.
    func wait(until deadline: MediaTime, orSignal signal: WakeSignal) -> WaitOutcome
}

/// What ended a wait.
public enum WaitOutcome: Sendable {
    case reachedDeadline
    case signalled
}
