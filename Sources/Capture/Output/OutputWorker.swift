internal import Media

/// The thread of one output: a handler that sleeps holds up neither the device nor other outputs.
final class OutputWorker: Sendable {
    private let queue: EventQueue
    private let thread: Lock<NamedThread?>
    private let pressure: @Sendable (SampleDrop) -> Void

    init(
        _ queue: EventQueue, pressure: @escaping @Sendable (SampleDrop) -> Void,
        deliver: @escaping @Sendable (SourceEvent) -> Void
    ) {
        self.queue = queue
        self.pressure = pressure
        thread = Lock(
            NamedThread(name: "vcap-output") {
                while let event = queue.pop() { deliver(event) }
            })
    }

    deinit {
        queue.finish()
        takeThread()?.detach()
    }

    /// Never waits.
    func push(_ event: SourceEvent) {
        if let drop = queue.push(event) { pressure(drop) }
    }

    /// Nothing is delivered after it returned.
    func stop() {
        queue.finish()
        takeThread()?.join()
    }

    private func takeThread() -> NamedThread? {
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
    }
}
