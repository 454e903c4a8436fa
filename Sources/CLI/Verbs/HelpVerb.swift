extension Verbs {
    static let help = Command(
        "help", "show the verbs, or one verb's options with examples",
        operands: .init(synopsis: "[VERB]", count: 0...1, completion: .words(helpTopics)),
        examples: [
            .init(line: "vcap help", meaning: "the list of verbs"),
            .init(line: "vcap help record", meaning: "everything a recording can be asked for"),
            .init(line: "vcap record --help", meaning: "the same text"),
        ]
    ) { arguments in
        guard let name = arguments.operands.first else {
            Console.shared.result(HelpText.program(CommandTable.commands))
            return .done
        }
        Console.shared.result(HelpText.verb(try CommandTable.command(named: name)))
        return .done
    }

    private static let helpTopics = [
        "record", "devices", "formats", "controls", "ctl", "probe", "repair", "completions",
        "version",
    ]
}
