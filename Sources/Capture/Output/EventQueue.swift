internal import Media

/// Events on their way to a slower thread. Samples are bounded by a late-frame policy, and what is
/// dropped is told in its place; other events always pass.
final class EventQueue: Sendable {
    // immutable
    /// Most samples waiting (frames).
    let capacity: Int
    let policy: VideoDataOutput.LateFramePolicy
    private let state = BlockingLock(State())

    private struct State {
        var events: [SourceEvent] = []
        var samples = 0
        /// Dropped since the last sample taken.
        var late: SampleDrop?
        var isFinished = false
    }

    init(capacity: Int, policy: VideoDataOutput.LateFramePolicy) {
        self.capacity = capacity
        self.policy = policy
    }

    /// Hands over without waiting; answers what the policy dropped for it.
    func push(_ event: SourceEvent) -> SampleDrop? {
        state.withLock { state in
            if state.isFinished { return nil }
            guard case .sample(let sample) = event else {
                Self.tellLate(&state)
                state.events.append(event)
                return nil
            }
            guard state.samples >= capacity else {
                Self.tellLate(&state)
                state.events.append(event)
                state.samples += 1
                return nil
            }
            switch policy {
            case .dropNewest:
                let drop = SampleDrop(cause: .late, count: 1, time: sample.presentationTime)
                state.late =
                    state.late.map { late in
                        SampleDrop(cause: .late, count: late.count + 1, time: late.time)
                    } ?? drop
                return drop
            case .dropOldest:
                let drop = Self.dropOldest(&state)
                state.events.append(event)
                return drop
            }
        }
    }

    /// The next event, waiting for one; `nil` once finished.
    func pop() -> SourceEvent? {
        state.wait { state -> SourceEvent?? in
            if state.isFinished { return .some(nil) }
            guard !state.events.isEmpty else { return nil }
            let event = state.events.removeFirst()
            if case .sample = event { state.samples -= 1 }
            return .some(event)
        }
    }

    /// Ends it; what waits is let go.
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.events = [] }
            return state.events
        }
        withExtendedLifetime(waiting) {}  // pictures go back to their driver outside the lock
    }

    private static func tellLate(_ state: inout State) {
        guard let late = state.late else { return }
        state.events.append(.dropped(late))
        state.late = nil
    }

    /// Puts the news of the drop where the oldest sample was.
    private static func dropOldest(_ state: inout State) -> SampleDrop? {
        for (index, event) in state.events.enumerated() {
            guard case .sample(let sample) = event else { continue }
            let drop = SampleDrop(cause: .late, count: 1, time: sample.presentationTime)
            state.events[index] = .dropped(drop)
            return drop
        }
        return nil
    }
}
