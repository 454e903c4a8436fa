import Foundation
import TestSupport
import Testing

@testable import vcap

/// Generators as clips of `vcap compose`.
@Suite(
    "Generators on the command line", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct GeneratorClipTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames) = (96, 54, 30)
        try clip.write(to: folder.file("a.mp4"))
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func refusal(_ words: [String]) throws -> String {
        let result = try run(["compose"] + words + ["-o", "none.mp4"])
        #expect(result.status == 64, "\(words): \(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("none.mp4")))
        return result.errorText
    }

    @Test("generators join files at the files' size and rate, and each shows for its part")
    func film() throws {
        let result = try run([
            "compose", "bars@..1s", "a.mp4", "counter:down:2s", "gradient:#000:#369:30@..500ms",
            "--overlay", "color:#ff000080@..1s,at=1s,place=top-left", "--still-duration", "3s",
            "-o", "film.mp4",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        let probe = try run(["probe", "film.mp4", "--json"])
        #expect(probe.outputText.contains("\"width\": 96"), "\(probe.outputText)")
        let numbers = try MovieOracle(folder.file("film.mp4")).frameNumbers()
        // 30, 30, 60 and 15 frames at 30 a second
        #expect(numbers.count == 135)
        #expect(Array(numbers[40..<60]) == Array(10..<30))
    }

    @Test("a file of a generator's name is reached by its path, and the bare word is refused")
    func names() throws {
        for (file, word) in [
            ("bars", "bars"), ("color:red", "color:red"), ("bars@..1s", "bars@..1s"),
        ] {
            try FileManager.default.copyItem(
                atPath: folder.file("a.mp4"), toPath: folder.file(file))
            #expect(
                try refusal([word]).contains(
                    "\(file) is a file here, and the name of a generator: write ./\(file) for the file"
                ))
            let own = try run(["compose", "./\(file)", "-o", "own.mp4", "-y"])
            #expect(own.status == 0, "\(own.errorText)")
            #expect(try MovieOracle(folder.file("own.mp4")).frameNumbers() == Array(0..<30))
            let made = try run([
                "compose", "generator:\(word)", "-s", "96x54", "-o", "made.mp4", "-y",
                "--still-duration",
                "1s",
            ])
            #expect(made.status == 0, "\(made.errorText)")
            #expect(try MovieOracle(folder.file("made.mp4")).frameNumbers().count == 30)
            try FileManager.default.removeItem(atPath: folder.file(file))
        }
    }

    @Test("what is nearly a generator, or has what only files have, is refused with a sentence")
    func refusals() throws {
        #expect(try refusal(["color:navy"]).contains("color:navy is no generator, and no file"))
        #expect(try refusal(["generator:noise"]).contains("generator:noise is no generator"))
        #expect(
            try refusal(["bars@1s..2s"]).contains(
                "clip 1 (bars) is generated, so it has no start of its own"))
        #expect(
            try refusal(["a.mp4", "--overlay", "bars,speed=2"]).contains(
                "overlay 1 (bars) is generated, so it has no speed of its own"))
        #expect(try refusal(["bars", "--layout", "pip"]).contains("bars is generated"))
        for words in [["--audio-tracks", "2"], ["--video-tracks", "1"], ["--follow", "face"]] {
            #expect(try refusal(["bars"] + words).contains("\(words[0]) is for files"))
        }
        let silent = try run([
            "compose", "bars@..1s", "--audio-tracks", "none", "-s", "192x108", "-o", "silent.mp4",
        ])
        #expect(silent.status == 0, "\(silent.errorText)")
        let silentFilm = folder.file("silent.mp4")
        let probed = try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", silentFilm,
        ])
        #expect(probed.outputText == "video\n")
        let copied = try run(["compose", "bars@..1s", "--codec", "copy", "-o", "none.mp4"])
        #expect(copied.status != 0)
        #expect(copied.errorText.contains("it is generated, and no file has it"))
    }

    @Test("plans say that generated frames are encoded, and copy the others")
    func plan() throws {
        let plan = try run([
            "compose", "a.mp4", "counter:down:1s", "--plan", "-o", "film.mp4",
        ])
        #expect(plan.status == 0, "\(plan.errorText)")
        #expect(plan.outputText.contains("its frames are generated"), "\(plan.outputText)")
        let only = try run([
            "compose", "a.mp4", "bars@..1s", "--copy", "only", "-o", "none.mp4",
        ])
        #expect(only.status != 0, "\(only.outputText)")
        #expect(only.errorText.contains("generated"), "\(only.errorText)")
    }

    @Test("a project is written without a file, and makes the same film")
    func project() throws {
        let written = try run([
            "compose", "bars:ebu@..1s", "counter:5s@..1s", "-s", "96x54", "-o", "film.vcap.json5",
        ])
        #expect(written.status == 0, "\(written.errorText)")
        #expect(!written.errorText.contains("media-root"))
        let text = try String(contentsOfFile: folder.file("film.vcap.json5"), encoding: .utf8)
        #expect(text.contains("generator: \"bars:ebu\"") && text.contains("\"counter:5s\""))
        for name in ["film.vcap.json5", "film.otio"] {
            let made = try run(["export", name, "-o", "film.mp4", "-y"])
            #expect(made.status == 0, "\(made.errorText)")
            #expect(try MovieOracle(folder.file("film.mp4")).frameNumbers().count == 60)
            guard name != "film.otio" else { break }
            let other = try run(["export", "film.vcap.json5", "-o", "film.otio"])
            #expect(other.status == 0, "\(other.errorText)")
        }
    }
}
