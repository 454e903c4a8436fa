import Foundation
import TestSupport
import Testing

/// Takes of the built program from a private PulseAudio server.
@Suite(
    .enabled(
        if: SoundServer.isInstalled && MovieOracle.isAvailable,
        "needs pulseaudio, pulseaudio-utils and ffmpeg; scripts/install-deps test"))
struct SoundServerTakeTests {
    private struct Report: Decodable {
        struct Gap: Decodable {
            let movieTime: Double
            let length: Double
            let cause: String
        }
        struct Track: Decodable { let gaps: [Gap] }
        let verdict: String
        let tracks: [Track]
    }

    @Test("a sound server killed and restarted mid-take leaves silence of exactly the gap")
    func killedAndRestarted() throws {
        let folder = try TemporaryFolder()
        let server = try SoundServer()
        try server.start()
        var player = try play(into: server)
        let movie = folder.file("take.mp4")
        let progress = folder.file("progress")
        let take = try Program.vcap.start(
            [
                "record", "-c", "none", "-a", "pulse:lab.monitor", "-o", movie, "--progress",
                progress,
            ],
            environment: server.environment)
        try wait(for: 2, of: take, progress)
        server.kill()
        player?.signal(SIGKILL)
        usleep(1_000_000)
        try server.start()
        player = try play(into: server)
        try wait(for: 6, of: take, progress)
        take.signal(SIGINT)
        let ended = take.wait()
        player?.signal(SIGKILL)
        #expect(ended.status == 0, "\(ended.errorText)")

        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json")))
        let report = try JSONDecoder().decode(Report.self, from: data)
        let gaps = report.tracks.first?.gaps ?? []
        #expect(report.verdict == "degraded")
        #expect(gaps.map(\.cause) == ["server-gone"])
        let gap = try #require(gaps.first)
        #expect(gap.length > 1)

        let sound = try MovieOracle(movie).sound()
        let inside = slice(sound, gap.movieTime + 0.05, gap.movieTime + gap.length - 0.05)
        #expect(inside.allSatisfy { abs($0) < 0.01 }, "the gap is silent")
        let before = slice(sound, gap.movieTime - 0.2, gap.movieTime - 0.05)
        #expect(before.contains { abs($0) > 0.05 }, "up to the gap there is sound")
        let after = slice(sound, gap.movieTime + gap.length, Double.infinity)
        #expect(after.contains { abs($0) > 0.05 }, "after it there is sound again")
    }

    private func slice(_ sound: [Float], _ start: Double, _ end: Double) -> ArraySlice<Float> {
        let first = max(0, min(sound.count, Int(start * 48_000)))
        let last = end.isFinite ? max(first, min(sound.count, Int(end * 48_000))) : sound.count
        return sound[first..<last]
    }

    /// A second of a 480 Hz triangle, over and over.
    private func play(into server: SoundServer) throws -> RunningProgram? {
        let once = (0..<100).flatMap { frame -> [Int16] in
            let value = Int16((abs(frame - 50) - 25) * 400)
            return [value, value]
        }
        return try server.play((0..<480 * 60).flatMap { _ in once })
    }

    private func wait(for seconds: Double, of take: RunningProgram, _ progress: String) throws {
        for _ in 0..<1000 where take.isRunning {
            let text = (try? String(contentsOfFile: progress, encoding: .utf8)) ?? ""
            let times = text.split(separator: "\n").filter { $0.hasPrefix("out_time_us=") }
            let last = times.last.flatMap { Double($0.dropFirst("out_time_us=".count)) } ?? 0
            if last >= seconds * 1e6 { return }
            usleep(20_000)
        }
        throw CocoaError(.featureUnsupported)
    }
}
