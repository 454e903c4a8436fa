import Compose
import Media

/// From a timeline to what was asked for: loads the sources, builds the film, exports it; or writes the
/// timeline down.
struct FilmCommand: Sendable {
    let arguments: Arguments
    /// What is read beside the timeline's files, and never written over.
    let guarded: [String]

    init(_ arguments: Arguments, guarding guarded: [String] = []) {
        self.arguments = arguments
        self.guarded = guarded
    }

    func run(_ timeline: Timeline) async throws -> ExitCode {
        if let project = try ProjectOutput(arguments) {
            return try await project.write(
                timeline, checksMedia: true, guarding: guarded)
        }
        let film = try await Self.load(timeline)
        return try await FilmExport(
            film, title: timeline.settings.title, arguments, guarding: guarded
        ).run()
    }

    /// Finds out what can be known before the film is made.
    /// - Returns: the files that are read for it.
    func check(_ timeline: Timeline) async throws -> [String] {
        if let project = try ProjectOutput(arguments) {
            try project.check(timeline.filePaths + guarded)
            return timeline.filePaths
        }
        let film = try await Self.load(timeline)
        let export = try FilmExport(
            film, title: timeline.settings.title, arguments, guarding: guarded)
        try export.check()
        return film.inputPaths
    }

    static func load(_ timeline: Timeline) async throws -> Film {
        try await loaded(timeline).film
    }

    /// The film, and the timeline with what was found out of its files.
    static func loaded(_ timeline: Timeline) async throws -> (timeline: Timeline, film: Film) {
        try await NamedThread.run("vcap-work") {
            let loaded = try LoadedTimeline(timeline)
            return (loaded.timeline, try loaded.film())
        }
    }
}
