internal import Media
internal import Writing

/// How a recording ends, and who waits for that. Thread-safe.
final class RecorderEnding: Sendable {
    enum Outcome: Sendable {
        case written(AssetWriterResult)
        /// The movie never began; its file is gone.
        case abandoned
        /// The movie was cut by another program; its file is as it is.
        case left
        /// The writer could not even be asked.
        case refused(MediaError)

        var failure: MediaError? {
            switch self {
            case .written(let result): result.failure
            case .abandoned, .left: nil
            case .refused(let error): error
            }
        }
    }

    private struct State: Sendable {
        var outcome: Outcome?
        var report: TakeReport?
        var waiters: [CheckedContinuation<TakeReport, Never>] = []
    }

    private let state = Lock(State())

    /// What the writer answered.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    /// The last report, once all is over.
    var report: TakeReport? { state.withLock { $0.report } }

    func closed(_ outcome: Outcome) { state.withLock { $0.outcome = outcome } }

    /// All is over: who waits gets the report.
    func finish(with report: TakeReport) {
        let waiters = state.withLock { state in
            state.report = report
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: report) }
    }

    func wait() async -> TakeReport {
        await withCheckedContinuation { waiter in
            let report = state.withLock { state -> TakeReport? in
                if state.report == nil { state.waiters.append(waiter) }
                return state.report
            }
            if let report { waiter.resume(returning: report) }
        }
    }
}
