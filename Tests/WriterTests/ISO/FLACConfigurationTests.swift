import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading
@testable import Writing

/// STREAMINFO (RFC 9639, 8.2) as a file holds it.
private struct StreamInfo {
    let bytes: [UInt8]
    var smallestFrame: Int { bytes[4..<7].reduce(0) { $0 << 8 | Int($1) } }
    var totalFrames: Int {
        bytes[14..<18].reduce(Int(bytes[13] & 0x0F)) { $0 << 8 | Int($1) }
    }
    var hasChecksum: Bool { bytes[18..<34].contains { $0 != 0 } }
}

@Suite("FLAC's own description")
struct FLACConfigurationTests {
    private func take(_ container: String, in folder: TemporaryFolder) async throws -> String {
        let path = folder.file("a.\(container)")
        _ = try await SyntheticTake(seconds: 2, sound: .tone(440)).write(
            to: path, video: nil, audio: AudioOutputSettings(codec: .flac))
        return path
    }

    private func configuration(_ path: String) throws -> StreamInfo {
        let audio = try #require(try Asset.load(path).tracks.first?.format?.audio)
        return StreamInfo(bytes: Array(audio.codecConfiguration.suffix(34)))
    }

    @Test("a finished movie states the audio's length and checksum", arguments: ["mp4", "mkv"])
    func finished(container: String) async throws {
        let folder = try TemporaryFolder()
        let info = try configuration(try await take(container, in: folder))
        #expect(info.totalFrames == 96_000)
        #expect(info.hasChecksum)
        #expect(info.smallestFrame > 0)
    }

    @Test(
        "the checksum is that of the audio: flac's own tester agrees",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func verified() async throws {
        let folder = try TemporaryFolder()
        let path = try await take("mp4", in: folder)
        // the audio as it was coded, 16 bit, as FLAC's checksum counts it
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-f", "md5", "-c:a", "pcm_s16le", "-",
        ])
        let wide = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-f", "md5", "-c:a", "pcm_s24le", "-",
        ])
        let reported = try configuration(path).bytes[18...].map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0\(text)" : text
        }.joined()
        let heard = [result.outputText, wide.outputText]
        #expect(heard.contains { $0.contains("MD5=\(reported)") }, "\(reported) \(heard)")
    }

    @Test("while the movie grows, and after a crash, what is not known yet says so")
    func growing() throws {
        let take = try CodedTake(
            video: nil, audio: AudioEncoderSettings(codec: .flac), frames: 30)
        // the encoder's description from before its end, as the first `moov` gets it
        let raw = AudioFormat(coding: .raw(.int16), sampleRate: 48_000, channels: 2)
        let early = try AudioEncoder(
            settings: AudioEncoderSettings(codec: .flac), input: raw
        ).format
        let info = StreamInfo(bytes: early.codecConfiguration)
        #expect(info.totalFrames == 0 && !info.hasChecksum && info.smallestFrame == 0)

        var growing = take
        growing.tracks[0].format = .audio(early)
        let io = ScriptedFileIO()
        let writer = try growing.begun(DurableFile(scripted: io))
        try growing.append(to: writer)
        try writer.update(format: take.tracks[0].format, ofTrack: 0)
        try writer.flush()
        func reported() throws -> StreamInfo {
            let movie = try MovieFile(io: ScriptedFileIO(content: io.content), name: "x")
            return StreamInfo(bytes: try #require(movie.tracks[0].format?.audio).codecConfiguration)
        }
        #expect(try reported().totalFrames == 0)
        _ = try writer.finish()
        #expect(try reported().totalFrames == 48_000)
        #expect(try reported().hasChecksum)
    }
}
