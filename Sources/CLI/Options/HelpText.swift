/// The help of the program and of its verbs, made from the table.
enum HelpText {
    private static let width = 96

    static func program(_ commands: [Command]) -> String {
        let longest = commands.map(\.name.count).max() ?? 0
        var lines = ["Usage: vcap VERB [OPTION]… [ARGUMENT]…", "", "Verbs:"]
        for command in commands {
            let name = command.name.padded(to: longest)
            lines.append("  \(name)  \(command.summary)")
        }
        lines += ["", "vcap help VERB shows the options of a verb, with examples."]
        return lines.joined(separator: "\n") + "\n"
    }

    static func verb(_ command: Command) -> String {
        var lines = ["Usage: \(synopsis(command))", ""]
        lines += wrapped(sentence(command.summary), indent: 0)
        for group in command.groups {
            lines += ["", "\(group.title):"]
            for option in group.options { lines += describe(option) }
        }
        if !command.notes.isEmpty {
            for paragraph in command.notes.split(separator: "\n") {
                lines += [""] + wrapped(String(paragraph), indent: 0)
            }
        }
        lines += ["", "Examples:"]
        for example in command.examples {
            lines += ["  # \(example.meaning)", "  \(example.line)"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func synopsis(_ command: Command) -> String {
        let hasOwn = command.options.count > 1
        let parts = ["vcap", command.name, hasOwn ? "[OPTION]…" : "", command.operands.synopsis]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func describe(_ option: OptionSpec) -> [String] {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.placeholder.map { option.bare == nil ? " \($0)" : "[=\($0)]" } ?? ""
        let head = "  \(short)\(option.name)\(value)"
        let text = wrapped(option.summary + suffix(option), indent: 30)
        if head.count <= 28, let first = text.first {
            return [head.padded(to: 30) + first.drop { $0 == " " }] + text.dropFirst()
        }
        return [head] + text
    }

    private static func suffix(_ option: OptionSpec) -> String {
        var parts: [String] = []
        if option.isRepeatable, option.placeholder != nil { parts.append("repeatable") }
        switch option.fallback {
        case .none: break
        case .value(let text), .described(let text): parts.append("default: \(text)")
        }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: "; ")))"
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    private static func wrapped(_ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(margin + line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [margin + line]
    }
}

extension String {
    /// The text with spaces behind it up to a width in characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text with spaces before it up to a width in characters.
    func indented(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
