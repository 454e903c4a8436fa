import Compose
import Media
import TestSupport
import Testing
import Writing

/// What a plan says of how long the export takes, by a clock that advances as much each time it is asked.
@Suite("Expected times of exports", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ExportTrialTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private final class CountingClock: MediaClock {
        private let asked = Lock<Int64>(0)

        func now() -> MediaTime {
            .milliseconds(
                asked.withLock {
                    $0 += 1
                    return $0
                })
        }

        func wait(until deadline: MediaTime, orSignal signal: WakeSignal) -> WaitOutcome {
            .reachedDeadline
        }
    }

    private func clip(seconds: Int, audio: String? = nil) throws -> String {
        try ForeignClip(
            "\(seconds)\(audio == nil ? "" : "a").mp4", in: folder, seconds: seconds, audio: audio,
            coding: "-c:v libx264 -g 30 -pix_fmt yuv420p"
        ).path
    }

    /// (ms)
    private func expected(
        _ path: String, title: Bool = false, _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> Int64 {
        let titles = [TitleItem("Hello", style: .plain, duration: .seconds(1))]
        let film = try await LoadedTimeline(
            loading: Timeline(videos: [VideoItem(path)], titles: title ? titles : [])
        ).film()
        var settings = ExportSettings()
        change(&settings)
        let session = ExportSession(film, settings: settings, clock: CountingClock())
        let time = try session.expectedTime(of: try session.plan())
        return try #require(time).ticks(per: 1000, rounding: .nearest)
    }

    @Test("twice as many encoded frames take twice as long, two passes twice that")
    func frames() async throws {
        let once = try await expected(clip(seconds: 5))
        // a millisecond and a bit for each of 150 frames
        #expect((150...200).contains(once), "\(once) ms")
        let twice = try await expected(clip(seconds: 10))
        #expect((Double(twice) / Double(once) - 2).magnitude < 0.1, "\(twice) of \(once) ms")
        let passes = try await expected(clip(seconds: 5)) {
            $0.passes = 2
            $0.preset = ExportPreset(
                name: "own",
                video: VideoOutputSettings(
                    codec: .h264, rate: .bitrate(1_000_000), preset: "veryfast"))
        }
        #expect((Double(passes) / Double(once) - 2).magnitude < 0.1, "\(passes) of \(once) ms")
    }

    @Test("frames that are copied cost their reading, and those of a title their encoding")
    func copied() async throws {
        let path = try clip(seconds: 10)
        let all = try await expected(path, title: true)
        let copied = try await expected(path, title: true) { $0.copying = .whereUntouched }
        // thirty and their group, and all samples together
        #expect((30...100).contains(copied) && all > 300, "\(copied) of \(all) ms")
        let passed = try await expected(path) { $0.preset = .passthrough }
        #expect(passed < 20, "\(passed) ms")
    }

    @Test("audio that is measured first takes more readings")
    func audio() async throws {
        let silent = try await expected(clip(seconds: 5))
        let path = try clip(seconds: 5, audio: "-c:a aac -ar 48000")
        let mixed = try await expected(path)
        // a millisecond to mix a second of it, one to encode it
        #expect((8...16).contains(mixed - silent), "\(mixed) and \(silent) ms")
    }
}
