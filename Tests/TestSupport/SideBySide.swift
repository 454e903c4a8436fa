internal import Media

/// A thread for each job. The pool that tests run on has as many threads as the machine has
/// processors, and a test that waits for a program or sleeps keeps one of them.
private final class ThreadPerJob: TaskExecutor {
    static let shared = ThreadPerJob()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        NamedThread(name: "test-job") {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }.detach()
    }
}

/// Does blocking work for each of `items`, each on a thread of its own; what it expects counts for
/// the test that calls.
/// - Parameters:
///   - limit: how many at once; as soon as one is done the next begins.
/// - Returns: the results in the order of the items.
/// - Throws: the first error, when all that had begun are done.
package func sideBySide<Item: Sendable, Result: Sendable>(
    _ items: [Item], atMost limit: Int = .max,
    _ work: @escaping @Sendable (Item) throws -> Result
) async throws -> [Result] {
    var results = [Result?](repeating: nil, count: items.count)
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        var rest = items.enumerated().makeIterator()
        func begin() {
            guard let (index, item) = rest.next() else { return }
            group.addTask(executorPreference: ThreadPerJob.shared) { (index, try work(item)) }
        }
        for _ in 0..<min(limit, items.count) { begin() }
        while let (index, result) = try await group.next() {
            results[index] = result
            begin()
        }
    }
    return results.compactMap { $0 }
}
