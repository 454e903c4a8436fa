import Compose
import Media

/// From a timeline to what was asked for: loads the sources, builds the film, exports it; or writes the
/// timeline down.
struct FilmCommand: Sendable {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run(_ timeline: Timeline) async throws -> ExitCode {
        if let project = try ProjectOutput(arguments) {
            return try await project.write(timeline, checksMedia: true)
        }
        let film = try await Self.load(timeline)
        return try await FilmExport(film, title: timeline.settings.title, arguments).run()
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
