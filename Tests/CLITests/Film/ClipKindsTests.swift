import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite(
    "What the program makes films of", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ClipKindsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    /// A file made by ffmpeg of generated frames and, for movies, a tone.
    private func make(_ name: String, _ options: [String]) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run(
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=s=128x72:r=25", "-f", "lavfi", "-i",
                "sine=f=440:r=48000:b=4",
            ] + options + [folder.file(name)])
        try #require(result.status == 0, "\(result.errorText)")
    }

    private func clips() throws {
        let movie = ["-t", "1", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        try make("a.mp4", movie)
        try make("b.mov", movie)
        try make("c.gif", ["-frames:v", "12", "-map", "0:v"])
        try make("d.png", ["-frames:v", "1", "-map", "0:v"])
        try make("e.jpg", ["-frames:v", "1", "-map", "0:v", "-pix_fmt", "yuvj420p"])
    }

    @Test("movies, a GIF and still pictures make one film with a title, a chapter and a loudness")
    func everything() throws {
        try clips()
        let result = try run([
            "compose", "a.mp4", "b.mov", "c.gif", "d.png", "e.jpg@..1500ms", "--still-duration",
            "500ms", "--title", "Summer", "--chapter", "Pictures@2.5s", "--loudness", "-23",
            "--network-ready", "-o", "film.mp4", "--json",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.outputText.contains("\"duration\": \"4480000000/1000000000\""))
        #expect(abs(try MovieOracle(folder.file("film.mp4")).duration() - 4.48) < 0.05)
        let probe = try run(["probe", "film.mp4"])
        #expect(probe.outputText.contains("Pictures"))
        #expect(abs(try loudness("film.mp4") + 23) < 1)
        #expect(folder.contents.allSatisfy { !$0.hasPrefix(".film") })
    }

    /// Programme loudness by ffmpeg's own meter (LUFS).
    private func loudness(_ name: String) throws -> Double {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-hide_banner", "-nostats", "-i", folder.file(name), "-af", "ebur128", "-f", "null",
            "-",
        ])
        let line = result.errorText.components(separatedBy: "I:").last ?? ""
        return try #require(Double(line.split(separator: " ").first ?? ""))
    }

    @Test("torn and oversize frames are bad data, and what cannot be copied too")
    func refusals() throws {
        try clips()
        for name in ["c.gif", "d.png", "e.jpg"] {
            let path = folder.file(name)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            // of a GIF only what is before its first picture's end
            let length = name == "c.gif" ? 900 : bytes.count - 40
            try bytes.prefix(length).write(to: URL(fileURLWithPath: folder.file("torn-\(name)")))
        }
        let before = folder.contents
        let cases: [(words: [String], code: ExitCode)] = [
            (["torn-c.gif"], .badData), (["torn-d.png"], .badData), (["torn-e.jpg"], .badData),
            (["missing.png"], .noInput),
            (["a.mp4", "d.png", "--preset", "passthrough"], .badData),
            (["a.mp4", "--title", "No", "--preset", "passthrough"], .usage),
            (["a.mp4", "--loudness", "3"], .usage),
        ]
        for (words, code) in cases {
            let result = try run(["compose"] + words + ["-o", "x.mp4"])
            #expect(result.status == code.rawValue, "\(words): \(result.errorText)")
            let errors = result.errorText.split(separator: "\n").filter { $0.contains("error: ") }
            #expect(errors.count == 1, "\(words): \(result.errorText)")
            #expect(folder.contents == before, "\(words)")
        }
        let other = try run([
            "compose", "a.mp4", "--preset", "passthrough", "-o", "x.mkv",
        ])
        #expect(other.status == ExitCode.usage.rawValue, "\(other.errorText)")
    }

    @Test("parts of two clips are joined without encoding, and the plan says of what")
    func passthrough() throws {
        try clips()
        let words = ["compose", "a.mp4@200ms..800ms", "b.mov@400ms..", "--preset", "passthrough"]
        let plan = try run(words + ["--plan", "-o", "x.mp4"])
        #expect(plan.status == 0, "\(plan.errorText)")
        #expect(plan.outputText.contains("copy track 1 of a.mp4"), "\(plan.outputText)")
        #expect(plan.outputText.contains("copy track 2 of b.mov"), "\(plan.outputText)")
        let result = try run(words + ["-o", "film.mp4"])
        #expect(result.status == 0, "\(result.errorText)")
        let probe = try run(["probe", "film.mp4"])
        #expect(probe.outputText.contains("EDIT OF TRACK"), "\(probe.outputText)")
        #expect(abs(try MovieOracle(folder.file("film.mp4")).duration() - 1.2) < 0.01)
    }
}
