import Compose
import Media

extension Verbs {
    static let schemaSwitch = Switch(nil, "schema", "print the JSON schema of project files")
    static let mediaRoot = Option<String>(
        nil, "media-root", .path("FOLDER"), "a folder the project may take media from as well",
        isRepeatable: true)

    static let export = Command(
        "export", "make a film of a project file",
        operands: .init(synopsis: "PROJECT", count: 0...1, completion: .files),
        groups: [
            .init(
                title: "Project",
                options: [schemaSwitch.spec, mediaRoot.spec, VariableOptions.set.spec]),
            .init(title: "Frames", options: ProjectFrames.specs),
            VariableOptions.ofRows,
            ExportOptions.group, CodingOptions.group,
            .init(title: "Messages", options: StandardOptions.messages),
        ],
        notes: """
            A project is a timeline in JSON5 (.vcap.json5) or an OpenTimelineIO file (.otio); an output \
            that ends in one of the two is the project in that form, and what could not be carried \
            is listed. Media are looked for beside the project and in each --media-root.
            """,
        examples: [
            .init(
                line: "vcap export film.vcap.json5 -o film.mp4 --preset 720p --range 5s..20s",
                meaning: "fifteen seconds of the film"),
            .init(
                line: "vcap export film.vcap.json5 -s 1080x1920 --fit cover -o story.mp4",
                meaning: "the same film upright"),
            .init(
                line: "vcap export film.vcap.json5 -o film.otio",
                meaning: "the timeline for another editor"),
        ],
        handlesSignals: true, use: .film
    ) { arguments in
        if arguments.isOn(schemaSwitch) {
            let typed =
                arguments.operands.first
                ?? (arguments.isTyped(ExportOptions.output.spec) ? "-o" : nil)
            if let typed {
                throw CommandFailure(
                    .usage, "--schema prints the schema and makes nothing: leave \(typed) out")
            }
            Console.shared.result(ProjectFile.schema + "\n")
            return .done
        }
        guard let path = arguments.operands.first else {
            throw CommandFailure(.usage, "name the project to export; see vcap help export")
        }
        return try await ProjectCommand(path: path, arguments: arguments).run()
    }
}
