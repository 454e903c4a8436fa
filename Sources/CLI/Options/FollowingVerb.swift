/// What comes after `--then` on a recording's command line: a verb of its own with its options, run
/// on the take.
enum FollowingVerb {
    static let word = "--then"

    /// The words before `--then`, and those after it if it is there.
    static func split(_ words: [String], of command: Command) -> (own: [String], then: [String]?) {
        guard [Verbs.record.name, Verbs.prepareFilm.name].contains(command.name),
            let index = words.firstIndex(of: word)
        else {
            return (words, nil)
        }
        return (Array(words[..<index]), Array(words[(index + 1)...]))
    }

    static func parse(_ words: [String]) throws(CommandFailure) -> Arguments {
        guard words.first == Verbs.composeTake.name else {
            throw CommandFailure(
                .usage,
                "\(word) takes the verb \(Verbs.composeTake.name) and its options, "
                    + "not \"\(words.first ?? "")\"; see vcap help record")
        }
        return try ArgumentParser.parse(Array(words.dropFirst()), as: Verbs.composeTake)
    }
}
