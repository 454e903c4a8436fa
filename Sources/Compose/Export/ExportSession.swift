public import Media
public import Movie

/// Makes a movie of a film. One export a session; thread-safe.
///
/// The film grows under a temporary name beside the final one and gets that name when it is complete
/// and on the disk. A cancelled export keeps what is finished there, and an equal one continues from it.
///
/// Memory does not depend on the film's length: one decoder for each track in view, a few frames,
/// the encoder's look-ahead.
public final class ExportSession: Sendable {
    // immutable
    public let film: Film
    public let settings: ExportSettings
    // guarded by itself
    private let job: OutputJob

    public init(
        _ film: Film, settings: ExportSettings = ExportSettings(),
        clock: any MediaClock = HostClock()
    ) {
        self.film = film
        self.settings = settings
        job = OutputJob(.export, clock: clock)
    }

    /// How the export stands now.
    public var state: ExportState { job.state }

    /// What `export` would do. Reads the sources' structure; blocks, not for Swift's cooperative pool.
    /// - Parameter container: kind of file to be written (nil: not known yet, and not checked).
    /// - Throws: what is wrong with the settings or a source.
    public func plan(for container: OutputContainer? = nil) throws(MediaError) -> ExportPlan {
        let film = try film.withPictures()
        return try ExportPlanner(film: film, settings: settings(for: container))
            .plan(SourceShelf(film.assets), for: container)
    }

    /// What `export(to:)` would do by a name's ending.
    /// - Throws: what is wrong with the settings or a source.
    public func plan(to path: String) throws(MediaError) -> ExportPlan {
        guard Self.isAnimation(path) else { return try plan(for: OutputContainer(path: path)) }
        let film = try film.withPictures()
        var plan = try ExportPlanner(film: film, settings: settings)
            .plan(SourceShelf(film.assets), animation: path)
        // the report counts them
        if plan.frameDuration < .milliseconds(20) {
            plan.notes.append(
                "Some of these frames are left out, because a GIF shows at most 50 a second; --fps 25 makes the rest "
                    + "even.")
        }
        return plan
    }

    /// Whether a name is that of a GIF.
    private static func isAnimation(_ path: String) -> Bool {
        if case .animation = PictureOutput(path: path) { true } else { false }
    }

    private func settings(for container: OutputContainer?) -> ExportSettings {
        var settings = settings
        settings.preset = settings.preset.fitted(to: container, film.videoComposition?.color)
        return settings
    }

    /// Ends the export; `export` then throws `cancelled`.
    public func cancel() { job.cancel() }

    /// How the export stands: at once, then at most each `updateInterval` (seconds; positive), until
    /// it has ended. A slow reader misses states and holds nothing up.
    public func states(updateInterval: MediaTime) -> AsyncStream<ExportState> {
        job.states(updateInterval: updateInterval)
    }

    /// Renders, encodes and writes the film.
    /// - Parameters:
    ///   - path: the movie's name; nothing is there under it before it is complete. `.gif` makes an animation of the
    ///     film's frames.
    ///   - container: kind of file (default by the name's ending).
    /// - Throws: `cancelled`; what is wrong with the settings, a source, the output or the disk.
    public func export(
        to path: String, as container: OutputContainer? = nil
    ) async throws(MediaError) -> ExportReport {
        try await job.run(to: path) { [self] () async throws(MediaError) in
            let run = ExportRun(
                film: try await job.block { [film] () throws(MediaError) in
                    try film.withPictures()
                }, settings: settings(for: container ?? OutputContainer(path: path)), job: job)
            if container == nil, Self.isAnimation(path) { return try await run.animate(to: path) }
            return try await run.export(to: path, as: container)
        }
    }
}
