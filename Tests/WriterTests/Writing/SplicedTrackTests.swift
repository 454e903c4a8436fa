import LibAV
import Media
import TestSupport
import Testing

@testable import Writing

@Suite(
    "A track of copied and encoded groups of frames",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct SplicedTrackTests {
    private let take = SyntheticTake(seconds: 3)
    private let settings = VideoOutputSettings(codec: .h264, rate: .quality(20))

    private func frame(_ number: Int) -> SampleBuffer {
        var sample = take.frameSample(number)
        sample.presentationTime = MediaTime(value: Int64(number), timescale: 30)
        return sample
    }

    private func writer(_ path: String) throws -> (AssetWriter, SampleBufferReceiver) {
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
        let video = try writer.inputReceiver(for: settings, sourceFormat: take.videoFormat)
        try writer.startSession(atSourceTime: .zero)
        return (writer, video)
    }

    /// The first two seconds, as an earlier run left them.
    private func earlier(_ folder: TemporaryFolder) async throws -> [SampleBuffer] {
        let path = folder.file("earlier.mp4")
        let (writer, video) = try writer(path)
        for number in 0..<60 { try await video.append(frame(number)) }
        _ = try await writer.finish()
        let demuxer = try Demuxer(path: path)
        var samples: [SampleBuffer] = []
        while case .sample(_, let sample) = try demuxer.next() { samples.append(sample) }
        return samples
    }

    @Test("what an equal encoder made before is copied, and encoding continues behind it")
    func continues() async throws {
        let folder = try TemporaryFolder()
        let old = try await earlier(folder)
        let last = try #require(old.lastIndex { $0.isSync })
        try #require(last == 30)
        let path = folder.file("whole.mp4")
        let (writer, video) = try writer(path)
        for sample in old[..<last] { try video.appendBlocking(sample) }
        for number in 30..<90 { try video.appendBlocking(frame(number)) }
        try writer.endSession(atSourceTime: .seconds(3))
        let result = try await writer.finish()
        #expect(result.duration == .seconds(3))
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<90))
        let times = try MovieOracle(path).presentationTimes()
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1 / 30) < 0.001 })
    }

    @Test("a coded frame behind a raw one is refused")
    func afterRaw() async throws {
        let folder = try TemporaryFolder()
        let old = try await earlier(folder)
        let (writer, video) = try writer(folder.file("refused.mp4"))
        try video.appendBlocking(frame(0))
        var late = old[30]
        late.presentationTime = .seconds(1)
        try video.appendBlocking(late)
        await #expect(throws: MediaError.self) { try await writer.finish() }
    }

    @Test("a coded frame of an encoder with other settings is refused")
    func otherSettings() async throws {
        let folder = try TemporaryFolder()
        let old = try await earlier(folder)
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: folder.file("refused.mp4"), mode: .offline))
        var other = settings
        other.preset = "ultrafast"
        let video = try writer.inputReceiver(for: other, sourceFormat: take.videoFormat)
        try writer.startSession(atSourceTime: .zero)
        try video.appendBlocking(old[0])
        await #expect(throws: MediaError.self) { try await writer.finish() }
    }
}
