import Foundation
import Glibc
import TestSupport
import Testing

/// What the report of a take says while it grows, after a kill, and once somebody has looked.
@Suite("The report of a killed take", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ClosedReportTests {
    @Test(
        "it has no verdict and follows the movie while it grows; who looks at the movie closes it")
    func closedByProbe() throws {
        let folder = try TemporaryFolder()
        let movie = folder.file("take.mp4")
        let recorder = try Program.vcap.start(KilledTake.arguments(output: movie))
        let began = Date()
        while Date().timeIntervalSince(began) < 30,
            ((try? ReportOnDisk(besides: movie))?.duration ?? 0) < 4.5
        { Thread.sleep(forTimeInterval: 0.05) }
        // nothing happened in this take: only its age brought the report up to date
        let growing = try ReportOnDisk(besides: movie)
        #expect(growing.state == "recording")
        #expect(growing.verdict == nil)
        #expect(growing.duration >= 4.5)
        #expect(growing.frames >= 4 * 30)

        let early = try Program.vcap.run(["probe", movie])
        #expect(early.status == 0)
        #expect(try ReportOnDisk(besides: movie).state == "recording", "it is being written")

        recorder.signal(SIGKILL)
        _ = recorder.wait()
        let probe = try Program.vcap.run(["probe", movie])
        #expect(probe.status == 0)
        #expect(probe.errorText.contains("cut by a crash"), "\(probe.errorText)")
        let closed = try ReportOnDisk(besides: movie)
        #expect(closed.state == "recovered")
        #expect(closed.verdict == "degraded")
        let frames = try MovieOracle(movie).frameNumbers().count
        #expect(closed.frames == frames)
        #expect(abs(closed.duration - Double(frames) / 30) < 0.3)

        let again = try Program.vcap.run(["probe", movie])
        #expect(!again.errorText.contains("cut by a crash"))
        let repair = try Program.vcap.run(["repair", movie])
        #expect(repair.outputText.contains("is not in it"))
        #expect(try ReportOnDisk(besides: movie).state == "recovered")
    }
}
