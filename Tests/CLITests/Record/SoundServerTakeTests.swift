import Foundation
import TestSupport
import Testing

/// Takes of the built program from a private sound server of either kind.
@Suite(
    .tags(.realTime),
    .enabled(
        if: MovieOracle.isAvailable
            && SoundServer.Kind.allCases.allSatisfy {
                SoundServer.missing($0) == nil
            }, "needs pulseaudio, pipewire and ffmpeg; scripts/install-deps test"))
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

    @Test(
        "what a server plays is in the movie, in place and whole",
        arguments: SoundServer.Kind.allCases)
    func played(on kind: SoundServer.Kind) throws {
        let folder = try TemporaryFolder()
        let server = try SoundServer(kind)
        try server.start()
        let movie = folder.file("take.mov")
        let take = try SoundServer.hear(
            isWhole: { (_: Program.Result) in (try? Triangle(of: movie).isWhole) ?? false },
            {
                let player = try play(into: server)
                defer { player?.end() }
                let take = try Program.vcap.run(
                    [
                        "record", "-c", "none", "-a", "pulse:lab.monitor", "--audio-codec", "pcm",
                        "-t", "4", "-y", "-o", movie,
                    ],
                    environment: server.environment)
                return (take, player)
            })
        #expect(take.status == 0, "\(take.errorText)")
        let report = try report(in: folder)
        #expect(report.verdict == "good", "\(take.errorText)")
        let sound = try Triangle(of: movie)
        #expect(abs(sound.count - 4 * 48_000) <= 1)
        let shape = sound.shape
        #expect(shape.straight > 0.9)
        #expect(shape.steepest < 1.3)
        #expect(shape.corners.allSatisfy { (48...52).contains($0) }, "\(shape.corners)")
    }

    /// A triangle of 480 Hz as it was heard: its slope is one of two, and each of its corners 50 frames from the last; a
    /// click or a hole is neither.
    private struct Triangle {
        /// Of the whole movie (frames).
        let count: Int
        /// From where the player is heard on.
        private let audio: ArraySlice<Float>

        struct NotHeard: Error {}

        /// - Throws: `NotHeard` where the player has not begun within two seconds.
        init(of movie: String) throws {
            let all = try MovieOracle(movie).sound()
            guard let first = all.firstIndex(where: { abs($0) > 0.05 }), first < 96_000 else {
                throw NotHeard()
            }
            count = all.count
            audio = all[(first + 4800)...]
        }

        /// Parts of it with the right slope, the steepest step (slopes), and the distances of its corners (frames).
        var shape: (straight: Double, steepest: Float, corners: [Int]) {
            let steps = zip(audio, audio.dropFirst()).map { $1 - $0 }
            let slope: Float = 400 / 32_768 * Float(2).squareRoot()  // ffmpeg's way to one channel
            let straight = steps.count { abs(abs($0) - slope) < 0.1 * slope }
            let corners = zip(steps, steps.dropFirst()).enumerated()
                .filter { ($0.element.0 > 0) != ($0.element.1 > 0) }.map(\.offset)
            return (
                Double(straight) / Double(max(1, steps.count)),
                (steps.map(abs).max() ?? 0) / slope,
                zip(corners, corners.dropFirst()).map { $1 - $0 }
            )
        }

        var isWhole: Bool {
            let shape = shape
            return shape.steepest < 1.3 && shape.corners.allSatisfy { (48...52).contains($0) }
        }
    }

    @Test(
        "a sound server killed and restarted mid-take leaves silence of exactly the gap",
        arguments: SoundServer.Kind.allCases)
    func killedAndRestarted(_ kind: SoundServer.Kind) throws {
        let folder = try TemporaryFolder()
        let server = try SoundServer(kind)
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
        defer { if take.isRunning { take.signal(SIGKILL) } }
        try wait(for: 2, of: take, progress)
        server.kill()
        player?.signal(SIGKILL)
        usleep(1_000_000)
        try server.start()
        player = try play(into: server)
        try #require(waitUntil { take.errorTextSoFar.contains("is back after") })
        try wait(for: seconds(progress) + 1.5, of: take, progress)
        take.signal(SIGINT)
        let ended = take.wait()
        player?.signal(SIGKILL)
        #expect(ended.status == 0, "\(ended.errorText)")

        let report = try report(in: folder)
        let gaps = report.tracks.first?.gaps ?? []
        #expect(report.verdict == "degraded")
        #expect(gaps.map(\.cause) == ["server-gone"])
        let gap = try #require(gaps.first)
        #expect(gap.length > 1)

        let audio = try MovieOracle(movie).sound()
        let inside = slice(audio, gap.movieTime + 0.05, gap.movieTime + gap.length - 0.05)
        #expect(inside.allSatisfy { abs($0) < 0.01 }, "the gap is silent")
        let before = slice(audio, gap.movieTime - 0.2, gap.movieTime - 0.05)
        #expect(before.contains { abs($0) > 0.05 }, "up to the gap there is audio")
        let after = slice(audio, gap.movieTime + gap.length, Double.infinity)
        #expect(after.contains { abs($0) > 0.05 }, "after it there is audio again")
    }

    private func report(in folder: TemporaryFolder) throws -> Report {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json")))
        return try JSONDecoder().decode(Report.self, from: data)
    }

    private func slice(_ audio: [Float], _ start: Double, _ end: Double) -> ArraySlice<Float> {
        let first = max(0, min(audio.count, Int(start * 48_000)))
        let last = end.isFinite ? max(first, min(audio.count, Int(end * 48_000))) : audio.count
        return audio[first..<last]
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
            if self.seconds(progress) >= seconds { return }
            usleep(20_000)
        }
        throw CocoaError(.featureUnsupported)
    }

    /// The take's length as it was reported last (s).
    private func seconds(_ progress: String) -> Double {
        let text = (try? String(contentsOfFile: progress, encoding: .utf8)) ?? ""
        let times = text.split(separator: "\n").filter { $0.hasPrefix("out_time_us=") }
        return (times.last.flatMap { Double($0.dropFirst("out_time_us=".count)) } ?? 0) / 1e6
    }
}
