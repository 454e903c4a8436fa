import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading
@testable import Writing

/// What a writer makes offline, read back by movie time.
@Suite("Movies written offline")
struct ExportedMovieTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "with B-frames every frame and every frame of audio is where it was put",
        arguments: ["a.mp4", "a.mov", "a.mkv", "a.ts"])
    func reordered(_ name: String) async throws {
        let take = SyntheticTake(width: 96, height: 48, seconds: 3)
        let path = folder.file(name)
        let result = try await take.write(
            to: path, video: VideoOutputSettings(preset: "medium", keyFrameInterval: .seconds(2)),
            audio: AudioOutputSettings()
        ) { $0.syncPolicy = .never }
        #expect(result.tracks[0].counts.written == 90)
        let asset = try Asset.load(path)
        let track = try asset.first(.video)
        #expect(track.syncSampleCount >= 2)
        let cursor = try FrameCursor(asset: asset, track: track, threads: 2)
        // where AAC's delay has no place in the container, the whole movie begins later in its stamps
        for (number, time) in take.expected.shuffled() {
            let sample = try cursor.picture(at: .nanoseconds(time + 2_000_000))
            #expect(FrameStrip.number(in: try #require(sample.pixelBuffer)) == number)
            let off = sample.presentationTime.nanoseconds() - time
            #expect(off.magnitude < (name.hasSuffix("mkv") ? 1_000_000 : 20_000))
        }
        let sound = try AudioCursor(
            asset: asset, track: asset.first(.audio),
            format: AudioFormat(coding: .raw(.float32), sampleRate: 48_000, channels: 1))
        let heard = try sound.read(at: 0, count: 3 * 48_000).floats
        let beeps = FlashBeep.beeps(in: heard, sampleRate: 48_000)
        #expect(beeps.count == 3)
        for (second, beep) in beeps.enumerated() {
            #expect(abs(beep - second * 48_000) <= (name.hasSuffix("mkv") ? 48 : 1))
        }
    }

    @Test("left to the system, the disk is asked once everything is written and not before")
    func syncAtTheEnd() async throws {
        let take = SyntheticTake(width: 96, height: 48, seconds: 2)
        let io = ScriptedFileIO()
        var configuration = try AssetWriterConfiguration(
            outputPath: folder.file("s.mp4"), mode: .offline)
        configuration.syncPolicy = .never
        let writer = try AssetWriter(
            configuration, onEvent: { _ in },
            container: ContainerChoice(
                make: { onFailure in
                    let file = DurableFile(
                        io: io, name: "s.mp4", policy: .never, onFailure: onFailure)
                    return MovieFileWriter(file: file, container: .mp4)
                }, remove: {}))
        let video = try writer.inputReceiver(
            for: VideoOutputSettings(preset: "ultrafast"), sourceFormat: take.videoFormat)
        try await take.deliver(to: writer, video: video, audio: nil)
        _ = try await writer.finish()
        let calls = io.calls
        let first = try #require(calls.firstIndex(of: .synchronize))
        let later = calls[first...].filter { if case .write = $0 { true } else { false } }
        // the index, and the header that puts it in force
        #expect(later.count == 2)
        #expect(calls.contains { if case .write = $0 { true } else { false } })
        #expect(calls.last { $0 == .synchronize } != nil)
    }
}
