import Compose

/// The options of `vcap align`, as declared.
enum AlignOptions {
    static let output = Option<String>(
        "o", "output", .path(),
        "also write a project (.vcap.json5, .otio), or into a folder a copy of each file that begins when all "
            + "of them have begun")
    static let method = Option<AlignmentMethod>(
        nil, "by", .alignmentMethod,
        "by what files are aligned: their sound, a slate (the running clock of vcap slate --clock) that both have seen, "
            + "or auto: sound, and where that cannot be a slate",
        default: .value("auto"))
    static let layout = Option<LayoutValue>(
        nil, "layout", .layout,
        "how the video of all files shares the frame of a project: pip, side or grid, as in vcap compose",
        default: .described("the first file's video alone"))
    static let overwrite = Switch("y", "overwrite", "replace existing files")

    static let groups = [
        Command.Group(title: "Method", options: [method.spec]),
        Command.Group(title: "Output", options: [output.spec, layout.spec, overwrite.spec]),
        Command.Group(
            title: "Reporting",
            options: [
                ExportOptions.progress.spec, ExportOptions.progressFormat.spec,
                StandardOptions.json.spec,
            ] + StandardOptions.messages),
    ]
}

extension ValueKind where Value == AlignmentMethod {
    static var alignmentMethod: ValueKind {
        let words = AlignmentMethod.allCases.map(\.rawValue)
        return ValueKind(
            words.joined(separator: "|"), expected: "one of " + words.joined(separator: ", "),
            completion: .words(words), parse: AlignmentMethod.init(rawValue:))
    }
}
