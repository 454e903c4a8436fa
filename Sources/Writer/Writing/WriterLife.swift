internal import Media

/// The life of a writer as a pure value: what each request means in each phase, and who waits for the end.
///
/// ```
/// configuring ─start─▶ started ─session─▶ session ─finish─▶ finishing ─end─▶ ended
///                         │                  │                  ▲
///                         └───── abandon ────┴──────────────────┘
/// ```
struct WriterLife: Sendable {
    enum Phase: Sendable {
        case configuring, started, session, finishing, ended
    }

    /// Times are of the source (ns).
    enum Command: Sendable, Equatable {
        case pause(at: Int64)
        case resume(at: Int64)

        fileprivate var pauses: Bool { if case .pause = self { true } else { false } }
    }

    private(set) var phase = Phase.configuring
    private(set) var outcome: WritingPipeline.Outcome?
    /// Commands that came before the session; each changes what the one before has asked for.
    private var early: [Command] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Throws: `invalidState` in another phase, with what was attempted and why that cannot be.
    func require(
        _ wanted: Phase, to attempt: String, else reason: String
    ) throws(MediaError) {
        guard phase == wanted else { throw .state(attempt, reason) }
    }

    mutating func start(hasInputs: Bool) throws(MediaError) {
        try require(.configuring, to: "start the writer", else: "it has started already.")
        guard hasInputs else { throw .state("start the writer", "it has no inputs.") }
        phase = .started
    }

    /// Nothing was written, and nothing will be.
    mutating func giveUp() { phase = .ended }

    /// - Returns: the commands that came before, in their order.
    mutating func beginSession(isOpen: Bool) throws(MediaError) -> [Command] {
        guard phase == .started, isOpen else {
            throw .state("start the session", "it has started or the writer has ended.")
        }
        phase = .session
        defer { early = [] }
        return early
    }

    /// - Returns: whether it changes anything; `nil`: that is for the session to say.
    mutating func command(_ command: Command) throws(MediaError) -> Bool? {
        switch phase {
        case .configuring, .started:
            guard early.last?.pauses ?? false != command.pauses else { return false }
            early.append(command)
            return true
        case .session: return nil
        case .finishing, .ended:
            throw .state(
                command.pauses ? "pause" : "resume", "the writer is finishing or has ended.")
        }
    }

    mutating func finish() throws(MediaError) {
        try require(.session, to: "finish the movie", else: "no session is running.")
        phase = .finishing
    }

    /// - Returns: whether there is something to end.
    mutating func abandon() -> Bool {
        guard phase != .ended, outcome == nil else { return false }
        phase = .finishing
        return true
    }

    /// - Returns: who waits for it.
    mutating func end(_ outcome: WritingPipeline.Outcome) -> [CheckedContinuation<Void, Never>] {
        self.outcome = outcome
        phase = .ended
        defer { waiting = [] }
        return waiting
    }

    /// - Returns: whether there is something to wait for.
    mutating func wait(_ next: CheckedContinuation<Void, Never>) -> Bool {
        guard outcome == nil else { return false }
        waiting.append(next)
        return true
    }

    /// - Parameter pause: of the session.
    func state(hasFailed: Bool, _ pause: PauseGate.Phase?) -> AssetWriterStatus.State {
        if case .cancelled = outcome { return .cancelled }
        if hasFailed { return .failed }
        if outcome != nil { return .finished }
        return switch phase {
        case .configuring: .configuring
        case .started: .waiting
        case .finishing: .finishing
        case .ended: .failed
        case .session:
            switch pause {
            case .pausing: .pausing
            case .paused: .paused
            case .resuming: .resuming
            case .running, nil: .writing
            }
        }
    }
}
