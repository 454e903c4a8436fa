internal import Media

/// Events on their way to a slower thread. Samples are bounded by a late-frame policy, and what is
/// dropped is reported in its place; other events always pass. Memory is bounded however long nobody takes
/// anything: drops that follow each other become one.
final class EventQueue: Sendable {
    // immutable
    /// Most that waits (frames, or audio frames).
    let capacity: Int
    let policy: VideoDataOutput.LateFramePolicy
    private let state = BlockingLock(State())

    private struct State {
        var events: [SourceEvent] = []
        /// What the waiting samples hold (frames, or audio frames).
        var weight = 0
        /// Dropped since the last event that was taken, with `dropNewest`.
        var late: SampleDrop?
        var isFinished = false
    }

    init(capacity: Int, policy: VideoDataOutput.LateFramePolicy) {
        self.capacity = capacity
        self.policy = policy
    }

    /// Events that wait.
    var count: Int { state.read { $0.events.count } }

    /// Hands over without waiting; answers what the policy dropped for it.
    func push(_ event: SourceEvent) -> SampleDrop? {
        state.withLock { state in
            if state.isFinished { return nil }
            guard case .sample(let sample) = event else {
                Self.reportLate(&state)
                Self.append(event, &state)
                return nil
            }
            let weight = Self.weight(of: sample)
            // one that is larger than the queue is taken by an empty one
            guard state.weight > 0, state.weight + weight > capacity else {
                Self.reportLate(&state)
                state.events.append(event)
                state.weight += weight
                return nil
            }
            switch policy {
            case .dropNewest:
                let drop = Self.late(sample)
                state.late = state.late.map { $0.followed(by: drop) } ?? drop
                return drop
            case .dropOldest:
                let drop = Self.dropOldest(&state)
                state.events.append(event)
                state.weight += weight
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
            if case .sample(let sample) = event { state.weight -= Self.weight(of: sample) }
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
        withExtendedLifetime(waiting) {}  // frames go back to their driver outside the lock
    }

    private static func weight(of sample: SampleBuffer) -> Int { max(sample.audioFrameCount, 1) }

    private static func late(_ sample: SampleBuffer) -> SampleDrop {
        SampleDrop(cause: .late, count: weight(of: sample), time: sample.presentationTime)
    }

    private static func reportLate(_ state: inout State) {
        guard let late = state.late else { return }
        append(.dropped(late), &state)
        state.late = nil
    }

    private static func append(_ event: SourceEvent, _ state: inout State) {
        if case .dropped(let drop) = event, case .dropped(let last) = state.events.last,
            last.cause == drop.cause
        {
            state.events[state.events.count - 1] = .dropped(last.followed(by: drop))
        } else {
            state.events.append(event)
        }
    }

    /// Puts the news of the drop where the oldest sample was.
    private static func dropOldest(_ state: inout State) -> SampleDrop? {
        for (index, event) in state.events.enumerated() {
            guard case .sample(let sample) = event else { continue }
            let drop = late(sample)
            state.weight -= drop.count
            if index > 0, case .dropped(let last) = state.events[index - 1], last.cause == .late {
                state.events[index - 1] = .dropped(last.followed(by: drop))
                state.events.remove(at: index)
            } else {
                state.events[index] = .dropped(drop)
            }
            return drop
        }
        return nil
    }
}

extension SampleDrop {
    /// Both as one.
    fileprivate func followed(by next: SampleDrop) -> SampleDrop {
        SampleDrop(cause: cause, count: count + next.count, time: time)
    }
}
