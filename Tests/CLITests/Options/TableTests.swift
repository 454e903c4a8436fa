import Testing

@testable import vcap

@Suite("The command table")
struct TableTests {
    static let commands = CommandTable.commands

    @Test("no verb has one option twice, and every verb has three examples of itself")
    func wellFormed() {
        for command in TableTests.commands {
            let longs = command.options.map(\.long)
            #expect(Set(longs).count == longs.count, "\(command.name)")
            let shorts = command.options.compactMap(\.short)
            #expect(Set(shorts).count == shorts.count, "\(command.name)")
            #expect(command.examples.count == 3, "\(command.name)")
            #expect(!command.summary.hasSuffix("."), "\(command.name)")
        }
        #expect(Set(TableTests.commands.map(\.name)).count == TableTests.commands.count)
    }

    /// The still of a film is at a time, a live photo has one of its own; no camera is transparent, and files of
    /// audio only are made by converting; a recording knows the unit of its depth already, and is encoded as it happens.
    private static let own: Set = [
        "convert still", "record codec", "record audio-codec", "ctl depth",
    ]

    @Test("an option means the same value on every verb that has it")
    func sameWords() {
        var kinds: [String: String?] = [:]
        for command in TableTests.commands {
            check(
                command.options.filter { !Self.own.contains("\(command.name) \($0.long)") }, &kinds)
        }
        #expect(kinds.count > 20)
    }

    private func check(_ options: [OptionSpec], _ kinds: inout [String: String?]) {
        for option in options {
            if let known = kinds[option.long] {
                #expect(known == option.placeholder, "--\(option.long)")
            }
            kinds[option.long] = option.placeholder
        }
    }

    @Test("every declared default is a value the option takes")
    func defaults() {
        for option in TableTests.commands.flatMap(\.options) {
            guard case .value(let text) = option.fallback else { continue }
            #expect(option.complaint(text) == nil, "\(option.name) \(text)")
        }
    }

    @Test("the examples of vcap itself parse as they are written", arguments: commands.map(\.name))
    func examplesParse(verb: String) throws {
        let command = try CommandTable.command(named: verb)
        for example in command.examples where example.line.hasPrefix("vcap \(verb)") {
            let plain = example.line.prefix { !"|>".contains($0) }
            let words = words(String(plain)).dropFirst(2)
            #expect(throws: Never.self, "\(example.line)") {
                let (own, then) = FollowingVerb.split(Array(words), of: command)
                _ = try ArgumentParser.parse(own, as: command)
                if let then { _ = try FollowingVerb.parse(then) }
            }
        }
    }

    /// Splits a line as a shell does, as far as the examples need it.
    private func words(_ line: String) -> [String] {
        var words: [String] = []
        for (index, piece) in line.split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index % 2 == 1 {
                words.append(String(piece))
            } else {
                words += piece.split(separator: " ").map(String.init)
            }
        }
        return words
    }

    @Test("an unknown verb is a usage error that names the one meant")
    func unknownVerb() {
        #expect(
            throws: CommandFailure(
                .usage, "unknown verb devicse; did you mean devices?; see vcap help")
        ) { try CommandTable.command(named: "devicse") }
    }

    @Test("the help of each verb is what is written down", arguments: commands.map(\.name))
    func helpGoldens(verb: String) throws {
        let command = try CommandTable.command(named: verb)
        try Golden("help-\(verb).txt").check(HelpText.verb(command))
    }

    @Test("the list of verbs is what is written down")
    func programGolden() throws {
        try Golden("help.txt").check(HelpText.program(TableTests.commands))
    }

    @Test("no line of help is wider than a terminal of 100 columns")
    func widths() {
        for command in TableTests.commands {
            for line in HelpText.verb(command).split(separator: "\n") {
                #expect(line.count <= 100, "\(command.name): \(line)")
            }
        }
    }
}
