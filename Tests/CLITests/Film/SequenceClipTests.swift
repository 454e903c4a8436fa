import Foundation
import TestSupport
import Testing

@testable import vcap

/// Numbered pictures as clips of `vcap compose`.
@Suite(
    "Numbered pictures on the command line", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct SequenceClipTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        try FileManager.default.createDirectory(
            atPath: folder.file("s"), withIntermediateDirectories: false)
        let tool = try #require(Program.tool("ffmpeg"))
        let made = try tool.run([
            "-v", "error", "-f", "lavfi", "-i", "color=gray:s=64x48:r=24", "-frames:v", "24",
            folder.file("s/a%03d.png"),
        ])
        try #require(made.status == 0)
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    @Test("a pattern with pictures a second is a clip, with a part and backwards, in a project too")
    func clips() throws {
        let result = try run([
            "compose", "s/a%03d.png@24fps", "s/a%03d.png@12fps@0.5s..1s@reverse", "-o", "a.mp4",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try MovieOracle(folder.file("a.mp4")).presentationTimes().count == 24 + 12)
        for name in ["a.vcap.json5", "a.otio"] {
            let saved = try run(["compose", "s/a%03d.png@24fps@..0.5s", "-o", name])
            #expect(saved.status == 0, "\(saved.errorText)")
            #expect(saved.errorText.isEmpty, "\(saved.errorText)")
            let film = try run(["export", name, "-o", name + ".mp4"])
            #expect(film.status == 0, "\(film.errorText)")
            let count = try MovieOracle(folder.file(name + ".mp4")).presentationTimes().count
            #expect(count == 12)
        }
    }

    @Test("no picture that is made becomes one more of those that the film is made of")
    func ownPictures() throws {
        let clip = "s/a%03d.png@24fps"
        for words in [
            ["--still", "0s", "--still", "0.5s", "-o", "s/a%03d.png", "-y"],
            ["--still", "0s", "-o", "s/a025.png"], ["--contact-sheet", "s/../s/a100.png"],
            ["--contact-sheet", "s/a025.png", "--plan"],
        ] {
            let result = try run(["compose", clip] + words)
            #expect(result.status == 73, "\(words): \(result.errorText)")
            #expect(result.errorText.contains("that the film is made of"), "\(result.errorText)")
        }
        let saved = try run(["compose", clip, "-o", "p.vcap.json5"])
        #expect(saved.status == 0, "\(saved.errorText)")
        #expect(try run(["thumbs", "p.vcap.json5", "-o", "s/a%03d.png", "-y"]).status == 73)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("s"))
        #expect(names.count == 24)
        // of another name beside them
        let beside = try run(["compose", clip, "--still", "0s", "-o", "s/b001.png"])
        #expect(beside.status == 0, "\(beside.errorText)")
    }

    @Test("what is no sequence, or does not say how fast it is, is refused with what to write")
    func refusals() throws {
        func refusal(_ word: String, status: Int32) throws -> String {
            let result = try run(["compose", word, "-o", "none.mp4"])
            #expect(result.status == status, "\(word): \(result.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("none.mp4")))
            return result.errorText
        }
        #expect(
            try refusal("s/a%03d.png", status: 64).contains("s/a%03d.png@24fps"))
        #expect(try refusal("s/a001.png@24fps", status: 64).contains("no place for a number"))
        #expect(try refusal("s/b%03d.png@24fps", status: 66).contains("no picture s/b%03d.png"))
        try FileManager.default.removeItem(atPath: folder.file("s/a007.png"))
        #expect(
            try refusal("s/a%03d.png@24fps", status: 66).contains("s/a007.png is missing"))
    }
}
