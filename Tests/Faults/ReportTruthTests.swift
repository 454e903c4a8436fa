import Foundation
import Glibc
import TestSupport
import Testing

/// A report's figures are those of the file, also where writing failed.
@Suite("The report and the file", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ReportTruthTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func shell(_ line: String, _ words: [String]) throws -> Program.Result {
        try #require(Program.tool("bash")).run(
            ["-c", line, "bash", Program.vcap.path] + words, in: folder.path)
    }

    @Test(
        "after a write that failed it counts what is in the file, and names what is not",
        arguments: ["mp4", "mov", "mkv", "ts"])
    func failedWrite(_ ending: String) throws {
        let movie = folder.file("take.\(ending)")
        let result = try shell(
            "ulimit -f 80; exec env --default-signal=XFSZ \"$@\"",
            KilledTake.arguments(output: movie, seconds: "20"))
        #expect(result.status == 74, "\(result.errorText)")
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json")))
        let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let tracks = try #require(report["tracks"] as? [[String: Any]])
        let frames = try MovieOracle(movie).frameNumbers().count
        #expect(tracks[0]["frames"] as? Int == frames)
        let size = try FileManager.default.attributesOfItem(atPath: movie)[.size] as? Int
        #expect(report["bytes"] as? Int == size)
        let length = try #require(report["duration"] as? Double)
        #expect(abs(length - Double(frames) / 30) < 0.1)
        let reasons = try #require(report["reasons"] as? [String])
        #expect(reasons.contains { $0.hasSuffix("s did not reach the file.") }, "\(reasons)")
    }

    @Test("two takes that begin together and would share a report: one of them is refused")
    func together() throws {
        let takes = try ["mp4", "mkv", "mov"].map {
            try Program.vcap.start(
                KilledTake.arguments(output: folder.file("take.\($0)"), seconds: "1"))
        }
        let results = takes.map { $0.wait() }
        #expect(results.map(\.status).sorted() == [0, 73, 73], "\(results.map(\.errorText))")
        let movies = folder.contents.filter { !$0.hasSuffix(".json") }
        #expect(movies.count == 1, "\(movies)")
        let report = try String(contentsOfFile: folder.file("take.vcap.json"), encoding: .utf8)
        #expect(report.contains("\"movie\" : \"\(movies.first ?? "")\""))
    }

    @Test("a take that never begins leaves no report and prints no path")
    func neverBegan() throws {
        let recorder = try Program.vcap.start(
            KilledTake.arguments(output: folder.file("take.mp4")).filter { $0 != "-q" } + ["-v"])
        _ = waitUntil { folder.contents.contains("take.vcap.json") }
        recorder.signal(SIGTERM)
        let result = recorder.wait()
        #expect(result.status == 0)
        // a quick machine may have begun
        guard result.output.isEmpty else { return #expect(folder.contents.contains("take.mp4")) }
        #expect(result.errorText.contains("nothing was recorded"))
        #expect(folder.contents.isEmpty, "\(folder.contents)")
    }

    @Test(
        "the report of a take that was killed before anything was written is closed",
        arguments: ["probe", "repair"])
    func empty(_ verb: String) throws {
        let movie = folder.file("take.mp4")
        let recorder = try Program.vcap.start(KilledTake.arguments(output: movie))
        try #require(waitUntil { folder.contents.contains("take.vcap.json") })
        recorder.signal(SIGKILL)
        _ = recorder.wait()
        let looked = try Program.vcap.run([verb, movie])
        let size = try FileManager.default.attributesOfItem(atPath: movie)[.size] as? Int
        #expect((looked.status == 65) == (size == 0), "\(looked.errorText)")
        let report = try String(contentsOfFile: folder.file("take.vcap.json"), encoding: .utf8)
        #expect(report.contains("\"state\" : \"recovered\""))
        #expect(!report.contains("\"recording\""))
    }

    @Test("too few files for a recording are a sentence", arguments: [8, 20, 26, 40])
    func fewFiles(_ count: Int) throws {
        let result = try shell("ulimit -n \(count); exec \"$@\"", ["version"])
        #expect(result.status == 74)
        #expect(result.errorText.contains("raise the limit (ulimit -n)"), "\(result.errorText)")
    }
}
