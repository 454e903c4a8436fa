internal import Media

/// How an export stands, and those who watch it. Thread-safe.
final class ExportStateBoard: Sendable {
    private struct State: Sendable {
        var current = ExportState.pending
        var hasBegun = false
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
    }

    private struct Listener: Sendable {
        let continuation: AsyncStream<ExportState>.Continuation
        let interval: MediaTime
        var last: MediaTime?
    }

    // immutable
    private let clock: any MediaClock
    // guarded by itself
    private let box = Lock(State())

    init(clock: any MediaClock) { self.clock = clock }

    var current: ExportState { box.withLock { $0.current } }

    /// - Returns: whether this is the first time.
    func begin() -> Bool {
        box.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
    }

    /// How it stands: at once, then at most each `updateInterval` (seconds; positive), until it has ended.
    /// A slow reader misses states and holds nothing up.
    func states(updateInterval: MediaTime) -> AsyncStream<ExportState> {
        let (stream, continuation) = AsyncStream<ExportState>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let id = box.withLock { state in
            continuation.yield(state.current)
            state.listeners[state.nextListener] = Listener(
                continuation: continuation, interval: updateInterval)
            state.nextListener += 1
            return state.nextListener - 1
        }
        continuation.onTermination = { [weak self] _ in
            self?.box.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    func post(_ new: ExportState) {
        let now = clock.now()
        let due = box.withLock { state in
            state.current = new
            var due: [AsyncStream<ExportState>.Continuation] = []
            for (id, listener) in state.listeners {
                if let last = listener.last, now < last + listener.interval { continue }
                state.listeners[id]?.last = now
                due.append(listener.continuation)
            }
            return due
        }
        for continuation in due { continuation.yield(new) }
    }

    func finish() {
        let (last, listeners) = box.withLock { ($0.current, Array($0.listeners.values)) }
        for listener in listeners {
            listener.continuation.yield(last)
            listener.continuation.finish()
        }
    }
}
