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

    @Test("fish loads the script and offers verbs, options and values, and no files for them")
    func fish() throws {
        #expect(try fishOffers("vcap form") == ["formats"])
        #expect(try fishOffers("vcap record --encoder-p") == ["--encoder-preset"])
        let codecs = ["copy", "ffv1", "h264", "hevc", "mjpeg"]
        #expect(try fishOffers("vcap record --codec ") == codecs)
        #expect(try fishOffers("vcap record -s 72") == ["720p"])
        #expect(try fishOffers("vcap record --bitrate ").isEmpty)
        #expect(try fishOffers("vcap ctl pau") == ["pause"])
        #expect(try fishOffers("vcap probe clip") == ["clip.mp4"])
    }

    /// What fish offers for a line, in a folder that holds `clip.mp4`.
    private func fishOffers(_ line: String) throws -> [String] {
        let shell = try #require(Program.tool("fish"), "scripts/install-deps test")
        let folder = try completionFolder("fish", as: "vcap.fish")
        let result = try shell.run(
            ["--no-config", "-c", "source vcap.fish; rm vcap.fish; complete -C '\(line)'"],
            environment: ["HOME": folder.path], in: folder.path)
        #expect(result.status == 0 && result.errorText.isEmpty, "\(result.errorText)")
        return result.outputText.split(separator: "\n").map {
            String($0.prefix { $0 != "\t" })
        }.sorted()
    }

    @Test("zsh loads the script from its fpath and completes verbs, options, values and files")
    func zsh() throws {
        let lines = [
            ("vcap form", "vcap formats "),
            ("vcap record --encoder-p", "vcap record --encoder-preset "),
            ("vcap record --codec hev", "vcap record --codec hevc "),
            ("vcap record -s 72", "vcap record -s 720p "),
            ("vcap ctl pau", "vcap ctl pause "),
            ("vcap probe cl", "vcap probe clip.mp4 "),
        ]
        #expect(try zshCompletes(lines.map(\.0)) == lines.map(\.1))
    }

    /// What each line is after Tab in an interactive zsh on a terminal of its own.
    private func zshCompletes(_ lines: [String]) throws -> [String] {
        let shell = try #require(Program.tool("zsh"), "scripts/install-deps test")
        let folder = try completionFolder("zsh", as: "_vcap")
        // a widget writes the line as it stands to a file and empties it
        let driver = """
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell 'PS1=; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; bindkey -e'
            zpty -w shell 'show() { print -r -- "$BUFFER" >> shown; BUFFER=; }; zle -N show'
            zpty -w shell "bindkey '^X^X' show; print >> shown"
            touch shown
            until_shown() {
                for _ in {1..400}; do (( $(wc -l < shown) >= $1 )) && return; sleep 0.05; done
                exit 1
            }
            until_shown 1
            n=1
            for line in "$@"; do
                zpty -w -n shell "$line"$'\\t\\x18\\x18'
                until_shown $(( ++n ))
            done
            zpty -d shell
            """
        let result = try shell.run(
            ["-f", "-c", driver, "zsh"] + lines,
            environment: ["HOME": folder.path, "TERM": "dumb"], in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
        let shown = try String(contentsOfFile: folder.file("shown"), encoding: .utf8)
        return shown.split(separator: "\n").map(String.init)
    }

    /// A folder with a shell's script and one movie.
    private func completionFolder(_ shell: String, as name: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let script = CompletionScript.script(for: shell, CommandTable.commands)
        try script.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        try Data().write(to: URL(fileURLWithPath: folder.file("clip.mp4")))
        return folder
    }
}
