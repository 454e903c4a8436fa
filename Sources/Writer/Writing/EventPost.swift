internal import Media

/// Delivers a writer's events in order from one thread of its own ("vcap-events"), so that the one who
/// listens may lock what it likes and nobody who appends waits for it. Thread-safe.
final class EventPost: Sendable {
    private struct State {
        var deliveries: [@Sendable () -> Void] = []
        var isClosed = false
        var isRunning = false
        /// None once all is said: a listener may hold the writer.
        var handler: (@Sendable (AssetWriterEvent) -> Void)?
    }

    private let state: BlockingLock<State>

    init(_ handler: @escaping @Sendable (AssetWriterEvent) -> Void) {
        state = BlockingLock(State(handler: handler))
    }

    func post(_ event: AssetWriterEvent) {
        guard let handler = state.read({ $0.handler }) else { return }
        put { handler(event) }
    }

    /// Runs `last` after every event before it, then ends the thread.
    func close(_ last: @escaping @Sendable () -> Void) {
        put(last, closing: true)
    }

    private func put(_ delivery: @escaping @Sendable () -> Void, closing: Bool = false) {
        let mustStart = state.withLock { state in
            guard !state.isClosed else { return false }
            state.deliveries.append(delivery)
            state.isClosed = closing
            if closing { state.handler = nil }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustStart else { return }
        let post = self
        NamedThread(name: "vcap-events") { post.run() }.detach()
    }

    private func run() {
        while true {
            let batch = state.wait { state -> [@Sendable () -> Void]? in
                guard !state.deliveries.isEmpty else { return state.isClosed ? [] : nil }
                defer { state.deliveries = [] }
                return state.deliveries
            }
            if batch.isEmpty { return }
            for delivery in batch { delivery() }
        }
    }
}
