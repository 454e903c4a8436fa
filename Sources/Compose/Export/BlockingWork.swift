internal import Media

/// Runs blocking work on a thread of its own and suspends until it has ended.
func onThread<Result: Sendable>(
    _ name: String, _ work: @escaping @Sendable () throws(MediaError) -> Result
) async throws(MediaError) -> Result {
    let outcome = await withCheckedContinuation {
        (next: CheckedContinuation<Swift.Result<Result, MediaError>, Never>) in
        NamedThread(name: name) {
            let outcome: Swift.Result<Result, MediaError>
            do throws(MediaError) { outcome = .success(try work()) } catch {
                outcome = .failure(error)
            }
            next.resume(returning: outcome)
        }.detach()
    }
    return try outcome.get()
}
