extension Verbs {
    static let completions = Command(
        "completions", "print the completion script for a shell",
        operands: .init(
            synopsis: "bash|zsh|fish", count: 1...1, completion: .words(CompletionScript.shells)),
        examples: [
            .init(
                line: "source <(vcap completions bash)",
                meaning: "complete in this bash from now on"),
            .init(
                line: "vcap completions zsh > ~/.zfunc/_vcap",
                meaning: "for zsh, in a folder of its fpath"),
            .init(line: "vcap completions fish | source", meaning: "complete in this fish"),
        ]
    ) { arguments in
        let shell = arguments.operands[0]
        guard CompletionScript.shells.contains(shell) else {
            throw CommandFailure(
                .usage, "no completions for \(shell): there are bash, zsh and fish")
        }
        Console.shared.result(CompletionScript.script(for: shell, CommandTable.commands))
        return .done
    }
}
