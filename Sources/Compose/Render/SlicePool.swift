internal import Media
internal import Synchronization

/// A few named threads that share out the parts of one job at a time. The caller works as well; a pool
/// of one thread has none of its own. Thread-bound.
final class SlicePool {
    /// Hands a part's number and the worker's number.
    typealias Body = (_ part: Int, _ worker: Int) -> Void

    // immutable
    let threads: Int
    private let shared: Shared
    private let workers: [NamedThread]

    /// Holds the caller's closure for the workers, and lets go of it before the caller continues.
    // because the body is only taken away when every worker is done
    private final class Job: @unchecked Sendable {
        var body: Body?
        let count: Int

        init(body: @escaping Body, count: Int) {
            self.body = body
            self.count = count
        }
    }

    private struct State {
        var job: Job?
        var number = 0
        var busy = 0
        var isClosed = false
    }

    /// Outlives the pool in its threads.
    private final class Shared: Sendable {
        let state = BlockingLock(State())
        let next = Atomic<Int>(0)

        /// Never inlined: what it holds of the closure is given back before a worker counts as done.
        @inline(never)
        func work(_ job: Job, as worker: Int) {
            guard let body = job.body else { return }
            while true {
                let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard part < job.count else { return }
                body(part, worker)
            }
        }

        func serve(as worker: Int) {
            var seen = 0
            while true {
                let found = state.wait { state -> Job?? in
                    if state.isClosed { return .some(nil) }
                    guard let job = state.job, state.number != seen else { return nil }
                    seen = state.number
                    state.busy += 1
                    return job
                }
                guard let job = found else { return }
                work(job, as: worker)
                state.withLock { $0.busy -= 1 }
            }
        }
    }

    /// - Parameter threads: workers with the caller (1…64).
    init(threads: Int) {
        self.threads = max(1, min(64, threads))
        let shared = Shared()
        self.shared = shared
        workers = (1..<max(1, min(64, threads))).map { worker in
            NamedThread(name: "vcap-slice-\(worker)") { shared.serve(as: worker) }
        }
    }

    deinit {
        shared.state.withLock { $0.isClosed = true }
        for worker in workers { worker.join() }
    }

    /// Runs `body` once for each part and returns when all are done.
    func run(_ count: Int, _ body: Body) {
        guard threads > 1, count > 1 else {
            for part in 0..<count { body(part, 0) }
            return
        }
        withoutActuallyEscaping(body) { body in
            let job = Job(body: body, count: count)
            shared.next.store(0, ordering: .relaxed)
            shared.state.withLock { state in
                state.job = job
                state.number += 1
            }
            shared.work(job, as: 0)
            shared.state.wait { state -> Void? in
                state.job = nil
                return state.busy == 0 ? () : nil
            }
            job.body = nil
        }
    }
}
