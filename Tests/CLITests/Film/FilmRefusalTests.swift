import Foundation
import TestSupport
import Testing

@testable import vcap

/// Projects that cannot become a film: one sentence that names the place, the contract's code, and nothing
/// left behind.
@Suite(
    "Projects that cannot be exported", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct FilmRefusalTests {
    private struct Refusal {
        let project: String
        let code: ExitCode
        /// Parts of the sentence.
        let says: [String]

        init(_ project: String, _ code: ExitCode, _ says: String...) {
            (self.project, self.code, self.says) = (project, code, says)
        }
    }

    private let folder: TemporaryFolder

    /// Two clips of a second, and files that are none.
    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames) = (96, 54, 30)
        try clip.write(to: folder.file("a.mp4"))
        try clip.write(to: folder.file("b.mp4"))
        let movie = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.mp4")))
        try write("text.mp4", Data("no movie".utf8))
        try write("empty.mp4", Data())
        try write("torn.mp4", movie.prefix(movie.count / 2))
        try FileManager.default.createDirectory(
            atPath: folder.file("folder.mp4"), withIntermediateDirectories: false)
        for (link, target) in [("round.mp4", "about.mp4"), ("about.mp4", "round.mp4")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(link), withDestinationPath: folder.file(target))
        }
    }

    private func write(_ name: String, _ data: Data) throws {
        try data.write(to: URL(fileURLWithPath: folder.file(name)))
    }

    private func check(_ refusals: [Refusal], name: String = "film.vcap.json5") throws {
        for refusal in refusals {
            try write(name, Data(refusal.project.utf8))
            let before = folder.contents
            let result = try Program.vcap.run(
                ["export", name, "-o", "out.mp4"], environment: ["HOME": folder.path],
                in: folder.path)
            let reported = "\(refusal.project.prefix(200)): \(result.errorText.prefix(500))"
            #expect(result.status == refusal.code.rawValue, "\(reported)")
            let lines = result.errorText.split(separator: "\n")
            #expect(lines.count == 1 && lines.first?.contains("error: ") == true, "\(reported)")
            #expect(refusal.says.allSatisfy { result.errorText.contains($0) }, "\(reported)")
            #expect(result.output.isEmpty, "\(reported)")
            #expect(folder.contents == before, "\(reported)")
        }
        // the control: the same project without a mistake is exported
        try write(name, Data("{ videos: [\"a.mp4\", \"b.mp4\"] }".utf8))
        let result = try Program.vcap.run(
            ["export", "film.vcap.json5", "-y", "-o", "out.mp4"],
            environment: ["HOME": folder.path], in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
        try FileManager.default.removeItem(atPath: folder.file("out.mp4"))
    }

    @Test("media that are missing, broken or no media")
    func media() throws {
        try check([
            Refusal("{ videos: [\"a.mp4\", \"gone.mp4\"] }", .noInput, "gone.mp4"),
            Refusal("{ videos: [\"a.mp4\"], music: [\"gone.m4a\"] }", .noInput, "gone.m4a"),
            Refusal("{ videos: [\"a.mp4\"], voiceOvers: [\"gone.wav\"] }", .noInput, "gone.wav"),
            Refusal(
                "{ videos: [\"a.mp4\"], titles: [{ text: \"x\", image: \"gone.png\" }] }", .noInput,
                "gone.png"),
            Refusal(
                "{ videos: [\"a.mp4\"], watermark: { image: \"gone.png\" } }", .noInput, "gone.png"),
            Refusal(
                "{ videos: [\"a.mp4\", { file: \"b.mp4\", transition: \"luma-gone.png:0.5s\" }] }",
                .noInput, "gone.png", "the transition to clip 2"),
            Refusal(
                "{ videos: [\"a.mp4\", { file: \"b.mp4\", transition: \"luma-folder.mp4:0.5s\" }] }",
                .badData, "folder.mp4", "the transition to clip 2"),
            Refusal(
                "{ videos: [\"a.mp4\", { file: \"b.mp4\", transition: \"luma-../x.png:0.5s\" }] }",
                .badData, ":1:50", "out of the project's folder"),
            Refusal("{ videos: [\"text.mp4\"] }", .badData, "text.mp4"),
            Refusal("{ videos: [\"empty.mp4\"] }", .badData, "empty.mp4"),
            Refusal("{ videos: [\"torn.mp4\"] }", .badData, "torn.mp4"),
            Refusal("{ videos: [\"folder.mp4\"] }", .badData, "folder.mp4"),
            Refusal(
                "{ videos: [\"a.mp4\"], watermark: { image: \"text.mp4\" } }", .badData, "text.mp4"),
        ])
    }

    @Test("what goes round in circles")
    func cycles() throws {
        try check([
            Refusal("{ videos: [\"film.vcap.json5\"] }", .badData, "film.vcap.json5"),
            Refusal("{ videos: [\"round.mp4\"] }", .noInput, "round.mp4"),
        ])
        let result = try Program.vcap.run(
            ["compose", "a.mp4", "b.mp4", "-y", "-o", "b.mp4"], environment: ["HOME": folder.path],
            in: folder.path)
        #expect(result.status == ExitCode.cannotCreate.rawValue)
        #expect(result.errorText.contains("b.mp4"))
        #expect(try MovieOracle(folder.file("b.mp4")).frameNumbers() == Array(0..<30))
    }

    @Test("negative times, times beyond the source, transitions longer than their clips")
    func times() throws {
        try check([
            Refusal("{ videos: [{ file: \"a.mp4\", start: -1 }] }", .badData, ":1:36", "start"),
            Refusal(
                "{ videos: [\"a.mp4\"], titles: [{ text: \"x\", at: \"-1s\" }] }", .badData,
                ":1:48",
                "at"),
            Refusal(
                "{ videos: [\"a.mp4\"], chapters: [{ at: -1, title: \"x\" }] }", .badData, "at"),
            Refusal("{ videos: [{ file: \"a.mp4\", speed: 0 }] }", .badData, ":1:36", "speed"),
            Refusal(
                "{ videos: [{ file: \"a.mp4\", start: 0.8, end: 0.2 }] }", .badData,
                "clip 1 (a.mp4)"),
            Refusal(
                "{ videos: [{ file: \"a.mp4\", start: 2 }] }", .badData, "clip 1 (a.mp4)", "1 s"),
            Refusal("{ videos: [{ file: \"a.mp4\", end: 2 }] }", .badData, "clip 1 (a.mp4)", "1 s"),
            Refusal(
                "{ videos: [{ file: \"a.mp4\", transition: \"dissolve:0.5\" }] }", .badData,
                "clip 1 (a.mp4)", "no clip before it"),
            Refusal(
                "{ videos: [\"a.mp4\", { file: \"b.mp4\", transition: \"dissolve:2s\" }] }",
                .badData,
                "clip 1 (a.mp4)", "shorten"),
            Refusal(
                """
                { videos: ["a.mp4", { file: "b.mp4", transition: "dissolve:0.6" },
                  { file: "a.mp4", transition: "wipe-left:0.6" }] }
                """, .badData, "clip 2 (b.mp4)", "1.2 s together"),
            Refusal(
                "{ videos: [\"a.mp4\"], titles: [{ text: \"late\", at: 3 }] }", .badData,
                "title 1 (\"late\")", "3 s"),
            Refusal(
                "{ videos: [\"a.mp4\"], music: [{ file: \"b.mp4\", at: 3 }] }", .badData,
                "music 1 (b.mp4)", "3 s"),
        ])
    }

    @Test("keys that are none, at every level")
    func keys() throws {
        try check([
            Refusal("{ vidoes: [\"a.mp4\"] }", .badData, ":1:3", "did you mean \"videos\"?"),
            Refusal(
                "{ videos: [{ file: \"a.mp4\", strat: 1 }] }", .badData, ":1:29",
                "did you mean \"start\"?"),
            Refusal(
                "{ videos: [\"a.mp4\", { file: \"b.mp4\", transition: { kind: \"wipe\", duration: 1, "
                    + "soft: 1 } }] }", .badData, "\"soft\""),
            Refusal(
                "{ videos: [\"a.mp4\"],\n  titles: [{ txet: \"x\" }] }", .badData, ":2:14",
                "did you mean \"text\"?"),
            Refusal("{ videos: [\"a.mp4\"], ducking: { dept: 3 } }", .badData, "\"depth\""),
            Refusal("{ videos: [\"a.mp4\"], videos: [\"b.mp4\"] }", .badData, ":1:22", "videos"),
            Refusal("", .badData, "film.vcap.json5"),
            Refusal("[]", .badData, ":1:1"),
            Refusal("{ videos: [\"a.mp4\"", .badData, ":1:"),
        ])
    }

    @Test("projects beyond every bound are refused at once")
    func oversize() throws {
        let clips = String(repeating: "\"a.mp4\",", count: 10_001)
        let deep = String(repeating: "[", count: 100_000)
        let words = String(repeating: "x", count: 10_001)
        let hours = "{ file: \"a.mp4\", speed: 0.01 },"
        try check([
            Refusal("{ videos: [\(clips)] }", .badData, "10000"),
            Refusal("{ videos: \(deep)", .badData, ":1:"),
            Refusal("{ videos: [\"a.mp4\"], titles: [\"\(words)\"] }", .badData, "10000"),
            Refusal("{ videos: [\"a.mp4\"], size: \"100000x100000\" }", .badData, "size"),
            Refusal("{ videos: [\"a.mp4\"], size: \"101x57\" }", .badData, "even"),
            Refusal("{ videos: [\"a.mp4\"], fps: 100000 }", .badData, "fps"),
            Refusal("{ videos: [\"a.mp4\"], fps: 0 }", .badData, "fps"),
            // 1,000 clips of 100 s are more than a day
            Refusal(
                "{ videos: [\(String(repeating: hours, count: 1000))] }", .badData, "24 h"),
            Refusal(
                "{ videos: [\"a.mp4\"], title: \"\(String(repeating: "y", count: 20 << 20))\" }",
                .badData, "film.vcap.json5"),
        ])
    }

    @Test("timelines of other programs that are none")
    func otio() throws {
        for (text, part) in [
            ("{}", ":1:1"), ("{", ":1:"), ("no timeline", ":1:1"),
            ("{ \"OTIO_SCHEMA\": \"Timeline.1\" }", "film.otio"),
        ] {
            try write("film.otio", Data(text.utf8))
            let before = folder.contents
            let result = try Program.vcap.run(
                ["export", "film.otio", "-o", "out.mp4"], environment: ["HOME": folder.path],
                in: folder.path)
            #expect(result.status == ExitCode.badData.rawValue, "\(text): \(result.errorText)")
            #expect(result.errorText.contains(part), "\(text): \(result.errorText)")
            #expect(folder.contents == before)
        }
    }
}
