import LibAV
import Media
import Movie
import Reading
import TestSupport
import Testing

@testable import Writing

/// Audio tracks written with settings about the track, seen by ffprobe, by ffmpeg's decoder and by our own reader.
@Suite("Settings of an audio track", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct AudioSettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func probe(_ path: String, _ entries: String) throws -> [String: String] {
        let tool = try #require(Program.tool("ffprobe"))
        let result = try tool.run([
            "-v", "error", "-select_streams", "0", "-show_entries", "stream=\(entries)", "-of",
            "default=nk=0:nw=1", path,
        ])
        var fields: [String: String] = [:]
        for line in result.outputText.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        return fields
    }

    @Test("settings of audio that cannot be are refused, naming the field")
    func audioRefusals() {
        let refused: [(AudioOutputSettings, String)] = [
            (AudioOutputSettings(codec: .opus, sampleRate: 44_100), "sample rate"),
            (AudioOutputSettings(sampleRate: 7999), "sample rate"),
            (AudioOutputSettings(codec: .flac, sampleRate: 400_000), "sample rate"),
            (AudioOutputSettings(channels: 9), "channels"),
            (AudioOutputSettings(codec: .mp3, channels: 3), "channels"),
            (AudioOutputSettings(channels: 2, layout: .fivePointOne), "layout"),
            (AudioOutputSettings(codec: .mp3, layout: .fivePointOne), "layout"),
        ]
        for (settings, field) in refused {
            #expect {
                try settings.validate()
            } throws: { ($0 as? MediaError)?.subject == field }
        }
    }

    @Test(
        "what the settings let through an encoder takes, and what they refuse it does not",
        arguments: AudioOutputSettings.encodable.sorted { $0.rawValue < $1.rawValue })
    func layouts(codec: AudioCodec) throws {
        func isEncodable(_ channels: Int) -> Bool {
            let input = AudioFormat(
                coding: .raw(.float32), sampleRate: 48_000, channels: channels)
            return (try? AudioEncoder(settings: AudioEncoderSettings(codec: codec), input: input))
                != nil
        }
        func isAccepted(_ settings: AudioOutputSettings) -> Bool {
            (try? settings.validate()) != nil
        }
        for layout in AudioChannelLayout.allCases {
            let works = isEncodable(layout.channels)
            #expect(
                isAccepted(AudioOutputSettings(codec: codec, layout: layout)) == works,
                "\(codec) \(layout)")
            #expect(
                isAccepted(AudioOutputSettings(codec: codec, channels: layout.channels)) == works,
                "\(codec) \(layout.channels)")
            // where nothing is set it is the source's
            let writer = try AssetWriter(
                AssetWriterConfiguration(outputPath: folder.file("a.mov"), mode: .offline))
            guard writer.configuration.container.audioCodecs.contains(codec) else { continue }
            let source = AudioFormat(
                coding: .raw(.float32), sampleRate: 48_000, channels: layout.channels)
            let receiver = try? writer.inputReceiver(
                for: AudioOutputSettings(codec: codec), sourceFormat: source)
            #expect((receiver != nil) == works, "\(codec) \(layout.channels)")
        }
    }

    @Test(
        "audio is resampled and mixed to what is asked for, and stays as long and as high",
        arguments: ["a.mp4", "a.mov", "a.mkv", "a.wav", "a.flac", "a.opus"])
    func audio(name: String) async throws {
        let container = try #require(OutputContainer(path: name))
        let codec = container.usualAudioCodec
        let rate = codec == .opus ? 48_000 : 32_000
        let source = AudioFormat(coding: .raw(.float32), sampleRate: 44_100, channels: 1)
        let path = folder.file(name)
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
        let receiver = try writer.inputReceiver(
            for: AudioOutputSettings(codec: codec, sampleRate: rate, layout: .stereo),
            sourceFormat: source)
        try writer.startSession(atSourceTime: .zero)
        for first in stride(from: 0, to: 88_200, by: 441) {
            let block = BlockBuffer(count: 441 * 4) { bytes in
                let samples = bytes.bindMemory(to: Float.self)
                for index in 0..<441 {
                    samples[index] = 0.5 * Sine.value(cycles: 1000 * Double(first + index) / 44_100)
                }
            }
            try await receiver.append(
                SampleBuffer(
                    payload: .audio(block), format: .audio(source),
                    presentationTime: MediaTime(value: Int64(first), timescale: 44_100)))
        }
        try writer.endSession(atSourceTime: .seconds(2))
        _ = try await writer.finish()
        let fields = try probe(path, "sample_rate,channels,channel_layout")
        #expect(fields["sample_rate"] == "\(rate)" && fields["channels"] == "2", "\(fields)")
        let asset = try Asset.load(path)
        #expect(abs((asset.duration - .seconds(2)).approximateSeconds) < 0.05)
        let sound = try MovieOracle(path).sound(sampleRate: 48_000)
        #expect(abs(sound.count - 96_000) < 2400)
        let middle = sound[24_000..<72_000]
        let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(crossings - 1000) <= 1)
    }

    @Test("a layout of six channels is what ffprobe finds")
    func layout() async throws {
        let source = AudioFormat(coding: .raw(.float32), sampleRate: 48_000, channels: 2)
        for (name, codec) in [("a.mp4", AudioCodec.aac), ("a.flac", .flac), ("a.opus", .opus)] {
            let path = folder.file(name)
            let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
            let receiver = try writer.inputReceiver(
                for: AudioOutputSettings(codec: codec, layout: .fivePointOne), sourceFormat: source)
            try writer.startSession(atSourceTime: .zero)
            try await receiver.append(
                SampleBuffer(
                    payload: .audio(
                        BlockBuffer(count: 48_000 * 8) {
                            $0.initializeMemory(as: UInt8.self, repeating: 0)
                        }),
                    format: .audio(source), presentationTime: .zero))
            try writer.endSession(atSourceTime: .seconds(1))
            _ = try await writer.finish()
            let fields = try probe(path, "channels,channel_layout")
            #expect(fields["channels"] == "6", "\(name) \(fields)")
            #expect(fields["channel_layout"]?.hasPrefix("5.1") == true, "\(name) \(fields)")
        }
    }
}
