import Media

/// Every verb there is, in the order `vcap help` lists them.
enum CommandTable {
    static let commands: [Command] = [
        Verbs.record, Verbs.preview, Verbs.play, Verbs.photo, Verbs.convert, Verbs.compose,
        Verbs.export,
        Verbs.align,
        Verbs.slate,
        Verbs.depth,
        Verbs.devices,
        Verbs.formats,
        Verbs.controls,
        Verbs.control,
        Verbs.probe, Verbs.thumbs, Verbs.detect, Verbs.repair, Verbs.help,
        Verbs.completions,
        Verbs.version,
    ]

    /// What the program runs of itself, and no list names.
    private static let inner = [Verbs.prepareFilm]

    /// One of a name, if there is one.
    static func known(_ name: String?) -> Command? {
        (commands + inner).first { $0.name == name }
    }

    static func command(named name: String) throws(CommandFailure) -> Command {
        if let command = known(name) { return command }
        let near = nearest(to: name, among: commands.map(\.name))
        let hint = near.map { "; did you mean \($0)?" } ?? ""
        throw CommandFailure(.usage, "unknown verb \(name)\(hint); see vcap help")
    }
}

/// The verbs, each in a file of its own.
enum Verbs {}
