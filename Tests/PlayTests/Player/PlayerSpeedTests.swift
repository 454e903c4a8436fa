import Compose
import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Play

/// Prints how long wishes take; run by bench/play.sh, optimised and on a quiet machine.
@Suite(
    "Speed of playing", .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["VCAP_BENCH_PLAY"] != nil,
        "times mean something in bench/play.sh only"))
struct PlayerSpeedTests {
    private let folder: TemporaryFolder
    private let clock = HostClock()

    init() throws { folder = try TemporaryFolder() }

    /// Moving shapes and noise, by another program, about as hard to decode as a camera's.
    private func clip(_ name: String, size: String, seconds: Int, gop: Int) throws -> String {
        let path = folder.file(name)
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-f", "lavfi", "-i",
            "testsrc2=s=\(size):r=30:d=\(seconds),noise=alls=12:allf=t", "-f", "lavfi", "-i",
            "sine=440:d=\(seconds)", "-c:v", "libx264", "-preset", "veryfast", "-b:v", "12M", "-g",
            "\(gop)", "-pix_fmt", "yuv420p", "-c:a", "aac", path,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return path
    }

    private func now() -> Double { Double(clock.now().nanoseconds()) / 1e6 }

    private func line(_ name: String, _ values: [Double], _ bound: String) {
        let sorted = values.sorted()
        func at(_ part: Double) -> String {
            guard !sorted.isEmpty else { return "none" }
            let place = min(sorted.count - 1, Int(Double(sorted.count) * part))
            return "\((sorted[place] * 10).rounded() / 10)"
        }
        print(
            "play \(name): \(sorted.count), median \(at(0.5)) ms, 95 % \(at(0.95)) ms, most \(at(1)) ms (\(bound))"
        )
    }

    @Test(
        "seeks and scrubbing in 1080p",
        arguments: [
            ("take-30", "95 % at most 80 ms"), ("take-300", "95 % at most 250 ms"),
            ("camera-30", "95 % at most 80 ms"), ("film-300", "95 % at most 250 ms"),
        ])
    func seeks(name: String, bound: String) async throws {
        let folder = ProcessInfo.processInfo.environment["VCAP_BENCH_PLAY"] ?? ""
        let path = "\(folder)/\(name).mp4"
        let begin = now()
        let item = try PlayerItem(try Asset.load(path))
        let player = try Player(
            item, settings: PlayerSettings(wantedSize: PixelSize(1280, 720), speaker: .none))
        let handed = Lock<[(number: Int64, at: Double)]>([])
        player.setFrameHandler { [self] frame in
            handed.withLock { $0.append((frame.number, now())) }
        }
        #expect(waitUntil { handed.withLock { !$0.isEmpty } })
        let first = handed.withLock { $0[0].at } - begin
        line("first frame, \(name)", [first], "at most 250 ms")
        var random = SplitMix(seed: 9)
        var took: [Double] = []
        for _ in 0..<200 {
            let wanted = Int64.random(in: 0..<900, using: &random)
            let start = now()
            #expect(await player.seek(to: MediaTime(value: wanted, timescale: 30)))
            took.append(now() - start)
            #expect(handed.withLock { $0.last?.number } == wanted)
        }
        line("seek, \(name)", took, bound)
        // 60 wishes a second, there and back
        handed.withLock { $0 = [] }
        var wishes: [(place: Int64, at: Double)] = []
        for step in 0..<600 {
            let place = Int64(step < 300 ? step * 2 : 1200 - step * 2)
            wishes.append((place, now()))
            player.seek(to: MediaTime(value: place, timescale: 30)) { _ in }
            try await Task.sleep(for: .microseconds(16_667))
        }
        try await Task.sleep(for: .seconds(1))
        // how long ago what is seen was wished for; there and back each place is wished for twice
        let lags = handed.withLock { $0 }.compactMap { frame in
            wishes.last { $0.place == frame.number && $0.at <= frame.at }.map { frame.at - $0.at }
        }
        line("scrubbing, \(name)", lags, "within 100 ms")
        await player.stop()
    }

    @Test(
        "a film with a dissolve, a title and music plays in real time",
        arguments: [("1280x720", 1280, 720), ("1920x1080", 960, 540)])
    func realTime(size: String, width: Int, height: Int) async throws {
        let paths = try ["a.mp4", "b.mp4"].map { try clip($0, size: size, seconds: 12, gop: 30) }
        let timeline = Timeline(
            videos: [
                VideoItem(paths[0]),
                VideoItem(paths[1], transition: .dissolve(.seconds(2))),
            ], titles: [TitleItem("In real time", at: .seconds(1), duration: .seconds(18))])
        let film = try TimelineBuilder(timeline, assets: paths.map { try Asset.load($0) }).film()
        let player = try Player(
            try PlayerItem(film),
            settings: PlayerSettings(wantedSize: PixelSize(width, height), speaker: .none))
        player.setFrameHandler { _ in }
        let events = player.events()
        player.play()
        var lowered = 0
        for await event in events {
            if case .quality(let quality) = event, quality != .full { lowered += 1 }
            if event == .ended { break }
        }
        let counts = player.counts
        print(
            "play \(size) in \(width)x\(height): \(counts.shown) shown, \(counts.dropped) dropped, \(counts.stalls) stalls, quality lowered \(lowered) times (none dropped)"
        )
        await player.stop()
    }
}
