public import Media

extension SampleSource {
    /// The source's events as one bounded sequence, from now until it is released. It takes the
    /// handler's place. When the reader falls behind by `limit` events, new samples are dropped,
    /// and reported as a drop of cause `late` before the next one that finds room. One that is released takes nothing
    /// from a later sequence, shared source or synchronizer.
    public func sequence(limit: Int = 32) -> AsyncStream<SourceEvent> {
        let (stream, continuation) = AsyncStream<SourceEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(limit))
        let gate = SequenceGate(continuation)
        let place = HandlerPlace.of(self)
        let turn = place.nextTurn()
        place.take(self, turn) { gate.pass($0) }
        continuation.onTermination = { [weak self] _ in
            if let self { place.giveBack(self, turn) }
        }
        return stream
    }
}

/// Counts what did not fit into a sequence.
private final class SequenceGate: Sendable {
    private let continuation: AsyncStream<SourceEvent>.Continuation
    /// What did not fit since the last event that did, oldest first.
    private let held = Lock<[SourceEvent]>([])

    init(_ continuation: AsyncStream<SourceEvent>.Continuation) {
        self.continuation = continuation
    }

    func pass(_ event: SourceEvent) {
        held.withLock { held in
            while let first = held.first {
                if case .dropped = continuation.yield(first) { break }
                held.removeFirst()
            }
            if held.isEmpty, !isRefused(event) { return }
            Self.hold(event, in: &held)
        }
        if case .ended = event { continuation.finish() }
    }

    private func isRefused(_ event: SourceEvent) -> Bool {
        if case .dropped = continuation.yield(event) { true } else { false }
    }

    /// Samples become a count; everything else waits as it is.
    private static func hold(_ event: SourceEvent, in held: inout [SourceEvent]) {
        guard case .sample(let sample) = event else { return held.append(event) }
        let frames = max(sample.audioFrameCount, 1)
        if case .dropped(let drop) = held.last, drop.cause == .late {
            held[held.count - 1] = .dropped(
                SampleDrop(cause: .late, count: drop.count + frames, time: drop.time))
        } else {
            held.append(
                .dropped(
                    SampleDrop(cause: .late, count: frames, time: sample.presentationTime)))
        }
    }
}
