/// The life of a recording as a pure value: what each request means in each state. Whether the movie
/// runs or is paused is not known here but to the writer (`PauseGate`).
///
/// ```
/// idle ─start─▶ starting ─ready─▶ running
///   │                 │                        │
///   └──── stop ───────┴───── stop, fail ───────▼
///                                          finishing ─closed─▶ finished | failed
/// ```
struct RecorderMachine: Sendable {
    enum Life: Sendable, CaseIterable {
        case idle, starting, running, finishing, finished, failed

        /// Whether nothing can change any more.
        var isOver: Bool { self == .finished || self == .failed }
    }

    enum Input: Sendable, CaseIterable {
        case start, ready, stop, fail, closed
    }

    /// What the shell must do.
    enum Effect: Sendable, Equatable {
        /// The request changes nothing here.
        case none
        case listenToSources
        case startSession
        /// The movie has begun: end it, write what is held and close the file.
        case endSession
        /// The movie has not begun: remove what there is.
        case abandon
        case reportFinished
        case reportFailed
    }

    private(set) var life = Life.idle
    /// Whether the recording ends by a failure.
    private(set) var isFailing = false

    mutating func handle(_ input: Input) -> Effect {
        switch (life, input) {
        case (.idle, .start): move(to: .starting, .listenToSources)
        case (.starting, .ready): move(to: .running, .startSession)
        case (.idle, .stop), (.starting, .stop): move(to: .finishing, .abandon)
        case (.running, .stop): move(to: .finishing, .endSession)
        case (.idle, .fail), (.starting, .fail): fail(.abandon)
        case (.running, .fail): fail(.endSession)
        case (.finishing, .fail): fail(.none)
        case (.finishing, .closed):
            isFailing ? move(to: .failed, .reportFailed) : move(to: .finished, .reportFinished)
        default: .none
        }
    }

    private mutating func move(to life: Life, _ effect: Effect) -> Effect {
        self.life = life
        return effect
    }

    private mutating func fail(_ effect: Effect) -> Effect {
        isFailing = true
        return move(to: .finishing, effect)
    }
}
