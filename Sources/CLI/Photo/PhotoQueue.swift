import Media

/// Photos between the camera and the disk: held as the camera's frames until one of a few threads encodes and writes
/// them, so that no shutter waits for an encoder. What is held is bounded. Thread-safe.
final class PhotoQueue: Sendable {
    typealias Outcome = Result<PhotoCommand.Taken, MediaError>

    /// What becomes of one photo, on a thread of the queue's.
    private struct Job: Sendable {
        let number: Int
        let bytes: Int
        let write: @Sendable () -> Outcome
    }

    private struct State {
        var jobs: [Job] = []
        /// Waiting and under way: photos, and the memory of their frames (bytes).
        var count = 0
        var bytes = 0
        var workers = 0
        var outcomes: [Outcome] = []
        var hasFailed = false
    }

    /// Photos that are encoded and written beside each other (photos).
    static let usualWorkers = 4
    /// Frames that wait to be encoded (bytes).
    static let usualBytes = 512 << 20

    // immutable
    private let mostWorkers: Int
    private let mostCount: Int
    private let mostBytes: Int
    private let reports: PhotoReports
    // guarded by itself
    private let state = BlockingLock(State())

    /// - Parameters:
    ///   - workers: threads (count).
    ///   - mostCount: held at once (photos).
    ///   - mostBytes: of frames held at once; as many photos as there are threads are always held.
    ///   - report: called for each photo that is on the disk, in their order.
    init(
        workers: Int = usualWorkers, mostCount: Int = .max, mostBytes: Int = usualBytes,
        report: @escaping @Sendable (PhotoCommand.Taken) -> Void
    ) {
        mostWorkers = workers
        self.mostCount = mostCount
        self.mostBytes = mostBytes
        reports = PhotoReports(report)
    }

    /// Whether a photo of so many bytes may be taken now.
    func hasRoom(for bytes: Int) -> Bool { state.read { hasRoom($0, bytes) } }

    /// Waits until there is room, or one has failed. Blocks.
    func waitForRoom(for bytes: Int) {
        state.wait { $0.hasFailed || self.hasRoom($0, bytes) ? () : nil }
    }

    private func hasRoom(_ state: State, _ bytes: Int) -> Bool {
        guard state.count < mostCount else { return false }
        return state.count < mostWorkers || state.bytes + bytes <= mostBytes
    }

    /// Whether one could not be written, or a live photo's movie.
    var hasFailed: Bool { state.read { $0.hasFailed } }

    /// Photos that are not on the disk yet (photos), and the memory of their frames (bytes).
    var held: (count: Int, bytes: Int) { state.read { ($0.count, $0.bytes) } }

    /// Takes a photo on.
    /// - Parameters:
    ///   - number: 0, 1, 2 … in the order of the row.
    ///   - bytes: of its frame.
    ///   - write: encodes and writes it; blocks.
    func add(number: Int, bytes: Int, write: @escaping @Sendable () -> Outcome) {
        let needsWorker = state.withLock { state in
            state.jobs.append(Job(number: number, bytes: bytes, write: write))
            state.count += 1
            state.bytes += bytes
            guard state.workers < min(mostWorkers, state.count) else { return false }
            state.workers += 1
            return true
        }
        if needsWorker { NamedThread(name: "vcap-photo") { self.work() }.detach() }
    }

    private func work() {
        while let job = next() {
            let outcome = reports.numbered(job.write(), job.number)
            state.withLock { state in
                state.count -= 1
                state.bytes -= job.bytes
                state.outcomes.append(outcome)
                if (try? outcome.get())?.failure != nil { state.hasFailed = true }
                if case .failure = outcome { state.hasFailed = true }
            }
        }
    }

    /// - Returns: `nil` where there is none: then the thread ends.
    private func next() -> Job? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.workers -= 1
                return nil
            }
            return state.jobs.removeFirst()
        }
    }

    /// Waits until all are written, or could not be. Blocks.
    /// - Returns: what became of each, as they ended.
    func finish() -> [Outcome] { state.wait { $0.count == 0 ? $0.outcomes : nil } }
}
