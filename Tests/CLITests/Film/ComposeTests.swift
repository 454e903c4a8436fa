import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite(
    "Composing films with the program", .serialized, .tags(.realTime),
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ComposeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private var environment: [String: String] {
        ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: environment, in: folder.path)
    }

    /// A clip of the test devices, made without waiting for real time to matter.
    private func record(_ name: String, seconds: Int) throws {
        let result = try run([
            "record", "-q", "-c", "test:", "-a", "test:", "-s", "192x108", "-r", "30", "-t",
            "\(seconds)", "--keys", "none", "-o", name,
        ])
        try #require(result.status == 0, "\(result.errorText)")
    }

    @Test("two clips that dissolve into one another are as long as the sum less the overlap")
    func dissolve() throws {
        try record("a.mp4", seconds: 2)
        try record("b.mp4", seconds: 2)
        let result = try run([
            "compose", "a.mp4", "b.mp4", "--transition", "dissolve:500ms", "--title", "Zwei Clips",
            "-o", "film.mp4", "--json",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.outputText.contains("\"duration\": \"3500000000/1000000000\""))
        #expect(result.outputText.contains("\"frames\": 105"))
        let first = try MovieOracle(folder.file("a.mp4")).frameNumbers()
        let second = try MovieOracle(folder.file("b.mp4")).frameNumbers()
        let film = try MovieOracle(folder.file("film.mp4")).frameNumbers()
        #expect(film.count == 105)
        // outside of the overlap of 15 frames each picture is the clip's own
        #expect(Array(film[..<45]) == Array(first[..<45]))
        #expect(Array(film[60...]) == Array(second[15...]))
    }

    @Test("a recording with a pause becomes a film of two clips, its marker a chapter")
    func takeToFilm() throws {
        let recorder = try Program.vcap.start(
            [
                "record", "-c", "test:", "-a", "test:", "-s", "192x108", "-r", "30", "-t", "3",
                "--keys", "none", "--session", "film", "-o", "day.mp4", "--then", "compose",
                "--title", "Monday", "--transition", "dissolve:400ms",
            ], environment: environment, in: folder.path)
        waitUntil { recorder.errorTextSoFar.contains("vcap: recording") }
        usleep(1_000_000)
        for words in [["pause"], ["resume"], ["mark", "second part"]] {
            #expect(try run(["ctl"] + words + ["--session", "film"]).status == 0)
            usleep(300_000)
        }
        let result = recorder.wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.outputText == "day.mp4\nday.film.mp4\n")
        let takeLength = try MovieOracle(folder.file("day.mp4")).duration()
        let filmLength = try MovieOracle(folder.file("day.film.mp4")).duration()
        #expect(abs(takeLength - 3) < 0.04)
        #expect(abs(filmLength - 2.6) < 0.04)
        let probe = try run(["probe", "day.film.mp4"])
        #expect(probe.outputText.contains("second part"))
        #expect(probe.outputText.contains("title       Monday"))
    }

    @Test(
        "a recording becomes a project where its film is to be one, and idle options are reported")
    func takeToProject() throws {
        let result = try run([
            "record", "-c", "test:", "-a", "none", "-s", "192x108", "-r", "30", "-t", "1", "--keys",
            "none", "-o", "day.mp4", "--then", "compose", "--transition", "wipe:200ms", "-o",
            "day.otio",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.outputText == "day.mp4\nday.otio\n")
        #expect(result.errorText.contains("composing 1 clip\n"), "\(result.errorText)")
        #expect(result.errorText.contains("--transition does nothing"))
        #expect(try run(["export", "day.otio", "-o", "film.mp4"]).status == 0)
        #expect(
            try MovieOracle(folder.file("film.mp4")).frameNumbers()
                == MovieOracle(folder.file("day.mp4")).frameNumbers())
    }

    @Test("an interrupted export leaves no film, and the same command continues from it")
    func interrupted() throws {
        try record("a.mp4", seconds: 6)
        let words = ["compose", "a.mp4", "-s", "1080p", "--fit", "blur", "-o", "film.mp4"]
        let export = try Program.vcap.start(
            words + ["--progress", "fd:1"], environment: environment, in: folder.path)
        waitUntil { self.folder.contents.contains(".film.vcap-part.mp4") }
        waitUntil {
            let part = self.folder.file(".film.vcap-part.mp4")
            let size = try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int
            return size.map { $0 > 800_000 } ?? false
        }
        export.signal(SIGINT)
        let result = export.wait()
        #expect(result.status == ExitCode.failedRunning.rawValue)
        #expect(result.errorText.contains("cancelled"))
        #expect(!folder.contents.contains("film.mp4"))
        let again = try run(words)
        #expect(again.status == 0)
        #expect(again.errorText.contains("continued from an earlier export"))
        #expect(try MovieOracle(folder.file("film.mp4")).frameNumbers().count == 180)
        #expect(
            !folder.contents.contains { $0.contains("vcap-part") || $0.contains("vcap-earlier") })
    }

    @Test("a frame of the film is written as a picture of its size")
    func still() throws {
        try record("a.mp4", seconds: 1)
        let result = try run(["compose", "a.mp4", "--still", "0.5s", "-o", "frame.png"])
        #expect(result.status == 0, "\(result.errorText)")
        let clip = try MovieOracle(folder.file("a.mp4")).frameNumbers()
        #expect(try MovieOracle(folder.file("frame.png")).frameNumbers() == [clip[15]])
    }

    @Test("what cannot be composed is refused with one sentence, and nothing is left behind")
    func refusals() throws {
        try record("a.mp4", seconds: 1)
        try Data("no movie".utf8).write(to: URL(fileURLWithPath: folder.file("broken.mp4")))
        let before = folder.contents
        let cases: [(words: [String], code: ExitCode)] = [
            (["missing.mp4", "-o", "x.mp4"], .noInput),
            (["broken.mp4", "-o", "x.mp4"], .badData),
            (["a.mp4"], .usage),
            (["a.mp4", "-o", "x.avi"], .usage),
            (["a.mp4", "-o", "broken.mp4"], .cannotCreate),
            (["a.mp4", "-y", "-o", "a.mp4"], .cannotCreate),
            (["a.mp4", "-o", "broken.mp4/x.mp4"], .cannotCreate),
            (["a.mp4", "a.mp4", "--transition", "dissolve:5s", "-o", "x.mp4"], .usage),
            (["a.mp4", "a.mp4", "--transition", "wobble", "-o", "x.mp4"], .usage),
            (["a.mp4", "--range", "5s..9s", "-o", "x.mp4"], .usage),
            (["a.mp4", "--still", "9s", "-o", "x.png"], .usage),
            (["a.mp4", "--music", "missing.m4a", "-o", "x.mp4"], .noInput),
            (["a.mp4@3s..4s", "-o", "x.mp4"], .usage),
        ]
        for (words, code) in cases {
            let result = try run(["compose"] + words)
            #expect(result.status == code.rawValue, "\(words): \(result.errorText)")
            let errors = result.errorText.split(separator: "\n").filter { $0.contains("error: ") }
            #expect(errors.count == 1, "\(words): \(result.errorText)")
            #expect(folder.contents == before, "\(words)")
        }
    }
}
