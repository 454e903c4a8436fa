/// Shell completions made from the table.
enum CompletionScript {
    static let shells = ["bash", "zsh", "fish"]

    static func script(for shell: String, _ commands: [Command]) -> String {
        switch shell {
        case "zsh": zsh(commands)
        case "fish": fish(commands)
        default: bash(commands)
        }
    }

    private static func names(_ option: OptionSpec) -> [String] {
        (option.short.map { ["-\($0)"] } ?? []) + [option.name]
    }

    // MARK: bash

    private static func bash(_ commands: [Command]) -> String {
        let verbs = commands.map(\.name).joined(separator: " ")
        var lines = [
            "# bash completion of vcap; load it with: source <(vcap completions bash)",
            "_vcap() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
            "    COMPREPLY=()",
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
            "        COMPREPLY=($(compgen -W '\(verbs)' -- \"$word\"))",
            "        return",
            "    fi",
            "    case \"${COMP_WORDS[1]}\" in",
        ]
        for command in commands { lines += bash(command) }
        lines += ["    esac", "}", "complete -F _vcap vcap"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func bash(_ command: Command) -> [String] {
        var lines = ["    \(command.name))", "        case \"$before\" in"]
        for option in command.options where option.takesNextWord {
            let pattern = names(option).joined(separator: "|")
            lines.append("        \(pattern)) \(bashReply(option.completion)); return ;;")
        }
        let all = command.options.flatMap { names($0) }.joined(separator: " ")
        lines += [
            "        esac",
            "        case \"$word\" in",
            "        -*) COMPREPLY=($(compgen -W '\(all)' -- \"$word\")) ;;",
            "        *) \(bashReply(command.operands.completion)) ;;",
            "        esac ;;",
        ]
        return lines
    }

    private static func bashReply(_ completion: Completion) -> String {
        switch completion {
        case .none: ":"
        case .files: "COMPREPLY=($(compgen -f -- \"$word\"))"
        case .words(let words):
            "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))"
        }
    }

    // MARK: zsh

    private static func zsh(_ commands: [Command]) -> String {
        var lines = [
            "#compdef vcap",
            "# zsh completion of vcap; load it with: source <(vcap completions zsh)",
            "_vcap() {",
            "    local -a verbs=(",
        ]
        lines += commands.map { "        '\($0.name):\(zshText($0.summary))'" }
        lines += [
            "    )",
            "    if (( CURRENT == 2 )); then _describe verb verbs; return; fi",
            "    local verb=$words[2]",
            "    shift words; (( CURRENT-- ))",
            "    case $verb in",
        ]
        for command in commands {
            var specifications = command.options.flatMap { option in
                names(option).map { zsh(option, $0) }
            }
            // an operand without an action is a message, and a message keeps zsh from inserting the
            // one option that fits (zsh 5.9)
            let action = zshAction(command.operands.completion)
            if !action.isEmpty { specifications.append("'*:argument:\(action)'") }
            lines.append("    \(command.name)) _arguments \\")
            lines += specifications.dropLast().map { "        \($0) \\" }
            lines.append("        \(specifications.last ?? "") ;;")
        }
        lines += [
            "    esac", "}", "[[ $funcstack[1] == _vcap ]] && _vcap \"$@\" || compdef _vcap vcap",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func zsh(_ option: OptionSpec, _ name: String) -> String {
        let star = option.isRepeatable ? "*" : ""
        guard let placeholder = option.placeholder else {
            return "'\(star)\(name)[\(zshText(option.summary))]'"
        }
        let value = zshText(placeholder)
        let action = zshAction(option.completion)
        if !option.takesNextWord {
            return "'\(star)\(name)=-[\(zshText(option.summary))]::\(value):\(action)'"
        }
        return "'\(star)\(name)[\(zshText(option.summary))]:\(value):\(action)'"
    }

    private static func zshAction(_ completion: Completion) -> String {
        switch completion {
        case .none: ""
        case .files: "_files"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private static func zshText(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "'": escaped += "'\\''"
            case "[", "]", ":", "\\": escaped += "\\\(character)"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    // MARK: fish

    private static func fish(_ commands: [Command]) -> String {
        var lines = [
            "# fish completion of vcap; load it with: vcap completions fish | source",
            "complete -c vcap -f",
        ]
        for command in commands {
            let name = command.name
            lines.append(
                "complete -c vcap -n __fish_use_subcommand -a \(name) -d '\(fishText(command.summary))'"
            )
            let condition = "-n '__fish_seen_subcommand_from \(name)'"
            for option in command.options { lines.append(fish(option, condition)) }
            if let action = fishAction(command.operands.completion) {
                lines.append("complete -c vcap \(condition) \(action)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fish(_ option: OptionSpec, _ condition: String) -> String {
        var line = "complete -c vcap \(condition)"
        if let short = option.short { line += " -s \(short)" }
        line += " -l \(option.long) -d '\(fishText(option.summary))'"
        if option.placeholder != nil {
            // -x: a value is wanted and files are none, whatever was said for the operands
            if option.takesNextWord { line += option.completion == .files ? " -r" : " -x" }
            if let action = fishAction(option.completion) { line += " \(action)" }
        }
        return line
    }

    private static func fishAction(_ completion: Completion) -> String? {
        switch completion {
        case .none: nil
        case .files: "-F"
        case .words(let words): "-a '\(words.joined(separator: " "))'"
        }
    }

    private static func fishText(_ text: String) -> String {
        String(text.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] })
    }
}
