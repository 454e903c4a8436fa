import Media
import TestSupport
import Testing

@testable import Movie
@testable import Writing

@Suite("one movie of several presets")
struct PresetChangeTests {
    /// Writes a take whose encoder is asked for other speeds; every frame is encoded before the next wish.
    private func write(
        _ take: SyntheticTake, to path: String, _ settings: VideoOutputSettings,
        _ wishes: [Int: EncodingSpeed]
    ) async throws -> [(preset: String, time: MediaTime)] {
        let reported = BlockingLock<[(preset: String, time: MediaTime)]>([])
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: path, mode: .realTime),
            onEvent: { event in
                guard case .presetChanged(0, let preset, let time) = event else { return }
                reported.withLock { $0.append((preset, time)) }
            })
        let frames = try writer.inputReceiver(for: settings, sourceFormat: take.videoFormat)
        let audio = try writer.inputReceiver(
            for: AudioOutputSettings(codec: path.hasSuffix(".ts") ? .aac : .pcm16),
            sourceFormat: take.audioFormat)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        let run = SyntheticTake.rate / take.frameRate
        for frame in 0..<take.frameCount {
            if let speed = wishes[frame] {
                #expect(waitUntil { writer.status.tracks[0].queuedSamples == 0 })
                writer.setEncodingSpeed(speed)
            }
            try await audio.append(take.audioSample(from: frame * run, count: run))
            try await frames.append(take.frameSample(frame))
        }
        try writer.endSession(
            atSourceTime: .nanoseconds(
                SyntheticTake.start + Int64(take.seconds) * 1_000_000_000))
        let result = try await writer.finish()
        #expect(result.tracks[0].counts.dropped.isEmpty)
        #expect(result.tracks[1].counts.dropped.isEmpty)
        return reported.read { $0 }
    }

    private func syncTimes(_ path: String) throws -> [Double] {
        try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time,flags",
            "-of", "csv=p=0", path,
        ]).outputText.split(separator: "\n").filter { $0.contains("K") }
            .compactMap { $0.split(separator: ",").first.flatMap { Double($0) } }
    }

    /// What ffmpeg complains of while it decodes everything.
    private func complaints(_ path: String) throws -> String {
        try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-xerror", "-i", path, "-f", "null", "-",
        ]).errorText
    }

    @Test(
        "a movie goes over to faster presets and back at sync samples, and each of its frames is decoded",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"),
        arguments: [
            (VideoCodec.h264, "veryfast", "mp4"), (.h264, "medium", "mov"),
            (.h264, "veryfast", "mkv"), (.h264, "veryfast", "ts"), (.hevc, "veryfast", "mp4"),
            (.hevc, "medium", "mkv"),
        ])
    func changes(codec: VideoCodec, preset: String, container: String) async throws {
        let folder = try TemporaryFolder()
        let take = SyntheticTake(seconds: 8, sound: .tone(440))
        let path = folder.file("take.\(container)")
        let changes = try await write(
            take, to: path, VideoOutputSettings(codec: codec, preset: preset, threads: 2),
            [20: .fastest, 80: .faster, 140: .fastest, 200: .asSet])
        #expect(changes.map(\.preset) == ["ultrafast", "superfast", "ultrafast", preset])

        let oracle = MovieOracle(path)
        #expect(try oracle.frameNumbers() == Array(0..<take.frameCount))
        #expect(try complaints(path) == "")
        let syncs = try syncTimes(path)
        // MPEG-TS begins later, at whatever time libavformat chooses
        let begin = container == "ts" ? syncs.first ?? 0 : 0
        for change in changes {
            let time = change.time.approximateSeconds
            #expect(
                syncs.contains { abs($0 - begin - time) < 0.001 }, "\(change.preset) at \(time)")
        }
        // no sync sample of its own: they come each second as before
        #expect((8...9).contains(syncs.count), "\(syncs)")
        let audio = try oracle.sound()
        #expect(abs(Double(audio.count) / 48_000 - 8) < 0.05)
    }

    @Test(
        "a movie whose parameter sets no faster preset can write continues as it was",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func refused() async throws {
        let folder = try TemporaryFolder()
        let take = SyntheticTake(width: 96, height: 64, seconds: 3)
        let path = folder.file("take.mp4")
        let changes = try await write(
            take, to: path, VideoOutputSettings(codec: .hevc, preset: "slower", threads: 2),
            [20: .fastest, 50: .faster])
        #expect(changes.isEmpty)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<take.frameCount))
        #expect(try complaints(path) == "")
    }

    @Test(
        "a hurry that begins in a pause begins with the frame after it",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func pause() async throws {
        let folder = try TemporaryFolder()
        let take = SyntheticTake(
            seconds: 4, pauses: [SyntheticTake.Pause(at: 1_000_000_000, resume: 2_000_000_000)])
        let path = folder.file("take.mp4")
        let reported = BlockingLock<[(String, MediaTime)]>([])
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: path, mode: .realTime),
            onEvent: { event in
                if case .presetChanged(_, let preset, let time) = event {
                    reported.withLock { $0.append((preset, time)) }
                }
            })
        let frames = try writer.inputReceiver(
            for: VideoOutputSettings(preset: "veryfast", keyFrameInterval: .seconds(10)),
            sourceFormat: take.videoFormat)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        writer.setEncodingSpeed(.asSet)
        for frame in 0..<take.frameCount {
            let time = take.time(of: frame)
            if frame == 30 { try writer.pause(at: .nanoseconds(SyntheticTake.start + time)) }
            if frame == 45 {
                #expect(waitUntil { writer.status.tracks[0].queuedSamples == 0 })
                writer.setEncodingSpeed(.fastest)
            }
            if frame == 60 { try writer.resume(at: .nanoseconds(SyntheticTake.start + time)) }
            try await frames.append(take.frameSample(frame))
        }
        try writer.endSession(atSourceTime: .nanoseconds(SyntheticTake.start + 4_000_000_000))
        _ = try await writer.finish()
        let changes = reported.read { $0 }
        #expect(changes.map(\.0) == ["ultrafast"])
        #expect(abs((changes.first?.1.approximateSeconds ?? 0) - 1) < 0.001)
        #expect(try MovieOracle(path).frameNumbers() == take.expected.map(\.number))
        #expect(try complaints(path) == "")
    }
}
