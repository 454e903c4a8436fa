import LibAV
import Media
import TestSupport
import Testing

@testable import Recording
@testable import Writing

/// A camera that codes H.264 itself and was running before it was recorded.
@Suite("A coded camera that is joined")
struct JoinedCameraTests {
    /// Thirty frames a second, a sync sample each second.
    private func coded() throws -> (format: VideoFormat, samples: [SampleBuffer]) {
        let take = SyntheticTake(seconds: 3)
        var settings = VideoEncoderSettings(codec: .h264)
        (settings.preset, settings.lowLatency) = ("ultrafast", true)
        settings.keyFrameInterval = .seconds(1)
        let encoder = try VideoEncoder(settings: settings, input: take.videoFormat)
        var samples: [SampleBuffer] = []
        for frame in 0..<take.frameCount { samples += try encoder.encode(take.frameSample(frame)) }
        return (encoder.format, samples + (try encoder.finish()))
    }

    /// Records it from a frame on that lies so far behind its second sync sample.
    private func record(
        behindSync distance: Int, to path: String
    ) async throws -> (report: TakeReport, late: [Int64], first: Int, next: Int, last: Int) {
        let (format, samples) = try coded()
        let syncs = samples.indices.filter { samples[$0].isSync }
        try #require(syncs.count >= 3)
        let (first, next) = (syncs[1] + distance, syncs[2])
        let camera = ScriptedSource("camera", .video(format))
        var settings = RecordingSettings(outputPath: path)
        settings.video = .copied
        let recorder = try Recorder(sources: [camera], settings: settings)
        try recorder.start()
        let shift =
            HostClock().now().nanoseconds() - samples[first].presentationTime.nanoseconds()
        let last = next + 15
        for sample in samples[first...last] {
            var live = sample
            live.presentationTime = .nanoseconds(sample.presentationTime.nanoseconds() + shift)
            live.decodeTime = nil
            _ = HostClock().wait(until: live.presentationTime, orSignal: WakeSignal())
            camera.send(.sample(live))
        }
        let report = await recorder.stop()
        var late: [Int64] = []
        for await event in recorder.events {
            if case .beganLate(0, let time) = event { late.append(time.nanoseconds()) }
        }
        return (report, late, first, next, last)
    }

    @Test(
        "a camera joined between two sync samples begins at the next one, and report and event say when",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func between() async throws {
        let folder = try TemporaryFolder()
        let take = try await record(behindSync: 10, to: folder.file("a.mp4"))
        #expect(take.report.state == .finished, "\(take.report.reasons)")
        let first = try #require(take.report.tracks[0].firstFrame).nanoseconds
        let synthetic = SyntheticTake(seconds: 3)
        #expect(first == synthetic.time(of: take.next) - synthetic.time(of: take.first))
        #expect(take.late == [first])
        let numbers = try MovieOracle(folder.file("a.mp4")).frameNumbers()
        #expect(numbers == Array(take.next...take.last))
    }

    @Test("one that is joined at a sync sample begins with the movie")
    func atSync() async throws {
        let folder = try TemporaryFolder()
        let take = try await record(behindSync: 0, to: folder.file("a.mp4"))
        #expect(take.report.tracks[0].firstFrame == nil && take.late.isEmpty)
    }
}
