import Foundation
import Glibc
import TestSupport
import Testing

/// A kill in a long pause: nothing is on its way then.
@Suite(
    "A take that is killed in a pause", .tags(.mostlyWaits),
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct PausedKillTests {
    @Test(
        "what was recorded before the pause is in the movie, in every container",
        arguments: ["mp4", "mov", "mkv", "ts"])
    func killed(_ ending: String) throws {
        let folder = try TemporaryFolder(in: "/tmp")
        let movie = folder.file("take.\(ending)")
        let recorder = try Program.vcap.start(
            KilledTake.arguments(output: movie) + ["--session", "k"],
            environment: ["XDG_RUNTIME_DIR": folder.path])
        func control(_ words: String...) throws -> Program.Result {
            try Program.vcap.run(["ctl"] + words, environment: ["XDG_RUNTIME_DIR": folder.path])
        }
        let frames = { () throws -> Int in
            let text = try control("status", "--json").outputText
            let line = text.split(separator: "\n").first { $0.contains("\"frames\"") }
            return Int(line?.filter(\.isNumber) ?? "") ?? 0
        }
        try #require(waitUntil { try frames() > 50 })
        _ = try control("pause")
        try #require(waitUntil { try control("status").outputText.contains(" paused") })
        Thread.sleep(forTimeInterval: 2)
        let recorded = try frames()
        recorder.signal(SIGKILL)
        _ = recorder.wait()
        #expect(try Program.vcap.run(["repair", movie]).status == 0)
        let kept = try MovieOracle(movie).frameNumbers()
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $1 == $0 + 1 })
        // a packet of audio that is not full, and the frames that wait for it: at most 0.15 s
        #expect(recorded - kept.count <= 4, "\(kept.count) of \(recorded)")
    }

    @Test("many pauses leave a movie without a hole, each span of which begins with a sync sample")
    func manyPauses() throws {
        let folder = try TemporaryFolder(in: "/tmp")
        let movie = folder.file("take.mp4")
        let recorder = try Program.vcap.start(KilledTake.arguments(output: movie, seconds: "3"))
        try #require(waitUntil { (try? TopLevelBoxes(movie))?.isFragmented == true })
        for _ in 0..<12 {
            recorder.signal(SIGUSR1)
            Thread.sleep(forTimeInterval: 0.08)
        }
        let result = recorder.wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try MovieOracle(movie).frameNumbers().count == 90)
        let decoded = try #require(Program.tool("ffmpeg")).run([
            "-v", "warning", "-i", movie, "-f", "null", "-",
        ])
        #expect(decoded.errorText.isEmpty, "\(decoded.errorText)")
    }
}
