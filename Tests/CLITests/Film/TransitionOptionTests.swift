import Foundation
import TestSupport
import Testing

@testable import vcap

/// `--transition` and the projects that come of it.
@Suite(
    "Transitions of films on the command line", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct TransitionOptionTests {
    private let folder: TemporaryFolder

    /// Two clips of a second, and a picture whose name has colons and dashes.
    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames) = (96, 54, 30)
        try clip.write(to: folder.file("a.mp4"))
        try clip.write(to: folder.file("b.mp4"))
        let still = try run(["compose", "a.mp4", "--still", "0.5", "-o", "p-1:2.png"])
        try #require(still.status == 0, "\(still.errorText)")
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    @Test(
        "each kind makes a film as long as its clips less the overlap",
        arguments: [
            "zoom:500ms", "zoom-out:0.5s:ease-out", "iris:500ms", "iris-close:500ms:ease-in-out",
            "luma-p-1:2.png:500ms", "luma-p-1:2.png:500ms:ease",
            "push-up:500ms:cubic-bezier(0,2,1,-1)",
        ])
    func kinds(_ transition: String) throws {
        let result = try run([
            "compose", "a.mp4", "b.mp4", "--transition", transition, "-o", "film.mp4",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try MovieOracle(folder.file("film.mp4")).frameNumbers().count == 45)
    }

    @Test("a project names the picture relative to its folder, and is the same film")
    func project() throws {
        let written = try run([
            "compose", "a.mp4", "b.mp4", "--transition", "luma-p-1:2.png:500ms", "-o",
            "film.vcap.json5",
        ])
        #expect(written.status == 0, "\(written.errorText)")
        let text = try String(contentsOfFile: folder.file("film.vcap.json5"), encoding: .utf8)
        #expect(text.contains("transition: \"luma-p-1:2.png:0.5s\""), "\(text)")
        let made = try run(["export", "film.vcap.json5", "-o", "film.mp4"])
        #expect(made.status == 0, "\(made.errorText)")
        #expect(try MovieOracle(folder.file("film.mp4")).frameNumbers().count == 45)
    }

    @Test("a picture that is not there is named before anything is made, and none is written over")
    func pictures() throws {
        let made = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-f", "lavfi", "-i", "color=c=gray:s=9000x8000", "-frames:v", "1",
                "large.png",
            ], in: folder.path)
        try #require(made.status == 0, "\(made.errorText)")
        let before = folder.contents
        for (name, code) in [
            ("gone.png", ExitCode.noInput), (".", .badData), ("a.mp4", .badData),
            ("large.png", .badData),
        ] {
            let result = try run([
                "compose", "a.mp4", "b.mp4", "--transition", "luma-\(name):500ms", "-o", "x.mp4",
            ])
            #expect(result.status == code.rawValue, "\(result.errorText)")
            #expect(
                result.errorText.contains("the picture of the transition to clip 2 (b.mp4): "),
                "\(result.errorText)")
        }
        let over = try run([
            "compose", "a.mp4", "b.mp4", "--transition", "luma-p-1:2.png:500ms", "--still", "1",
            "-y", "-o", "p-1:2.png",
        ])
        #expect(over.status == ExitCode.cannotCreate.rawValue, "\(over.errorText)")
        #expect(folder.contents == before)
    }

    @Test("a part of a clip that ends before it begins, or is none, is said to")
    func mistakenParts() throws {
        for (part, words) in [
            ("@800ms..200ms", "of a.mp4 does not end after it begins: a part is FROM..TO"),
            ("@500ms..500ms", "of a.mp4 does not end after it begins: a part is FROM..TO"),
            ("@x..y", "\"@x..y\" behind a.mp4 is no part of it"),
        ] {
            let result = try run(["compose", "a.mp4\(part)", "-o", "x.mp4"])
            #expect(result.status == ExitCode.usage.rawValue, "\(result.errorText)")
            #expect(result.errorText.contains(words))
        }
        let missing = try run(["compose", "none.mp4@x..y", "-o", "x.mp4"])
        #expect(missing.status == ExitCode.noInput.rawValue, "\(missing.errorText)")
    }

    @Test("words that are no transition are answered with those that are")
    func words() throws {
        for word in ["zoom-in:1s", "iris:1s:fast", "luma-", "iris-close:0s", "cut:ease"] {
            let result = try run([
                "compose", "a.mp4", "b.mp4", "--transition", word, "-o", "x.mp4",
            ])
            #expect(result.status == ExitCode.usage.rawValue, "\(word): \(result.errorText)")
            #expect(result.errorText.contains("iris:1s, luma-PICTURE:1s"), "\(result.errorText)")
        }
    }
}
