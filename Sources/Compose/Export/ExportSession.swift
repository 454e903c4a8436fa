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
    /// What is exported; empty where that grows.
    public let film: Film
    private let growing: (any GrowingFilm)?
    public let settings: ExportSettings
    private let clock: any MediaClock
    // guarded by itself
    private let job: OutputJob

    public init(
        _ film: Film, settings: ExportSettings = ExportSettings(),
        clock: any MediaClock = HostClock()
    ) {
        self.film = film
        growing = nil
        self.settings = settings
        job = OutputJob(.export, clock: clock)
        self.clock = clock
    }

    /// Makes a film while what it is of is still recorded, so that little is left to do when the recording ends: as
    /// far as two looks at it agree, where frames of it can be copied (`ExportSettings.copying`), it has no text and no
    /// metadata and its audio is not measured as a whole. Other films are made when they are whole. The film is equal
    /// to one that is exported afterwards.
    /// - Parameters:
    ///   - growing: is looked at until the recording has ended.
    ///   - settings: of each look; a range is better each look's own (`Film.range`).
    ///   - clock: of the progress.
    public convenience init(
        _ growing: any GrowingFilm, settings: ExportSettings = ExportSettings(),
        clock: any MediaClock = HostClock()
    ) {
        self.init(growing, settings, clock)
    }

    private init(_ growing: any GrowingFilm, _ settings: ExportSettings, _ clock: any MediaClock) {
        film = Film(composition: Composition(), videoComposition: nil)
        self.growing = growing
        self.settings = settings
        job = OutputJob(.export, clock: clock)
        self.clock = clock
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

    /// How long an export will take on this machine, as busy as it is now, about: a few of its frames and a little of
    /// its audio are made and thrown away. Takes about a second, of slow coders some; blocks, not for Swift's cooperative
    /// pool.
    /// - Parameter plan: this session's.
    /// - Returns: (seconds); nil of a GIF, and of ProRes and other frames that are converted to be encoded.
    /// - Throws: as an export does, where a source cannot be read.
    public func expectedTime(of plan: ExportPlan) throws(MediaError) -> MediaTime? {
        guard plan.preset.video?.codec != .gif else { return nil }
        return try ExportTrial(
            film: try film.withPictures(), plan: plan, settings: settings, clock: clock
        ).expectedTime()
    }

    /// Whether a name is that of a GIF.
    private static func isAnimation(_ path: String) -> Bool {
        if case .animation = PictureOutput(path: path) { true } else { false }
    }

    private func settings(for container: OutputContainer?) -> ExportSettings {
        Self.settings(settings, of: film, for: container)
    }

    private static func settings(
        _ settings: ExportSettings, of film: Film, for container: OutputContainer?
    ) -> ExportSettings {
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
            if let growing, !Self.isAnimation(path) {
                return try await ExportRun.export(
                    growing,
                    settings: { [settings] film in
                        Self.settings(
                            settings, of: film, for: container ?? OutputContainer(path: path))
                    }, to: path, as: container, job: job)
            }
            let film = try await job.block { [self] () throws(MediaError) in
                let film = try growing.map { growing throws(MediaError) in
                    try GrowingLooks(growing) { [job] in job.elapsed }.whole {
                        () throws(MediaError) in try job.checkCancelled(path)
                    }
                }
                return try (film ?? self.film).withPictures()
            }
            let run = ExportRun(
                film: film,
                settings: Self.settings(
                    settings, of: film, for: container ?? OutputContainer(path: path)), job: job)
            if container == nil, Self.isAnimation(path) { return try await run.animate(to: path) }
            return try await run.export(to: path, as: container)
        }
    }
}
