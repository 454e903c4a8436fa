import Media
import TestSupport
import Testing

@testable import Movie
@testable import Writing

@Suite("frames that cannot be converted, and writers that are done")
struct LostFrameTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Too wide to be scaled.
    private func unconvertible(at time: MediaTime) -> SampleBuffer {
        let format = VideoFormat(coding: .raw(.gray), width: 16_400, height: 2)
        return SampleBuffer(
            payload: .pixels(PixelBuffer(width: 16_400, height: 2, format: .gray)),
            format: .video(format), presentationTime: time)
    }

    @Test(
        "one frame that cannot be converted is reported at its own time, and is all that the movie misses",
        .enabled(if: MovieOracle.isAvailable, "ffmpeg and ffprobe read the movies"),
        arguments: ["mp4", "mkv"])
    func oneFrame(ending: String) async throws {
        let take = SyntheticTake(
            seconds: 1, pauses: [.init(at: 300_000_000, resume: 500_000_000)])
        let path = folder.file("one.\(ending)")
        let drops = BlockingLock<[SampleDrop]>([])
        let failures = BlockingLock<[MediaError]>([])
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: path, mode: .realTime),
            onEvent: { event in
                if case .dropped(0, let drop) = event { drops.withLock { $0.append(drop) } }
                if case .failed(let error) = event { failures.withLock { $0.append(error) } }
            })
        let frames = try writer.inputReceiver(
            for: VideoOutputSettings(codec: .h264, preset: "ultrafast"),
            sourceFormat: take.videoFormat)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        _ = try writer.pause(at: .nanoseconds(SyntheticTake.start + 300_000_000))
        _ = try writer.resume(at: .nanoseconds(SyntheticTake.start + 500_000_000))
        let bad = 20
        for frame in 0..<take.frameCount {
            let sample = take.frameSample(frame)
            try await frames.append(
                frame == bad ? unconvertible(at: sample.presentationTime) : sample)
        }
        try writer.endSession(atSourceTime: .nanoseconds(SyntheticTake.start + 1_000_000_000))
        let result = try await writer.finish()

        let numbers = take.expected.map(\.number).filter { $0 != bad }
        #expect(try MovieOracle(path).frameNumbers() == numbers)
        #expect(result.tracks[0].counts.kept == numbers.count)
        #expect(result.tracks[0].counts.dropped == [.undecodable: 1])
        #expect(failures.read { $0 }.isEmpty)
        let reported = drops.read { $0 }
        #expect(reported.map(\.cause) == [.undecodable] && reported.map(\.count) == [1])
        let time = try #require(reported.first).time.nanoseconds()
        // to half a tick of the track, which is a millisecond in Matroska
        #expect(abs(time - SyntheticTake.start - take.time(of: bad)) < 600_000)
    }

    /// Holds its writer, as a recording does.
    private final class Listener: Sendable {
        let writer = Lock<AssetWriter?>(nil)
        let events = Lock(0)
        func note(_ event: AssetWriterEvent) { events.withLock { $0 += 1 } }
    }

    private final class Weak {
        weak var writer: AssetWriter?
        init(_ writer: AssetWriter) { self.writer = writer }
    }

    /// - Parameter isFinished: else it is canceled.
    private func write(isFinished: Bool) async throws -> Weak {
        let take = SyntheticTake(seconds: 1)
        let listener = Listener()
        let writer = try AssetWriter(
            AssetWriterConfiguration(
                outputPath: folder.file("\(isFinished).mp4"), mode: .realTime),
            onEvent: { listener.note($0) })
        listener.writer.withLock { $0 = writer }
        let frames = try writer.inputReceiver(
            for: VideoOutputSettings(codec: .h264, preset: "ultrafast"),
            sourceFormat: take.videoFormat)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        for frame in 0..<5 { try await frames.append(take.frameSample(frame)) }
        if isFinished { _ = try await writer.finish() } else { await writer.cancel() }
        return Weak(writer)
    }

    @Test(
        "a writer whose listener holds it is gone after its movie, with its encoders and their threads",
        arguments: [true, false])
    func released(isFinished: Bool) async throws {
        let weak = try await write(isFinished: isFinished)
        #expect(waitUntil { weak.writer == nil })
    }
}
