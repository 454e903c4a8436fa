import Compose
import FoundationEssentials
import Media
import Reading

/// Reads a project and makes of it what the output's ending says: a movie, or the project in another form.
struct ProjectCommand: Sendable {
    let path: String
    let arguments: Arguments

    func run() async throws -> ExitCode {
        try await FilmSeries(arguments: arguments, project: path).run { item in
            try await Self(path: path, arguments: item.arguments).timeline(item)
        } check: { item, timeline in
            try await Self(path: path, arguments: item.arguments).check(timeline, item)
        } make: { item in
            try await Self(path: path, arguments: item.arguments).run(item)
        }
    }

    /// Finds out what can be known before it is made.
    /// - Returns: the files that are read for it.
    private func check(
        _ timeline: Timeline, _ item: FilmSeries.Item
    ) async throws -> [String] {
        try await Self.asData(path, try roots, item.variables) {
            try await FilmCommand(arguments, guarding: item.guarded).check(timeline)
        }
    }

    private func run(_ item: FilmSeries.Item) async throws -> ExitCode {
        let project = try ProjectOutput(arguments)
        let timeline = try await timeline(item)
        let film: Film? = try await Self.asData(path, try roots, item.variables) {
            project == nil ? try await FilmCommand.load(timeline) : nil
        }
        guard let film else {
            return try await Self.asData(path, try roots, item.variables) {
                try await project?.write(
                    timeline, checksMedia: false, guarding: item.guarded) ?? .done
            }
        }
        return try await FilmExport(
            film, title: timeline.settings.title, arguments, guarding: item.guarded
        ).run()
    }

    private func timeline(_ item: FilmSeries.Item) async throws -> Timeline {
        var timeline = try await Self.read(
            path, allowing: try roots, filling: item.variables)
        try ProjectFrames(arguments).apply(to: &timeline.settings)
        return timeline
    }

    private var roots: [String] {
        get throws(CommandFailure) { try arguments.all(Verbs.mediaRoot) }
    }

    /// What a project asks for is data, and no word on the command line: refused where the project has it.
    /// - Parameters:
    ///   - path: the project's.
    ///   - roots: as it was read.
    ///   - variables: as it was read.
    static func asData<Result>(
        _ path: String, _ roots: [String], _ variables: ProjectVariables,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do { return try await body() } catch let error as MediaError
            where error.code == .invalidSetting
        {
            guard ProjectForm(path: path) == .project else {
                throw CommandFailure(.badData, error.message)
            }
            let located = await NamedThread.run("vcap-work") {
                ProjectFile.locate(error, in: path, allowing: roots, filling: variables)
            }
            throw CommandFailure(.badData, located.message)
        }
    }

    /// The film of a project.
    static func film(
        _ path: String, allowing roots: [String], filling variables: ProjectVariables
    ) async throws -> Film {
        let timeline = try await read(path, allowing: roots, filling: variables)
        return try await asData(path, roots, variables) {
            try await FilmCommand.load(timeline)
        }
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
            do throws(MediaError) {
                return (try ProjectFile.read(path, allowing: roots, filling: variables), [])
            } catch {
                guard ProjectForm(path: path) == nil, (try? Asset.load(path)) != nil else {
                    throw error
                }
                throw CommandFailure(
                    .badData,
                    "\(path) is a clip and no project: vcap compose \(path) makes a film of it"
                )
            }
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
