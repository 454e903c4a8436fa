/// An answer that comes once, from any thread, to a task that waits for it. A task that is cancelled waits no longer.
package final class AwaitedAnswer<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open(CheckedContinuation<Result<Value, MediaError>, Never>?)
        case given(Result<Value, MediaError>)
    }

    private let state = Lock(State.open(nil))

    package init() {}

    /// The first answer counts.
    /// - Returns: whether it is this one.
    @discardableResult
    package func give(_ answer: Result<Value, MediaError>) -> Bool {
        let (isFirst, waiter) = state.withLock { state in
            guard case .open(let waiter) = state else { return (false, nil as Waiter?) }
            state = .given(answer)
            return (true, waiter)
        }
        waiter?.resume(returning: answer)
        return isFirst
    }

    private typealias Waiter = CheckedContinuation<Result<Value, MediaError>, Never>

    /// Waits for the answer; one task does.
    /// - Parameters:
    ///   - cancelled: what a cancelled task is answered.
    ///   - forget: called when it is cancelled before the answer came.
    package func wait(
        orWhenCancelled cancelled: MediaError, _ forget: @escaping @Sendable () -> Void
    ) async throws(MediaError) -> Value {
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let known = state.withLock { state -> Result<Value, MediaError>? in
                    if case .given(let answer) = state { return answer }
                    state = .open(waiter)
                    return nil
                }
                if let known { waiter.resume(returning: known) }
            }
        } onCancel: {
            if give(.failure(cancelled)) { forget() }
        }
        return try answer.get()
    }
}
