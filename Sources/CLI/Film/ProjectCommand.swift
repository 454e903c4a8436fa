import Compose
import FoundationEssentials
import Media

/// Reads a project and makes of it what the output's ending says: a movie, or the project in another form.
struct ProjectCommand: Sendable {
    let path: String
    let arguments: Arguments

    func run() async throws -> ExitCode {
        try await FilmSeries(arguments: arguments, project: path).run { item in
            try await Self(path: path, arguments: item.arguments).check(item.variables)
        } make: { item in
            try await Self(path: path, arguments: item.arguments).run(item.variables)
        }
    }

    /// Finds out what can be known before it is made.
    private func check(_ variables: ProjectVariables) async throws {
        let timeline = try await Self.read(
            path, allowing: try arguments.all(Verbs.mediaRoot), filling: variables)
        do {
            _ = try FilmExport(
                try await FilmCommand.load(timeline), title: timeline.settings.title, arguments)
        } catch let error as MediaError where error.code == .invalidSetting {
            throw CommandFailure(.badData, error.message)
        }
    }

    private func run(_ variables: ProjectVariables) async throws -> ExitCode {
        let project = try ProjectOutput(arguments)
        let timeline = try await Self.read(
            path, allowing: try arguments.all(Verbs.mediaRoot), filling: variables)
        let film: Film
        do {
            if let project { return try await project.write(timeline, checksMedia: false) }
            film = try await FilmCommand.load(timeline)
        } catch let error as MediaError where error.code == .invalidSetting {
            // what a project asks for is data, and no word on the command line
            throw CommandFailure(.badData, error.message)
        }
        return try await FilmExport(film, title: timeline.settings.title, arguments).run()
    }

    /// - Throws: `MediaError` with line and column.
    static func read(
        _ path: String, allowing roots: [String],
        filling variables: ProjectVariables = ProjectVariables()
    ) async throws -> Timeline {
        let read = try await NamedThread.run("vcap-work") { () throws -> (Timeline, [String]) in
            if ProjectForm(path: path) == .openTimeline {
                guard variables.values.isEmpty else {
                    throw CommandFailure(
                        .usage, "\(path) has no variables, which only projects (.vcap.json5) have")
                }
                let result = try OpenTimelineFile.read(path, allowing: roots)
                return (result.timeline, result.notCarried)
            }
            return (try ProjectFile.read(path, allowing: roots, filling: variables), [])
        }
        for loss in read.1 { Console.shared.warning("not carried: \(loss)") }
        return read.0
    }
}

/// The forms a timeline can be written down in.
enum ProjectForm {
    case project
    case openTimeline

    /// By a file's ending (`.vcap.json5`, `.json5`, `.otio`); nil for any other.
    init?(path: String) {
        if path.hasSuffix(".otio") {
            self = .openTimeline
        } else if path.hasSuffix(".json5") {
            self = .project
        } else {
            return nil
        }
    }
}
