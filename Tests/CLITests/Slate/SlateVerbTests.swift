import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("vcap slate")
struct SlateVerbTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, in: folder.path)
    }

    @Test("folders of its name that are not there are made, and a name that exists is kept")
    func folders() throws {
        for (words, name) in [
            (["--title", "Coffee"], "made/deep/code.png"),
            (["--clock", "1s"], "made/clocks/c.mp4"),
        ] {
            let made = try run(["slate"] + words + ["-o", name])
            #expect(made.status == 0, "\(made.errorText)")
            #expect(FileManager.default.fileExists(atPath: folder.file(name)))
            let again = try run(["slate"] + words + ["-o", name])
            #expect(again.status == ExitCode.cannotCreate.rawValue)
            #expect(again.errorText.contains("\(name) exists"), "\(again.errorText)")
        }
    }

    @Test("a PNG says what was asked for, and is refused where one is until -y")
    func png() throws {
        let words = [
            "slate", "--title", "Über & mehr", "--scene", "2", "--take", "3", "-o", "s.png",
        ]
        let made = try run(words)
        #expect(made.status == 0 && made.outputText == "s.png\n", "\(made.errorText)")
        let seen = try run(["detect", "s.png"])
        #expect(
            seen.outputText.contains("vcap-slate:1?title=%C3%9Cber%20%26%20mehr&scene=2&take=3"),
            "\(seen.outputText)")
        #expect(try run(words).status == ExitCode.cannotCreate.rawValue)
        #expect(try run(words + ["-y"]).status == 0)
    }

    @Test(
        "without a file it is characters with its text below, and a document where that is asked for"
    )
    func standardOutput() throws {
        let text = try run(["slate", "--marker", "Best"])
        #expect(text.outputText.hasSuffix("vcap-slate:1?marker=Best\n"))
        #expect(text.outputText.contains("▄"))
        let json = try JSONParser.parse(
            run(["slate", "--marker", "Best", "--json"]).output, as: .json)
        #expect(json["schema"]?.text == "vcap.slate/1")
        #expect(json["text"]?.text == "vcap-slate:1?marker=Best")
        let drawing = try run(["slate", "--marker", "Best", "-o", "s.svg", "--json"])
        #expect(try JSONParser.parse(drawing.output, as: .json)["path"]?.text == "s.svg")
        #expect(
            try String(contentsOfFile: folder.file("s.svg"), encoding: .utf8).contains(">Best<"))
    }

    @Test("a running clock is a movie of which every frame shows its own time, of one clock")
    func clock() throws {
        let made = try run(["slate", "--clock", "2500ms", "-o", "k.mp4", "--json"])
        #expect(made.status == 0, "\(made.errorText)")
        let name = try #require(try JSONParser.parse(made.output, as: .json)["clock"]?.text)
        let frames = try run(["detect", "k.mp4", "--json"]).outputText.split(separator: "\n")
        #expect(frames.count == 25)
        for (index, line) in frames.enumerated() {
            let json = try JSONParser.parse(Array(line.utf8), as: .json)
            #expect(abs((json["seconds"]?.number ?? -1) - Double(index) / 10) < 0.0001)
            #expect(
                json["codes"]?.elements?.first?["text"]?.text
                    == "vcap-slate:1?clock=\(name)&time=\(index * 100)&step=100")
        }
        let again = try run(["slate", "--clock", "1s", "-o", "k2.mov", "--json"])
        #expect(try JSONParser.parse(again.output, as: .json)["clock"]?.text != name)
    }

    @Test("a signal ends the making of a clock, and no file is left")
    func ended() throws {
        let running = try Program.vcap.start(
            ["slate", "--clock", "1h", "-o", folder.file("k.mp4")])
        Thread.sleep(forTimeInterval: 0.8)
        running.signal(SIGINT)
        let result = running.wait()
        #expect(result.status == ExitCode.failedRunning.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("no clock is made"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(
        "what cannot be is refused by name before anything is made",
        arguments: [
            ([], "say what the slate says"), (["--clock", "5s"], "a running clock is a movie"),
            (["--clock", "5s", "-o", "k.png"], "a running clock is a movie"),
            (["--clock", "500ms", "-o", "k.mp4"], "from 1s to 1h"),
            (["--clock", "2h", "-o", "k.mp4"], "from 1s to 1h"),
            (["--clock", "5s", "--take", "1", "-o", "k.mp4"], "says nothing else"),
            (["--take", "1", "-o", "k.mp4"], "a .png or .svg file"),
            (["--title", "a\u{1B}[31m"], "cannot be seen"),
            (["--title", String(repeating: "x", count: 201)], "longer than 200 bytes"),
            (["--ask", "reboot"], "--ask takes"),
        ])
    func refused(_ words: [String], _ sentence: String) throws {
        let result = try run(["slate"] + words)
        #expect(result.status == ExitCode.usage.rawValue)
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
