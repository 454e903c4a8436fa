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
        /// Those that can be cancelled.
        var answers: [AwaitedAnswer<TakeReport>] = []
    }

    private let state = Lock(State())

    /// What the writer answered.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    /// The last report, once all is over.
    var report: TakeReport? { state.withLock { $0.report } }

    /// Tasks that wait and can be cancelled (tasks).
    var waitingCount: Int { state.withLock { $0.answers.count } }

    func closed(_ outcome: Outcome) { state.withLock { $0.outcome = outcome } }

    /// All is over: who waits gets the report.
    func finish(with report: TakeReport) {
        let (waiters, answers) = state.withLock { state in
            state.report = report
            defer { (state.waiters, state.answers) = ([], []) }
            return (state.waiters, state.answers)
        }
        for waiter in waiters { waiter.resume(returning: report) }
        for answer in answers { answer.give(.success(report)) }
    }

    /// Waits for the end, or until its task is cancelled.
    /// - Throws: `cancelled`.
    func waitUnlessCancelled(for path: String) async throws(MediaError) -> TakeReport {
        let answer = AwaitedAnswer<TakeReport>()
        let report = state.withLock { state in
            if state.report == nil { state.answers.append(answer) }
            return state.report
        }
        if let report { return report }
        let cancelled = MediaError(
            code: .cancelled, subject: path,
            message: "The end of the recording of \(path) is waited for no longer; it continues.")
        return try await answer.wait(orWhenCancelled: cancelled) { [state] in
            state.withLock { $0.answers.removeAll { $0 === answer } }
        }
    }

    /// Waits for the end, also in a task that is cancelled.
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
