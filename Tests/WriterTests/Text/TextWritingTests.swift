import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading
@testable import Writing

@Suite("Writing text tracks", .enabled(if: MovieOracle.isAvailable, "ffmpeg reads the movies"))
struct TextWritingTests {
    typealias Line = SubtitledClip.Line
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func track(_ lines: [Line], _ language: String?) -> TextTrack {
        TextTrack(
            cues: lines.map {
                TextCue(
                    timeRange: MediaTimeRange(
                        start: .milliseconds(Int64($0.start)),
                        duration: .milliseconds(Int64($0.end - $0.start))), text: $0.text)
            }, language: language, frame: TextFormat.Frame(width: 96, height: 64))
    }

    /// Three seconds of silence with text.
    private func write(_ name: String, _ texts: [TextTrack]) async throws -> String {
        let path = folder.file(name)
        var configuration = try AssetWriterConfiguration(outputPath: path, mode: .offline)
        configuration.textTracks = texts
        let writer = try AssetWriter(configuration)
        let format = AudioFormat(coding: .raw(.float32), sampleRate: 48_000, channels: 1)
        // whose priming Matroska can say, so that its times are the movie's
        let codec: AudioCodec = name.hasSuffix("webm") || name.hasSuffix("mkv") ? .opus : .aac
        let input = try writer.inputReceiver(
            for: AudioOutputSettings(codec: codec), sourceFormat: format)
        try writer.startSession(atSourceTime: .zero)
        for block in 0..<30 {
            try await input.append(
                SampleBuffer(
                    payload: .audio(BlockBuffer([UInt8](repeating: 0, count: 4 * 4800))),
                    format: .audio(format), presentationTime: .milliseconds(Int64(100 * block))))
        }
        _ = try await writer.finish()
        return path
    }

    private static let english = [
        Line(0, 500, "One"), Line(400, 1000, "Two & more"), Line(2000, 2900, "Three\nlines"),
    ]

    @Test(
        "ffmpeg and our reader find every text at its time and language",
        arguments: ["a.mp4", "a.mov", "a.mkv", "a.webm"])
    func everywhere(name: String) async throws {
        let german = [Line(1000, 1500, "Grüße")]
        let path = try await write(name, [track(Self.english, "en"), track(german, "de-AT")])
        let wanted = [
            Line(0, 400, "One"), Line(400, 500, "One\nTwo & more"), Line(500, 1000, "Two & more"),
            Line(2000, 2900, "Three\nlines"),
        ]
        let oracle = MovieOracle(path)
        #expect(try oracle.subtitles() == wanted)
        #expect(try oracle.subtitles(track: 1) == german)
        let codec = ["mp4": "mov_text", "mov": "mov_text", "mkv": "subrip", "webm": "webvtt"]
        let coding = try #require(codec[String(name.dropFirst(2))])
        #expect(try oracle.subtitleTracks() == ["\(coding),eng", "\(coding),deu"])
        let asset = try Asset.load(path)
        let texts = asset.tracks.filter { $0.mediaType == .text }
        let own = try asset.cues(of: texts[0]).cues.map { cue in
            Line(
                Int(cue.timeRange.start.ticks(per: 1000, rounding: .nearest)),
                Int(cue.timeRange.end.ticks(per: 1000, rounding: .nearest)), cue.text)
        }
        #expect(own == wanted)
        if asset.container != "matroska", asset.container != "webm" {
            #expect(texts.map(\.isEnabled) == [true, false])
        }
        #expect(asset.duration.approximateSeconds < 3.1)
    }

    @Test("text before the first audio and behind the last is there, and none takes nothing away")
    func edges() async throws {
        let path = try await write("a.mp4", [track([Line(2999, 4500, "After")], nil)])
        #expect(try MovieOracle(path).subtitles() == [Line(2999, 4500, "After")])
        #expect(try await Asset.load(write("b.mp4", [])).tracks.count == 1)
    }

    @Test("MPEG-TS has no place for text, and text is no input")
    func refused() async throws {
        let error = await #expect(throws: MediaError.self) {
            try await write("a.ts", [track([Line(0, 100, "A")], nil)])
        }
        #expect(error?.code == .invalidSetting)
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: folder.file("b.mp4")))
        #expect(throws: MediaError.self) {
            try writer.inputReceiver(passingThrough: .text(TextFormat(coding: .coded(.movText))))
        }
    }
}
