public import Media
internal import Synchronization
public import Writer

/// Makes a movie of a film. One export a session; thread-safe.
///
/// The film grows under a temporary name beside the final one and gets that name when it is complete
/// and on the disk. A cancelled export keeps what is finished there, and an equal one goes on from it.
///
/// Memory does not depend on the film's length: one decoder for each track in view, a few pictures,
/// the encoder's look-ahead.
public final class ExportSession: Sendable {
    private struct State: Sendable {
        var current = ExportState.pending
        var hasBegun = false
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
    }

    private struct Listener: Sendable {
        let continuation: AsyncStream<ExportState>.Continuation
        let interval: MediaTime
        var last: MediaTime?
    }

    // immutable
    public let film: Film
    public let settings: ExportSettings
    private let clock: any MediaClock
    // guarded by itself
    private let stateBox = Mutex(State())
    private let isCancelled = Atomic(false)

    public init(
        _ film: Film, settings: ExportSettings = ExportSettings(),
        clock: any MediaClock = HostClock()
    ) {
        self.film = film
        self.settings = settings
        self.clock = clock
    }

    /// How the export stands now.
    public var state: ExportState { stateBox.withLock { $0.current } }

    /// What `export` would do. Reads the sources' structure; blocks, not for Swift's cooperative pool.
    /// - Throws: what is wrong with the settings or a source.
    public func plan() throws(ComposeError) -> ExportPlan {
        try ExportPlanner(film: film, settings: settings).plan(SourceShelf(film.assets))
    }

    /// Ends the export; `export` then throws `cancelled`.
    public func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// How the export stands: at once, then at most each `updateInterval` (seconds; positive), until
    /// it has ended. A slow reader misses states and holds nothing up.
    public func states(updateInterval: MediaTime) -> AsyncStream<ExportState> {
        let (stream, continuation) = AsyncStream<ExportState>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let id = stateBox.withLock { state in
            continuation.yield(state.current)
            state.listeners[state.nextListener] = Listener(
                continuation: continuation, interval: updateInterval)
            state.nextListener += 1
            return state.nextListener - 1
        }
        continuation.onTermination = { [weak self] _ in
            self?.stateBox.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    /// Renders, encodes and writes the film.
    /// - Parameters:
    ///   - path: the movie's name; nothing is there under it before it is complete.
    ///   - container: kind of file (default by the name's ending).
    /// - Throws: `cancelled`; what is wrong with the settings, a source, the output or the disk.
    public func export(
        to path: String, as container: OutputContainer? = nil
    ) async throws(ComposeError) -> ExportReport {
        let isFirst = stateBox.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else {
            throw ComposeError(
                code: .invalidSetting, subject: path,
                message: "This session has exported already; make another one.")
        }
        defer { finishStates() }
        post(.waiting)
        let run = ExportRun(
            film: film, settings: settings, clock: clock,
            isCancelled: { [self] in isCancelled.load(ordering: .relaxed) },
            onProgress: { [self] in post(.exporting($0)) })
        return try await run.export(to: path, as: container)
    }

    private func post(_ new: ExportState) {
        let now = clock.now()
        let due = stateBox.withLock { state in
            state.current = new
            var due: [AsyncStream<ExportState>.Continuation] = []
            for (id, listener) in state.listeners {
                if let last = listener.last, now < last + listener.interval { continue }
                state.listeners[id]?.last = now
                due.append(listener.continuation)
            }
            return due
        }
        for continuation in due { continuation.yield(new) }
    }

    private func finishStates() {
        let (last, listeners) = stateBox.withLock { ($0.current, Array($0.listeners.values)) }
        for listener in listeners {
            listener.continuation.yield(last)
            listener.continuation.finish()
        }
    }
}
