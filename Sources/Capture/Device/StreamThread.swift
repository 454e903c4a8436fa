internal import Media

/// The one thread of a stream: started at most once, stopped by raising its signal and waiting.
final class StreamThread: Sendable {
    /// Raised to end the thread's waits; the body returns when it sees it.
    let stopSignal = WakeSignal()
    private let thread = Lock<NamedThread?>(nil)

    func start(name: String, body: @escaping @Sendable () -> Void) {
        let started = NamedThread(name: name, body: body)
        thread.withLock { $0 = started }
    }

    /// Blocks until the thread has ended; does nothing when there is none.
    func stop() {
        stopSignal.raise()
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        running?.join()
    }
}
