import Media

/// Reads a verb's options and operands by its table entry.
struct ArgumentParser {
    private let command: Command
    private var arguments: Arguments

    private init(_ command: Command) {
        self.command = command
        arguments = Arguments(verb: command.name)
    }

    static func parse(_ words: [String], as command: Command) throws(CommandFailure) -> Arguments {
        var parser = ArgumentParser(command)
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                parser.arguments.operands += rest
                break
            } else if word.hasPrefix("--") {
                try parser.takeLong(word, &rest)
            } else if word.hasPrefix("-"), word != "-" {
                try parser.takeShort(word, &rest)
            } else {
                parser.arguments.operands.append(word)
            }
        }
        if !parser.arguments.isOn(Command.help) { try parser.checkOperands() }
        return parser.arguments
    }

    private mutating func takeLong(
        _ word: String, _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) {
        let parts = word.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = command.option(long: name) else {
            let near = nearest(to: name, among: command.options.map(\.long))
            let hint = near.map { "; did you mean --\($0)?" } ?? ""
            throw usage("unknown option --\(name)\(hint)")
        }
        if option.placeholder == nil {
            guard parts.count == 1 else { throw usage("\(option.name) takes no value") }
            try add("", to: option)
        } else if parts.count == 2 {
            try add(String(parts[1]), to: option)
        } else if let bare = option.bare {
            try add(bare, to: option)
        } else {
            try add(next(&rest, for: option), to: option)
        }
    }

    /// One word of short options: `-y`, `-vv`, `-o file`, `-ofile`.
    private mutating func takeShort(
        _ word: String, _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = command.option(short: letter) else {
                throw usage("unknown option -\(letter)")
            }
            if option.placeholder == nil {
                try add("", to: option)
                continue
            }
            let value = letters.isEmpty ? try next(&rest, for: option) : String(letters)
            try add(value, to: option)
            return
        }
    }

    private func next(
        _ rest: inout ArraySlice<String>, for option: OptionSpec
    ) throws(CommandFailure) -> String {
        guard let value = rest.popFirst() else {
            throw usage("\(option.name) needs a value: \(option.placeholder ?? "")")
        }
        return value
    }

    private mutating func add(_ text: String, to option: OptionSpec) throws(CommandFailure) {
        if option.placeholder != nil, let expected = option.complaint(text) {
            throw .badValue(text, of: option, expected: expected, .commandLine, command.name)
        }
        arguments.add(text, to: option)
    }

    private func checkOperands() throws(CommandFailure) {
        let operands = arguments.operands
        if operands.count < command.operands.count.lowerBound {
            throw usage("\(command.operands.synopsis) is missing")
        }
        if operands.count > command.operands.count.upperBound {
            let extra = operands[command.operands.count.upperBound]
            throw usage("unexpected argument \"\(extra)\"")
        }
    }

    private func usage(_ message: String) -> CommandFailure {
        CommandFailure(.usage, "\(message); see vcap help \(command.name)")
    }
}
