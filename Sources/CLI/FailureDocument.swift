import Media

/// What a verb that was asked for JSON prints when it fails before it has a document of its own.
struct FailureDocument {
    let json: JSONValue
    /// Whether it takes the place of lines.
    private let isLine: Bool

    var text: String { (isLine ? json.compact : json.pretty) + "\n" }

    /// Nil where no document was asked for, or one is there.
    /// - Parameters:
    ///   - words: as typed.
    ///   - isWanted: whether one was asked for by a variable or the configuration; what is typed counts in any case.
    init?(_ failure: CommandFailure, after words: [String], isWanted: Bool) {
        // what follows another verb has a document of its own, which is then the only one
        let following = words.split(separator: FollowingVerb.word, maxSplits: 1).dropFirst().first
        let ofFilm = following.map { Array($0) } ?? []
        let verb = words.first == Verbs.prepareFilm.name ? Verbs.record.name : words.first
        let options = words.dropFirst().prefix { $0 != "--" && $0 != FollowingVerb.word }
        let json = StandardOptions.json.spec
        guard isWanted || (options + ofFilm.prefix { $0 != "--" }).contains(json.name),
            let command = CommandTable.commands.first(where: { $0.name == verb }),
            command.option(long: json.long) != nil, !Console.shared.hasResult
        else { return nil }
        isLine = command.name == Verbs.detect.name
        // a film's document is one, whichever verb makes it
        let isFilm = command.name == Verbs.compose.name || following != nil
        let name = isFilm ? Verbs.export.name : command.name
        var members: [(String, JSONValue)] = [("schema", .string("vcap.\(name)/1"))]
        if command.name == Verbs.control.name { members.append(("ok", .bool(false))) }
        members.append(("error", .string(failure.message)))
        members.append(("exit_code", .integer(Int64(failure.code.rawValue))))
        if let made = failure.made { members.append((made.key, made.value)) }
        self.json = .object(members)
    }
}
