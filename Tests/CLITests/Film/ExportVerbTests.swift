import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite(
    "Exporting projects with the program", .serialized, .tags(.realTime),
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ExportVerbTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    private func clips() throws {
        for name in ["a.mp4", "b.mp4"] {
            let made = try run([
                "record", "-q", "-c", "test:", "-a", "test:", "-s", "192x108", "-r", "30", "-t",
                "2",
                "--keys", "none", "-o", name,
            ])
            try #require(made.status == 0, "\(made.errorText)")
        }
    }

    private let project = """
        {
          title: "Two",
          videos: ["a.mp4", { file: "b.mp4", start: "500ms", transition: "wipe-left:500ms" }],
          titles: [{ text: "مرحبا", duration: "1s" }],
          music: [{ file: "a.mp4", volume: 0.2 }],
          chapters: [{ at: "1s", title: "Middle" }],
        }
        """

    @Test("a project becomes the film it describes, and the same one through OpenTimelineIO")
    func film() throws {
        try clips()
        try write("film.vcap.json5", project)
        let plan = try run(["export", "film.vcap.json5", "--plan", "--json"])
        #expect(plan.outputText.contains("\"frames\": 90"))
        #expect(try run(["export", "film.vcap.json5", "-o", "film.mp4"]).status == 0)
        let carried = try run(["export", "film.vcap.json5", "-o", "film.otio"])
        #expect(carried.status == 0)
        #expect(carried.errorText.contains("not carried"))
        let back = try run(["export", "film.otio", "-o", "again.mp4"])
        #expect(back.status == 0, "\(back.errorText)")
        let direct = try MovieOracle(folder.file("film.mp4")).frameNumbers()
        #expect(direct.count == 90)
        #expect(try MovieOracle(folder.file("again.mp4")).frameNumbers() == direct)
        #expect(try run(["probe", "film.mp4"]).outputText.contains("Middle"))
    }

    @Test("mistakes in a project are reported with line and column, and nothing is left behind")
    func mistakes() throws {
        try clips()
        let cases: [(text: String, says: String, code: ExitCode)] = [
            ("{ videos: [\"a.mp4\"], tittles: [] }", "1:22", .badData),
            ("{\n  videos: [\"a.mp4\",\n}", ":3:1", .badData),
            ("{ videos: [{ file: \"a.mp4\", speed: -1 }] }", "speed", .badData),
            ("{ videos: [\"../a.mp4\"] }", "leads out", .badData),
            ("{ videos: [\"missing.mp4\"] }", "missing.mp4", .noInput),
            (
                "{ videos: [{ file: \"a.mp4\", start: \"9s\" }] }",
                "film.vcap.json5:1:12: clip 1 (a.mp4) starts at 9 s", .badData
            ),
            (
                "{ videos: [\"a.mp4\",\n  { file: \"a.mp4\", transition: \"dissolve:9s\" }] }",
                "film.vcap.json5:2:32: the transitions", .badData
            ),
        ]
        for (text, says, code) in cases {
            try write("film.vcap.json5", text)
            let before = folder.contents
            let result = try run(["export", "film.vcap.json5", "-o", "film.mp4"])
            #expect(result.status == code.rawValue, "\(text): \(result.errorText)")
            #expect(result.errorText.contains(says), "\(text): \(result.errorText)")
            #expect(folder.contents == before)
        }
        #expect(try run(["export", "none.vcap.json5", "-o", "x.mp4"]).status == 66)
        #expect(try run(["export", "-o", "x.mp4"]).status == 64)
    }

    @Test("the schema is JSON and names every key of the project above")
    func schema() throws {
        let result = try run(["export", "--schema"])
        #expect(result.status == 0)
        let schema = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
        let keys = (schema?["properties"] as? [String: Any])?.keys
        for key in ["title", "videos", "titles", "music", "chapters", "voiceOvers", "ducking"] {
            #expect(keys?.contains(key) == true, "\(key)")
        }
    }
}
