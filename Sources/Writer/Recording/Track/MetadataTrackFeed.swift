internal import Media

/// A source of metadata's way into the movie: samples by their own stamps, as they come. Nobody waits for it, at the
/// start or at the end, and its silence is no gap. Thread-safe.
final class MetadataTrackFeed: TrackFeed {
    // immutable
    private let plan: TrackPlan
    private let format: MetadataFormat
    /// Whether that nothing holds is written once, however often it is said.
    private let mergesEmpty: Bool
    private unowned let context: any TakeContext
    private let state = Lock(State())

    private struct State {
        /// Samples from before the session's start was known.
        var early: [SampleBuffer] = []
        /// Stamps of those that found no room there (host ns); the start timeout bounds them.
        var crowdedOut: [Int64] = []
        var lastStamp: Int64?
        /// Whether the last one that came said that nothing holds.
        var isEmpty = false
        var isEnded = false
        var isClosed = false
    }

    /// Most samples kept while the recording has not begun (count), and their bytes.
    private static let earlyLimit = 256
    private static let earlyBytes = 8 << 20

    init(
        plan: TrackPlan, format: MetadataFormat, mergesEmpty: Bool, context: any TakeContext
    ) {
        self.mergesEmpty = mergesEmpty
        self.plan = plan
        self.format = format
        self.context = context
    }

    func handle(_ event: SourceEvent) {
        state.withLock { state in
            guard !state.isClosed else { return }
            switch event {
            case .sample(let sample): take(sample, &state)
            case .dropped(let drop):
                if context.sessionStart != nil {
                    context.dropped(
                        plan.index, drop.cause, drop.count, at: drop.time.nanoseconds())
                }
            case .interrupted(let interruption):
                context.emit(.interrupted(track: plan.index, interruption))
            case .resumed: state.isEnded = false
            case .ended: state.isEnded = true
            }
        }
    }

    func miss(at now: Int64) {}

    func tick(_ now: Int64) {
        state.withLock { state in if !state.isClosed { writeEarly(&state) } }
    }

    func hold(at now: Int64) {}

    func finish(at end: Int64) {
        state.withLock { state in
            guard !state.isClosed else { return }
            writeEarly(&state)
            state.isClosed = true
            state.early = []
        }
    }

    func snapshot(at now: Int64) -> TrackSnapshot {
        state.withLock { TrackSnapshot(isEnded: $0.isEnded) }
    }

    private func take(_ sample: SampleBuffer, _ state: inout State) {
        guard case .coded(let block) = sample.payload, sample.format == .metadata(format),
            block.withUnsafeBytes({ MetadataPacking.isSample($0, of: format) })
        else {
            return context.dropped(
                plan.index, .undecodable, 1, at: sample.presentationTime.nanoseconds())
        }
        let isRepeated = mergesEmpty && state.isEmpty && block.count == 0
        state.isEmpty = block.count == 0
        if isRepeated { return writeEarly(&state) }
        state.early.append(sample)
        guard context.sessionStart == nil else { return writeEarly(&state) }
        var bytes = state.early.reduce(0) { $0 + ($1.block?.count ?? 0) }
        while state.early.count > Self.earlyLimit
            || bytes > Self.earlyBytes && state.early.count > 1
        {
            let oldest = state.early.removeFirst()
            bytes -= oldest.block?.count ?? 0
            state.crowdedOut.append(oldest.presentationTime.nanoseconds())
        }
    }

    /// What has come so far, once the session's start is known: what holds at that instant is the first.
    private func writeEarly(_ state: inout State) {
        guard let start = context.sessionStart, !state.early.isEmpty else { return }
        let early = state.early
        state.early = []
        var samples = early.filter { $0.presentationTime.nanoseconds() > start }
        let before = early.last { $0.presentationTime.nanoseconds() <= start }
        reportCrowdedOut(&state, start: start, holdsBefore: before != nil)
        if state.lastStamp == nil, let held = before?.held(at: start) {
            samples.insert(held, at: 0)
        }
        for sample in samples { write(sample, &state) }
    }

    /// Counts what the movie lacks of those that found no room: what came after its start, and what held there.
    private func reportCrowdedOut(_ state: inout State, start: Int64, holdsBefore: Bool) {
        let first = state.crowdedOut.firstIndex { $0 > start } ?? state.crowdedOut.count
        let missing = state.crowdedOut[(holdsBefore ? first : max(0, first - 1))...]
        if let stamp = missing.first {
            context.dropped(plan.index, .late, missing.count, at: max(start, stamp))
        }
        state.crowdedOut = []
    }

    private func write(_ sample: SampleBuffer, _ state: inout State) {
        let stamp = sample.presentationTime.nanoseconds()
        if let end = context.sessionEnd, stamp >= end { return }
        guard stamp > state.lastStamp ?? .min else {
            return context.dropped(plan.index, .outOfOrder, 1, at: stamp)
        }
        state.lastStamp = stamp
        _ = context.write(sample, track: plan.index)
    }
}

extension SampleBuffer {
    /// What of a sample that began at an instant or before it still holds there (host ns); nil: nothing.
    fileprivate func held(at time: Int64) -> SampleBuffer? {
        var held = self
        let passed = time - presentationTime.nanoseconds()
        if let duration {
            let left = duration.nanoseconds() - passed
            guard left > 0 else { return nil }
            held.duration = passed == 0 ? duration : .nanoseconds(left)
        }
        if passed > 0 { held.presentationTime = .nanoseconds(time) }
        return held
    }
}
