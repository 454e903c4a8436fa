import Compose

/// The options of `vcap align`, as declared.
enum AlignOptions {
    static let output = Option<String>(
        "o", "output", .path(),
        "also write a project (.vcap.json5, .otio), or into a folder a copy of each file that begins when all "
            + "of them have begun")
    static let overwrite = Switch("y", "overwrite", "replace existing files")

    static let groups = [
        Command.Group(title: "Output", options: [output.spec, overwrite.spec]),
        Command.Group(
            title: "Reporting",
            options: [
                ExportOptions.progress.spec, ExportOptions.progressFormat.spec,
                StandardOptions.json.spec,
            ] + StandardOptions.messages),
    ]
}
