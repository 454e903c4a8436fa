import Media
import TestSupport
import Testing

@testable import Movie
@testable import Writing

@Suite("Settings of the writer")
struct SettingsTests {
    private func refusal(_ body: () throws(MediaError) -> Void) -> MediaError? {
        do throws(MediaError) {
            try body()
            return nil
        } catch { return error }
    }

    @Test("video settings at their bounds are taken, beyond them the field is named")
    func video() {
        typealias Settings = VideoOutputSettings
        let taken: [Settings] = [
            Settings(), Settings(rate: .quality(0)), Settings(rate: .quality(51)),
            Settings(codec: .mjpeg, rate: .quality(31)), Settings(codec: .ffv1),
            Settings(codec: .prores), Settings(codec: .vp9, rate: .quality(63)),
            Settings(codec: .av1, rate: .quality(1)),
            Settings(rate: .bitrate(10_000)), Settings(rate: .bitrate(1_000_000_000)),
            Settings(keyFrameInterval: .seconds(10)), Settings(threads: 1), Settings(threads: 16),
        ]
        for settings in taken { #expect(refusal(settings.validate) == nil) }
        let refused: [(Settings, String)] = [
            (Settings(codec: .vp8), "codec"), (Settings(rate: .quality(-0.1)), "quality"),
            (Settings(codec: .vp9, rate: .quality(63.1)), "quality"),
            (Settings(codec: .av1, rate: .quality(0.9)), "quality"),
            (Settings(rate: .quality(51.1)), "quality"),
            (Settings(rate: .quality(.nan)), "quality"),
            (Settings(codec: .mjpeg, rate: .quality(0)), "quality"),
            (Settings(codec: .mjpeg, rate: .bitrate(1_000_000)), "bitrate"),
            (Settings(codec: .ffv1, rate: .quality(1)), "quality"),
            (Settings(codec: .ffv1, rate: .bitrate(1_000_000)), "bitrate"),
            (Settings(codec: .prores, rate: .quality(4)), "quality"),
            (Settings(codec: .prores, rate: .bitrate(1_000_000)), "bitrate"),
            (Settings(rate: .bitrate(9_999)), "bitrate"),
            (Settings(rate: .bitrate(1_000_000_001)), "bitrate"),
            (Settings(keyFrameInterval: .zero), "key-frame interval"),
            (Settings(keyFrameInterval: .milliseconds(10_001)), "key-frame interval"),
            (Settings(threads: 0), "threads"), (Settings(threads: 17), "threads"),
        ]
        for (settings, field) in refused {
            let error = refusal(settings.validate)
            #expect(error?.code == .invalidSetting && error?.subject == field, "\(settings)")
            #expect(error?.message.contains(field) == true)
        }
    }

    @Test("audio settings likewise")
    func audio() {
        for codec: AudioCodec in [
            .aac, .opus, .mp3, .flac, .alac, .pcm16, .pcm24, .pcm32, .pcmFloat,
        ] {
            #expect(refusal(AudioOutputSettings(codec: codec).validate) == nil)
        }
        for bitrate in [6_000, 512_000] {
            #expect(refusal(AudioOutputSettings(bitrate: bitrate).validate) == nil)
        }
        let refused: [(AudioOutputSettings, String)] = [
            (AudioOutputSettings(codec: .ac3), "audio codec"),
            (AudioOutputSettings(bitrate: 5_999), "audio bitrate"),
            (AudioOutputSettings(codec: .opus, bitrate: 512_001), "audio bitrate"),
            (AudioOutputSettings(codec: .flac, bitrate: 64_000), "audio bitrate"),
            (AudioOutputSettings(codec: .pcm16, bitrate: 64_000), "audio bitrate"),
        ]
        for (settings, field) in refused {
            let error = refusal(settings.validate)
            #expect(error?.code == .invalidSetting && error?.subject == field, "\(settings)")
        }
    }

    @Test("the configuration names the field that is out of bounds")
    func configuration() throws {
        let good = try AssetWriterConfiguration(outputPath: "a.mkv")
        #expect(refusal(good.validate) == nil)
        let changes: [(String, (inout AssetWriterConfiguration) -> Void)] = [
            ("output path", { $0.outputPath = "" }), ("output path", { $0.outputPath = "a\0.mp4" }),
            ("fragment interval", { $0.fragmentInterval = .milliseconds(49) }),
            ("fragment interval", { $0.fragmentInterval = .milliseconds(501) }),
            ("video queue", { $0.videoQueueBytes = 1 << 20 - 1 }),
            ("audio queue", { $0.audioQueueBytes = 0 }),
            ("disk queue", { $0.diskQueueBytes = -1 }),
            ("stall limit", { $0.stallLimit = .milliseconds(49) }),
            ("stall limit", { $0.stallLimit = .milliseconds(5001) }),
            ("maximum duration", { $0.maximumDuration = .zero }),
            ("fade length", { $0.fadeLength = .milliseconds(6) }),
            ("fade length", { $0.fadeLength = .nanoseconds(-1) }),
        ]
        for (field, change) in changes {
            var bad = good
            change(&bad)
            let error = refusal(bad.validate)
            #expect(error?.code == .invalidSetting && error?.subject == field, "\(field)")
            #expect(throws: MediaError.self) { try AssetWriter(bad) }
        }
    }

    @Test("a file's name says what it will be, without regard to case or dots in folders")
    func containers() throws {
        let names: [String: OutputContainer] = [
            "a.mp4": .mp4, "A.MP4": .mp4, "a.m4v": .mp4, "a.m4a": .m4a, "a.mov": .mov, "a.qt": .mov,
            "x.y/a.mkv": .matroska, "a.mka": .matroska, "a.webm": .webm, "a.ts": .mpegTS,
            "a.m2ts": .mpegTS, "a.b.mts": .mpegTS, "a.wav": .wav, "a.FLAC": .flac, "a.ogg": .ogg,
            "a.opus": .opus, "a.mp3": .mp3,
        ]
        for (name, container) in names {
            #expect(try AssetWriterConfiguration(outputPath: name).container == container)
        }
        for name in ["a", "a.avi", "folder.mp4/a", ".", "a."] {
            #expect(
                refusal { () throws(MediaError) in
                    _ = try AssetWriterConfiguration(outputPath: name)
                }?.code == .unsupported)
        }
        #expect(
            try AssetWriterConfiguration(outputPath: "a", container: .mov).container == .mov)
    }

    @Test("a container takes what it lists and names it when it refuses")
    func rooms() {
        for container in OutputContainer.allCases {
            for codec in container.videoCodecs {
                #expect(
                    refusal { () throws(MediaError) in
                        try container.requireRoom(for: codec)
                    } == nil)
            }
            for codec in container.audioCodecs {
                #expect(
                    refusal { () throws(MediaError) in
                        try container.requireRoom(for: codec)
                    } == nil)
            }
        }
        let error = refusal { () throws(MediaError) in
            try OutputContainer.webm.requireRoom(for: VideoCodec.h264)
        }
        #expect(
            error?.message.contains(".webm file cannot hold h264; it holds av1, vp9") == true)
        let audio = refusal { () throws(MediaError) in
            try OutputContainer.mpegTS.requireRoom(for: AudioCodec.flac)
        }
        #expect(audio?.message.contains("it holds aac, mp3, opus") == true)
    }

    @Test("raw formats where coded ones belong are refused, and the other way round")
    func formats() throws {
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: "/nonexistent/a.mov"))
        let take = SyntheticTake()
        let coded = try #require(Coded.video.video)
        let sound = try #require(Coded.audio.audio)
        let refusals = [
            refusal { () throws(MediaError) in
                _ = try writer.inputReceiver(for: VideoOutputSettings(), sourceFormat: coded)
            },
            refusal { () throws(MediaError) in
                _ = try writer.inputReceiver(for: AudioOutputSettings(), sourceFormat: sound)
            },
            refusal { () throws(MediaError) in
                _ = try writer.inputReceiver(passingThrough: .video(take.videoFormat))
            },
            refusal { () throws(MediaError) in
                _ = try writer.inputReceiver(passingThrough: .audio(take.audioFormat))
            },
            refusal { () throws(MediaError) in
                _ = try writer.pixelBufferReceiver(
                    for: VideoOutputSettings(), sourceFormat: coded)
            },
            refusal { () throws(MediaError) in
                _ = try writer.pixelBufferReceiver(
                    for: VideoOutputSettings(), sourceFormat: take.videoFormat, poolLimit: 0)
            },
        ]
        #expect(refusals.allSatisfy { $0?.code == .invalidSetting })
        #expect(writer.status.tracks.isEmpty, "a refused input is none")
    }
}
