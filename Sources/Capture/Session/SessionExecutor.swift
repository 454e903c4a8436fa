internal import Media

/// Runs a session's jobs on a thread of its own: opening a device blocks, and blocking calls never
/// run on Swift's cooperative pool.
final class SessionExecutor: SerialExecutor {
    private let queue: BoundedQueue<Job>
    private let thread: NamedThread

    private struct Job: Sendable {
        let job: UnownedJob
        let executor: UnownedSerialExecutor
    }

    init() {
        let queue = BoundedQueue<Job>(capacity: .max)
        self.queue = queue
        thread = NamedThread(name: "vcap-session") {
            while let next = queue.pop() { next.job.runSynchronously(on: next.executor) }
        }
    }

    deinit {
        queue.finish()
        thread.detach()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let entry = Job(job: UnownedJob(job), executor: asUnownedSerialExecutor())
        _ = queue.push(entry)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}
