/// The life of a recording as a pure value: what each request means in each state.
///
/// ```
/// idle ─start─▶ waitingForSources ─ready─▶ recording ◀─resume/pause─▶ paused
///   │                 │                        └────────┬───────────────┘
///   └──── stop ───────┴────────── stop, fail ───────────▼
///                                                   stopping ─closed─▶ finished | failed
/// ```
struct RecorderMachine: Sendable {
    enum Input: Sendable, CaseIterable {
        case start, ready, pause, resume, toggle, stop, fail, closed
    }

    /// What the shell must do.
    enum Effect: Sendable, Equatable {
        /// The request changes nothing here.
        case none
        case listenToSources
        case startSession
        case pauseWriter
        case resumeWriter
        /// The movie has begun: end it, write what is held and close the file.
        case endSession
        /// The movie has not begun: remove what there is.
        case abandon
        case tellFinished
        case tellFailed
    }

    private(set) var state = RecorderState.idle
    /// Whether the recording ends by a failure.
    private(set) var isFailing = false

    mutating func handle(_ input: Input) -> Effect {
        switch (state, input) {
        case (.idle, .start): move(to: .waitingForSources, .listenToSources)
        case (.waitingForSources, .ready): move(to: .recording, .startSession)
        case (.recording, .pause), (.recording, .toggle): move(to: .paused, .pauseWriter)
        case (.paused, .resume), (.paused, .toggle): move(to: .recording, .resumeWriter)
        case (.idle, .stop), (.waitingForSources, .stop): move(to: .stopping, .abandon)
        case (.recording, .stop), (.paused, .stop): move(to: .stopping, .endSession)
        case (.idle, .fail), (.waitingForSources, .fail): fail(.abandon)
        case (.recording, .fail), (.paused, .fail): fail(.endSession)
        case (.stopping, .fail): fail(.none)
        case (.stopping, .closed):
            isFailing ? move(to: .failed, .tellFailed) : move(to: .finished, .tellFinished)
        default: .none
        }
    }

    private mutating func move(to state: RecorderState, _ effect: Effect) -> Effect {
        self.state = state
        return effect
    }

    private mutating func fail(_ effect: Effect) -> Effect {
        isFailing = true
        return move(to: .stopping, effect)
    }
}
