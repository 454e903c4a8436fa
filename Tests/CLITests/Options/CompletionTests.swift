import Foundation
import TestSupport
import Testing

@testable import vcap

@Suite("Shell completions")
struct CompletionTests {
    /// What bash offers for a line whose last word is being typed.
    private func offers(_ words: String...) throws -> [String] {
        let bash = try #require(Program.tool("bash"))
        let script = CompletionScript.script(for: "bash", CommandTable.commands)
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let driver = """
            \(script)
            COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
            _vcap
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try bash.run(["--norc", "-c", driver])
        #expect(result.errorText.isEmpty)
        return result.outputText.split(separator: "\n").map(String.init)
    }

    @Test("bash loads the script and registers it")
    func loads() throws {
        let bash = try #require(Program.tool("bash"))
        let script = CompletionScript.script(for: "bash", CommandTable.commands)
        let result = try bash.run(["--norc", "-c", script + "\ncomplete -p vcap"])
        #expect(result.status == 0)
        #expect(result.outputText == "complete -F _vcap vcap\n")
        #expect(result.errorText.isEmpty)
    }

    @Test("bash offers verbs, options and values as they begin")
    func offersWords() throws {
        #expect(try offers("vcap", "for") == ["formats"])
        #expect(try offers("vcap", "ctl", "pa") == ["pause"])
        #expect(try offers("vcap", "ctl", "--se") == ["--session"])
        #expect(try offers("vcap", "completions", "f") == ["fish"])
        #expect(try offers("vcap", "record", "--codec", "h") == ["h264", "hevc"])
        #expect(try offers("vcap", "record", "--size", "72") == ["720p"])
    }

    @Test("each shell's script names every verb and every long option", arguments: ["zsh", "fish"])
    func complete(shell: String) {
        let script = CompletionScript.script(for: shell, CommandTable.commands)
        for command in CommandTable.commands {
            #expect(script.contains(command.name))
            for option in command.options {
                #expect(script.contains(shell == "fish" ? "-l \(option.long)" : option.name))
            }
        }
    }

    @Test(
        "the other shells read the script without complaint, where they are installed",
        arguments: ["zsh", "fish"])
    func syntax(shell: String) throws {
        guard let program = Program.tool(shell) else { return }
        let script = CompletionScript.script(for: shell, CommandTable.commands)
        let folder = try TemporaryFolder()
        try script.write(toFile: folder.file("script"), atomically: true, encoding: .utf8)
        #expect(try program.run(["-n", folder.file("script")]).status == 0)
    }
}
