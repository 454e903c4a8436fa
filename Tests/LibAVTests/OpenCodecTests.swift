import Media
import TestSupport
import Testing

@testable import LibAV

/// AV1 and VP9, whose encoders hold seconds of frames.
@Suite("Encoding AV1 and VP9")
struct OpenCodecTests {
    private func settings(_ codec: VideoCodec) -> VideoEncoderSettings {
        var settings = VideoEncoderSettings(codec: codec)
        settings.lowLatency = false
        settings.preset = "superfast"
        return settings
    }

    private func samples(_ count: Int, step: Int64 = 3000) -> [SampleBuffer] {
        (0..<count).map {
            TestFrames.sample($0, at: MediaTime(value: Int64($0) * step, timescale: 90_000))
        }
    }

    @Test(
        "every frame comes back at its time, and sync samples at their distance",
        arguments: [VideoCodec.av1, .vp9])
    func frames(_ codec: VideoCodec) throws {
        let encoder = try VideoEncoder(settings: settings(codec), input: TestFrames.format())
        let frames = samples(75)
        let coded = try encoder.encodeAll(frames)
        #expect(coded.map(\.presentationTime) == frames.map(\.presentationTime))
        #expect(coded.allSatisfy { $0.decodeTime == nil })
        let syncs = coded.indices.filter { coded[$0].isSync }
        #expect(syncs == [0, 30, 60])
        let decoded = try VideoDecoder(format: encoder.format).decodeAll(coded)
        #expect(decoded.compactMap(\.pixelBuffer).map(TestFrames.number) == Array(0..<75))
        let last = try #require(decoded.last?.pixelBuffer)
        #expect(TestFrames.lumaPSNR(last, TestFrames.numbered(74)) > 30)
    }

    @Test("the records are what MP4 asks for, and samples have no temporal delimiter")
    func records() throws {
        let av1 = try VideoEncoder(settings: settings(.av1), input: TestFrames.format())
        let record = av1.format.codecConfiguration
        try #require(record.count > 6)
        // main profile, 8 bits, 4:2:0; behind it the sequence header
        #expect(record[0] == 0x81 && record[1] >> 5 == 0 && record[2] & 0x7C == 0x0C)
        #expect(record[3] == 0 && record[4] >> 3 == 1)
        #expect(StreamVideoFormat(.av1, record)?.color == .bt709)
        for sample in try av1.encodeAll(samples(20)) {
            guard case .coded(let block) = sample.payload else { continue }
            #expect(block.withUnsafeBytes { $0[0] >> 3 & 15 } != 2)
        }
        let vp9 = try VideoEncoder(settings: settings(.vp9), input: TestFrames.format())
        // version 1; profile 0, level 1.0, 8 bits, 4:2:0, limited, BT.709; no data
        #expect(vp9.format.codecConfiguration == [1, 0, 0, 0, 0, 10, 0x80, 1, 1, 1, 0, 0])
    }

    @Test("ten bits stay ten", arguments: [VideoCodec.av1, .vp9])
    func deep(_ codec: VideoCodec) throws {
        let format = TestFrames.format(.yuv420p10le)
        let encoder = try VideoEncoder(settings: settings(codec), input: format)
        let black = PixelBuffer(width: 160, height: 96, format: .yuv420p10le)
        let coded = try encoder.encodeAll([
            SampleBuffer(
                payload: .pixels(black), format: .video(format), presentationTime: .zero)
        ])
        let decoded = try VideoDecoder(format: encoder.format).decodeAll(coded)
        #expect(decoded.first?.pixelBuffer?.format == .yuv420p10le)
        let record = encoder.format.codecConfiguration
        #expect(codec == .av1 ? record[2] & 0x40 != 0 : record[4] == 2 && record[6] >> 4 == 10)
    }

    @Test("an interval in time holds at half the nominal rate, of VP9")
    func interval() throws {
        let encoder = try VideoEncoder(settings: settings(.vp9), input: TestFrames.format())
        let coded = try encoder.encodeAll(samples(60, step: 6000))
        let syncs = coded.filter(\.isSync).map(\.presentationTime.value)
        #expect(zip(syncs, syncs.dropFirst()).allSatisfy { $1 - $0 <= 90_000 }, "\(syncs)")
    }

    @Test("neither is encoded as it comes from a camera, nor AV1 smaller than its encoder takes")
    func refused() throws {
        for codec in [VideoCodec.av1, .vp9] {
            let error = #expect(throws: MediaError.self) {
                _ = try VideoEncoder(
                    settings: VideoEncoderSettings(codec: codec), input: TestFrames.format())
            }
            #expect(error?.message.contains("not while recording") == true)
        }
        var small = TestFrames.format()
        (small.width, small.height) = (48, 48)
        let error = #expect(throws: MediaError.self) {
            _ = try VideoEncoder(settings: settings(.av1), input: small)
        }
        #expect(error?.message.contains("64x64 and more") == true)
    }
}
