import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading
@testable import Writing

/// Movies that must never change unseen: every time, flag and decoded sample, as text.
@Suite("Golden movies")
struct GoldenMovieTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(
        _ path: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let asset = try Asset.load(path)
        let edits = asset.tracks.enumerated().flatMap { index, track in
            track.edits.map {
                MovieDump.Edit(
                    track: index, start: $0.start, duration: $0.duration, mediaTime: $0.mediaTime)
            }
        }
        let notes =
            ["\(asset.container), \(asset.state.rawValue), \(asset.duration)"]
            + asset.pauses.map { "pause at \($0.time) for \($0.duration)" }
            + asset.markers.map { "marker at \($0.time): \($0.text)" }
        let text = try MovieDump(path, edits: edits, notes: notes).text()
        #expect(text.utf8.count > 1000 && text.utf8.count < 20_000, sourceLocation: sourceLocation)
        let difference = try GoldenText(name).difference(from: text)
        #expect(difference == nil, "\(difference ?? "")", sourceLocation: sourceLocation)
    }

    private var paused: SyntheticTake {
        SyntheticTake(
            width: 96, height: 48, seconds: 3,
            pauses: [
                SyntheticTake.Pause(at: 412_345_678, resume: 781_000_001),
                SyntheticTake.Pause(at: 1_533_333_333, resume: 2_310_987_654),
            ])
    }

    private func write(
        _ take: SyntheticTake, _ path: String, video: VideoCodec, audio: AudioCodec,
        markers: [Int64] = []
    ) async throws {
        var configuration = try AssetWriterConfiguration(outputPath: path, mode: .offline)
        configuration.metadata.creationTime = 1_700_000_000_000_000_000
        let writer = try AssetWriter(configuration)
        let frames = try writer.inputReceiver(
            for: VideoOutputSettings(codec: video, preset: video == .h264 ? "ultrafast" : nil),
            sourceFormat: take.videoFormat)
        let sound = try writer.inputReceiver(
            for: AudioOutputSettings(codec: audio), sourceFormat: take.audioFormat)
        try await take.deliver(to: writer, video: frames, audio: sound)
        for marker in markers {
            try writer.mark("at \(marker)", at: .nanoseconds(SyntheticTake.start + marker))
        }
        _ = try await writer.finish()
    }

    @Test("a plain mp4: H.264 with AAC")
    func plain() async throws {
        let path = folder.file("plain.mp4")
        try await write(
            SyntheticTake(width: 96, height: 48, seconds: 1), path, video: .h264, audio: .aac)
        try check(path, "plain.mp4.txt")
    }

    @Test("a mov with two pauses and two markers: FFV1 with PCM")
    func paused() async throws {
        let path = folder.file("paused.mov")
        try await write(
            paused, path, video: .ffv1, audio: .pcm16, markers: [1_000_000_000, 2_500_000_000])
        try check(path, "paused.mov.txt")
    }

    @Test("the same in Matroska: FFV1 with FLAC")
    func matroska() async throws {
        let path = folder.file("paused.mkv")
        try await write(
            paused, path, video: .ffv1, audio: .flac, markers: [1_000_000_000, 2_500_000_000])
        try check(path, "paused.mkv.txt")
    }

    @Test("variable frame durations, from a millisecond to half a second")
    func variableRate() throws {
        var take = try CodedTake(
            video: VideoEncoderSettings(codec: .ffv1), audio: AudioEncoderSettings(codec: .pcm16),
            frames: 30)
        var time: Int64 = 0
        take.samples = take.samples.map { entry in
            guard entry.track == 0 else { return entry }
            var sample = entry.sample
            sample.presentationTime = MediaTime(value: time, timescale: 90_000)
            sample.decodeTime = nil
            time += [90, 3000, 45_000, 2999, 6001, 1500][Int(time % 6)]
            return (0, sample)
        }
        take.sort()
        let path = folder.file("variable.mov")
        try take.write(to: try DurableFile(creating: path, existing: .refuse), container: .mov)
        try check(path, "variable.mov.txt")
    }

    @Test("a take that a crash cut in its seventh fragment, repaired")
    func repaired() throws {
        var take = try CodedTake(
            video: VideoEncoderSettings(codec: .ffv1), audio: AudioEncoderSettings(codec: .pcm16))
        take.annotations = [.marker("vor dem Sturz", at: .milliseconds(700))]
        let path = folder.file("repaired.mov")
        let io = ScriptedFileIO()
        let writer = try take.begun(DurableFile(scripted: io), .mov)
        try take.append(to: writer)
        let cut = try #require(
            BoxScanner(io, file: "x", limits: MovieLimits()).entries
                .filter { $0.type == "mdat" }.dropFirst(6).first)
        try Data(io.content[..<Int(cut.end - 10)]).write(to: URL(fileURLWithPath: path))
        writer.abandon()
        #expect(try MovieRepair.repair(path).outcome == .indexRebuilt)
        try check(path, "repaired.mov.txt")
    }

    @Test("control: one frame a tick later, or one audio sample off by one, is reported")
    func control() throws {
        let golden = GoldenText("variable.mov.txt")
        let take = try CodedTake(
            video: VideoEncoderSettings(codec: .ffv1), audio: AudioEncoderSettings(codec: .pcm16),
            frames: 3)
        func dump(_ take: CodedTake) throws -> String {
            let path = folder.file("control.mov")
            try take.write(to: try DurableFile(creating: path, existing: .replace), container: .mov)
            return try MovieDump(path, edits: [], notes: []).text()
        }
        let text = try dump(take)
        #expect(try dump(take) == text)
        var later = take
        let last = try #require(later.samples.lastIndex { $0.track == 0 })
        later.samples[last].sample.presentationTime += MediaTime(value: 1, timescale: 90_000)
        #expect(try dump(later) != text)
        var louder = take
        let sound = try #require(louder.samples.lastIndex { $0.track == 1 })
        var bytes = louder.samples[sound].sample.block?.withUnsafeBytes { Array($0) } ?? []
        bytes[0] ^= 1
        louder.samples[sound].sample.payload = .coded(BlockBuffer(bytes))
        #expect(try dump(louder) != text)
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] != "1" {
            #expect(try golden.difference(from: text)?.contains("variable.mov.txt, line") == true)
        }
    }
}
