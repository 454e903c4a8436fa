public import Media
public import Movie
internal import Synchronization

/// Makes a movie of a film. One export a session; thread-safe.
///
/// The film grows under a temporary name beside the final one and gets that name when it is complete
/// and on the disk. A cancelled export keeps what is finished there, and an equal one goes on from it.
///
/// Memory does not depend on the film's length: one decoder for each track in view, a few pictures,
/// the encoder's look-ahead.
public final class ExportSession: Sendable {
    // immutable
    public let film: Film
    public let settings: ExportSettings
    private let clock: any MediaClock
    // guarded by itself
    private let board: ExportStateBoard
    private let isCancelled = Atomic(false)

    public init(
        _ film: Film, settings: ExportSettings = ExportSettings(),
        clock: any MediaClock = HostClock()
    ) {
        self.film = film
        self.settings = settings
        self.clock = clock
        board = ExportStateBoard(clock: clock)
    }

    /// How the export stands now.
    public var state: ExportState { board.current }

    /// What `export` would do. Reads the sources' structure; blocks, not for Swift's cooperative pool.
    /// - Parameter container: kind of file to be written (nil: not known yet, and not checked).
    /// - Throws: what is wrong with the settings or a source.
    public func plan(for container: OutputContainer? = nil) throws(MediaError) -> ExportPlan {
        let film = try film.withPictures()
        return try ExportPlanner(film: film, settings: settings(for: container))
            .plan(SourceShelf(film.assets), for: container)
    }

    private func settings(for container: OutputContainer?) -> ExportSettings {
        var settings = settings
        settings.preset = settings.preset.fitted(to: container)
        return settings
    }

    /// Ends the export; `export` then throws `cancelled`.
    public func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// How the export stands: at once, then at most each `updateInterval` (seconds; positive), until
    /// it has ended. A slow reader misses states and holds nothing up.
    public func states(updateInterval: MediaTime) -> AsyncStream<ExportState> {
        board.states(updateInterval: updateInterval)
    }

    /// Renders, encodes and writes the film.
    /// - Parameters:
    ///   - path: the movie's name; nothing is there under it before it is complete.
    ///   - container: kind of file (default by the name's ending).
    /// - Throws: `cancelled`; what is wrong with the settings, a source, the output or the disk.
    public func export(
        to path: String, as container: OutputContainer? = nil
    ) async throws(MediaError) -> ExportReport {
        guard board.begin() else {
            throw MediaError(
                code: .invalidSetting, subject: path,
                message: "This session has exported already; make another one.")
        }
        defer { board.finish() }
        board.post(.waiting)
        let film = try await NamedThread.run("vcap-export") { [film] () throws(MediaError) in
            try film.withPictures()
        }
        let run = ExportRun(
            film: film, settings: settings(for: container ?? OutputContainer(path: path)),
            clock: clock,
            isCancelled: { [self] in isCancelled.load(ordering: .relaxed) },
            onProgress: { [board] in board.post(.exporting($0)) })
        return try await run.export(to: path, as: container)
    }
}
