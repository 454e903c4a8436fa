import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("The last frame of a take in Matroska")
struct LastFrameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a take as the pipeline does, its last frame lasting as long as given.
    private func write(
        _ take: CodedTake, lastFor length: MediaTime, to path: String
    ) throws -> ContainerSummary {
        let writer = try OtherContainers.begun(take, .matroska, path)
        let last = take.samples.lastIndex { $0.track == 0 }
        for (place, entry) in take.samples.enumerated() {
            var sample = entry.sample
            guard place == last else {
                try writer.append(sample, track: entry.track)
                continue
            }
            sample.duration = length.scaled(to: 90_000, rounding: .nearest)
            try writer.appendLast(sample, track: 0)
        }
        return try writer.finish()
    }

    @Test(
        "it shows as long as it is given to, and every sample is where it was",
        arguments: [(VideoCodec.mjpeg, AudioCodec.pcm16), (.ffv1, .flac)],
        [MediaTime.milliseconds(10), .milliseconds(33), .milliseconds(1250)])
    func length(codecs: (video: VideoCodec, audio: AudioCodec), length: MediaTime) throws {
        let take = try CodedTake(
            video: VideoEncoderSettings(codec: codecs.video),
            audio: AudioEncoderSettings(codec: codecs.audio))
        let plain = folder.file("plain.mkv")
        try OtherContainers.finished(take, .matroska, plain)
        let path = folder.file("take.mkv")
        let summary = try write(take, lastFor: length, to: path)
        #expect(try OtherContainers.samples(path) == OtherContainers.samples(plain))
        let wanted = MediaTime(value: 59 * 3000, timescale: 90_000) + length
        let asset = try Asset.load(path)
        #expect(abs((asset.tracks[0].duration - wanted).approximateSeconds) < 0.002)
        #expect(summary.tracks[0].duration == wanted.scaled(to: 90_000, rounding: .nearest))
        #expect(asset.state == .ordinary)
        #expect(try MovieOracles(path: path).complaints() == "")
    }
}
