import Foundation
import TestSupport
import Testing

@testable import vcap

@Suite("Sources that deliver nothing worth recording", .serialized, .tags(.realTime, .mostlyWaits))
struct WatchTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        guard let ffmpeg = Program.tool("ffmpeg") else { return }
        let made = try ffmpeg.run([
            "-v", "error", "-f", "lavfi", "-i", "color=black:s=160x120:r=30:d=9", "-f", "lavfi",
            "-i",
            "anullsrc=r=48000:d=9", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac",
            folder.file("nothing.mp4"),
        ])
        try #require(made.status == 0)
    }

    private func record(_ name: String, _ more: String...) throws -> RunningProgram {
        let clip = "file:" + folder.file("nothing.mp4")
        return try Program.vcap.start(
            [
                "record", "-c", clip, "-a", clip, "-t", "7", "-o", folder.file(name), "--session",
                "w",
            ]
                + more, environment: ["XDG_RUNTIME_DIR": folder.path])
    }

    @Test(
        "a covered lens and a muted microphone are reported by messages, status, progress, report and verdict",
        .enabled(if: MovieOracle.isAvailable, "ffmpeg makes the clip"))
    func reported() throws {
        let recorder = try record("take.mp4", "--progress", folder.file("progress.txt"))
        waitUntil { recorder.errorTextSoFar.contains("silent: is it muted?") }
        let status = try Program.vcap.run(
            ["ctl", "status", "--json"], environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(status.outputText.contains("\"condition\": \"black\""))
        #expect(status.outputText.contains("\"condition\": \"silent\""))
        let result = recorder.wait()
        #expect(result.status == 0)
        #expect(result.errorText.contains("nothing.mp4 has been black: is its lens covered?"))
        let report = try String(contentsOfFile: folder.file("take.vcap.json"), encoding: .utf8)
        #expect(report.contains("was black throughout."))
        #expect(report.contains("was silent throughout."))
        #expect(report.contains("\"degraded\""))
        let progress = try String(contentsOfFile: folder.file("progress.txt"), encoding: .utf8)
        #expect(progress.contains("sources_black=1\nsources_frozen=0\nsources_silent=1\n"))
    }

    @Test(
        "what is not watched is not reported",
        .enabled(if: MovieOracle.isAvailable, "ffmpeg makes the clip"))
    func unwatched() throws {
        let result = try record("take.mkv", "--watch", "none").wait()
        #expect(result.status == 0)
        #expect(!result.errorText.contains("black") && !result.errorText.contains("silent"))
        let report = try String(contentsOfFile: folder.file("take.vcap.json"), encoding: .utf8)
        #expect(!report.contains("conditions"))
    }

    @Test("what cannot be watched is refused by name")
    func refused() throws {
        let result = try record("take.mp4", "--watch", "black,blue").wait()
        #expect(result.status == 64)
        #expect(result.errorText.contains("none, or some of black, frozen and silent"))
    }
}
