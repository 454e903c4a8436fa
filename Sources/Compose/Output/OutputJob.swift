internal import Media
internal import Movie
internal import Synchronization

/// The one output of a session: an export's, a conversion's, frames'. Thread-safe.
///
///     claim ─▶ a file grows under a temporary name ─▶ OutputDraft ─▶ finish: closed, index in front, name
///
/// What the sessions make they know themselves; when it may be there, how it gets its name, what is left
/// of one that is cancelled or fails, and how it stands meanwhile is the same for all and is here.
final class OutputJob: Sendable {
    // immutable
    let purpose: OutputPurpose
    private let clock: any MediaClock
    // guarded by itself
    private let board: ExportStateBoard
    private let isCancelled = Atomic(false)
    private let start = Lock(MediaTime.zero)

    init(_ purpose: OutputPurpose, clock: any MediaClock) {
        self.purpose = purpose
        self.clock = clock
        board = ExportStateBoard(clock: clock)
    }

    // MARK: Life

    var state: ExportState { board.current }

    /// Since `run` began (seconds).
    var elapsed: MediaTime { clock.now() - start.withLock { $0 } }

    func states(updateInterval: MediaTime) -> AsyncStream<ExportState> {
        board.states(updateInterval: updateInterval)
    }

    /// What runs ends with `cancelled` where it next looks.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    func checkCancelled(
        _ path: String, leaving rest: OutputPurpose.Rest = .nothing
    ) throws(MediaError) {
        if isCancelled.load(ordering: .relaxed) { throw purpose.cancelled(path, leaving: rest) }
    }

    /// Makes the output, once; a task that is cancelled cancels it.
    /// - Throws: `invalid-setting` the second time.
    func run<Report: Sendable>(
        to path: String, _ make: () async throws(MediaError) -> Report
    ) async throws(MediaError) -> Report {
        guard board.begin() else { throw purpose.hasRun(path) }
        defer { board.finish() }
        let now = clock.now()
        start.withLock { $0 = now }
        board.post(.waiting)
        let result: Result<Report, MediaError> = await withTaskCancellationHandler {
            do throws(MediaError) { return .success(try await make()) } catch {
                return .failure(error)
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Does blocking work on a thread of the job's.
    func block<Result: Sendable>(
        _ work: @escaping @Sendable () throws(MediaError) -> Result
    ) async throws(MediaError) -> Result {
        try await NamedThread.run(purpose.threadName, work)
    }

    // MARK: How it stands

    /// - Parameter progress: how far it has come; the time it took is filled in.
    func report(_ progress: ExportProgress) {
        var progress = progress
        progress.elapsed = elapsed
        board.post(.exporting(progress))
    }

    /// The same by the output's own time.
    /// - Parameter time: from the output's beginning; one beyond its end is its end.
    func report(_ time: MediaTime, of duration: MediaTime, frames: Int64 = 0, bytes: Int64) {
        let reached = min(time, duration)
        report(
            ExportProgress(
                frames: frames, frameCount: 0, time: reached, duration: duration, bytes: bytes,
                elapsed: .zero, made: reached))
    }

    /// The last state of what has its name: all of it is there.
    func reportWhole(frames: Int64, bytes: Int64) {
        guard case .exporting(var last) = board.current else { return }
        last.made += last.duration - last.time
        last.time = last.duration
        last.frames = max(last.frames, frames)
        last.bytes = bytes
        report(last)
    }

    // MARK: Where it grows

    /// Where a file grows, once it is sure that it may be there. What killed runs left in its folder goes.
    /// - Parameters:
    ///   - inputs: what is read and never written over.
    ///   - role: `.part` where an equal run continues with what is left of it.
    ///   - container: of a movie (nil: not known, or none).
    /// - Throws: `cancelled`; `invalid-setting` when an index in front is wanted and there is none;
    ///   `alreadyExists`, `cannotCreate`; `inUse` when the file, or the one that grows, is being written.
    func claim(
        _ path: String, reading inputs: [String], overwrites: Bool,
        role: TemporaryName.Role = .new, as container: OutputContainer? = nil,
        isNetworkReady: Bool = false
    ) throws(MediaError) -> TemporaryOutput {
        try checkCancelled(path)
        if isNetworkReady, let container, !NetworkLayout.applies(to: container) {
            throw .setting(
                "network-ready",
                "Cannot put the index of \(path) in front: only mp4 and mov have one; take one of "
                    + "them, or leave network-ready out.")
        }
        let output = try claimOne(path, reading: inputs, overwrites: overwrites, role: role)
        tidy(besides: path)
        output.discardFront()
        return output
    }

    /// Removes from an output's folder what killed runs left there.
    func tidy(besides path: String) { StaleParts.remove(besides: path) }

    /// The same for one of many files, whose folder has been looked through.
    func claimOne(
        _ path: String, reading inputs: [String], overwrites: Bool,
        role: TemporaryName.Role = .new
    ) throws(MediaError) -> TemporaryOutput {
        let output = try TemporaryOutput(path: path, overwrites: overwrites, role: role)
        if let input = output.collision(with: inputs) {
            throw purpose.wouldDestroy(input, by: path)
        }
        return output
    }
}
