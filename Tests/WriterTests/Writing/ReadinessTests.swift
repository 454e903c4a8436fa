import Media
import TestSupport
import Testing

@testable import Movie
@testable import Writing

@Suite("Readiness of a receiver")
struct ReadinessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func writer(_ mode: AssetWriterConfiguration.Mode) throws -> AssetWriter {
        var configuration = try AssetWriterConfiguration(
            outputPath: folder.file("a.mp4"), mode: mode)
        // two and a half frames of 640x360
        configuration.videoQueueBytes = 1 << 20
        return try AssetWriter(configuration)
    }

    /// An encoder that is slower than what draws.
    private let slow = VideoOutputSettings(codec: .h264, preset: "slower")
    private let take = SyntheticTake(width: 640, height: 360, seconds: 2)

    @Test(
        "who appends when the receiver is ready loses no frame and never finds it full",
        arguments: [AssetWriterConfiguration.Mode.realTime, .offline])
    func drivenProducer(mode: AssetWriterConfiguration.Mode) async throws {
        let writer = try writer(mode)
        let video = try writer.inputReceiver(for: slow, sourceFormat: take.videoFormat)
        #expect(!video.isReadyForMoreMediaData)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        #expect(video.isReadyForMoreMediaData)
        var frame = 0
        var pauses = 0
        for await _ in video.readiness {
            while frame < take.frameCount, video.isReadyForMoreMediaData {
                // the form that does not wait: it would answer false, and in real time drop the frame
                #expect(try video.appendImmediately(take.frameSample(frame)))
                frame += 1
            }
            pauses += 1
            if frame == take.frameCount { break }
        }
        #expect(frame == 60 && pauses > 1)
        try writer.endSession(atSourceTime: .nanoseconds(SyntheticTake.start + 2_000_000_000))
        let result = try await writer.finish()
        #expect(result.tracks[0].counts.written == 60)
        #expect(result.tracks[0].counts.dropped.isEmpty)
    }

    @Test("the same producer without asking loses frames in real time")
    func control() async throws {
        let writer = try writer(.realTime)
        let video = try writer.inputReceiver(for: slow, sourceFormat: take.videoFormat)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        for frame in 0..<take.frameCount { try video.appendImmediately(take.frameSample(frame)) }
        try writer.endSession(atSourceTime: .nanoseconds(SyntheticTake.start + 2_000_000_000))
        let result = try await writer.finish()
        #expect(result.tracks[0].counts.dropped[.encoderBehind] ?? 0 > 0)
    }

    @Test("readiness ends with the track, with the session and with the task")
    func ends() async throws {
        let writer = try writer(.offline)
        let video = try writer.inputReceiver(for: slow, sourceFormat: take.videoFormat)
        for await _ in video.readiness { Issue.record("ready before the session") }
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        let endless = Task {
            var turns = 0
            for await _ in video.readiness {
                turns += 1
                await Task.yield()
            }
            return turns
        }
        endless.cancel()
        _ = await endless.value
        try await video.append(take.frameSample(0))
        let watcher = Task { for await _ in video.readiness { await Task.yield() } }
        video.finish()
        await watcher.value
        #expect(!video.isReadyForMoreMediaData)
        await writer.cancel()
        for await _ in video.readiness { Issue.record("ready after the end") }
    }
}
