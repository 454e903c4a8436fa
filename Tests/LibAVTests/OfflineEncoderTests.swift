import Foundation
import LibAV
import Media
import TestSupport
import Testing

/// Encoding for a file that is made again when it fails: everything the preset has.
@Suite("Offline encoding")
struct OfflineEncoderTests {
    private func settings(_ codec: VideoCodec = .h264) -> VideoEncoderSettings {
        var settings = VideoEncoderSettings(codec: codec)
        settings.lowLatency = false
        settings.threads = 3
        return settings
    }

    /// Moving texture with a hard cut every two seconds.
    private func scene(_ number: Int, at ticks: Int64) -> SampleBuffer {
        TestFrames.sample(number + number / 60 * 97, at: MediaTime(value: ticks, timescale: 90_000))
    }

    private func distances(_ coded: [SampleBuffer]) -> [Int64] {
        let syncs = coded.filter(\.isSync).map { $0.presentationTime.value }.sorted()
        let end = coded.map { $0.presentationTime.value }.max() ?? 0
        return zip(syncs, syncs.dropFirst() + [end]).map { $1 - $0 }
    }

    @Test("samples are reordered, and the interval of sync samples holds at any rate")
    func interval() throws {
        let encoder = try VideoEncoder(settings: settings(), input: TestFrames.format())
        // the nominal 30 Hz, then half of it
        var ticks: Int64 = 0
        let samples = (0..<150).map { number -> SampleBuffer in
            defer { ticks += number < 80 ? 3000 : 6000 }
            return scene(number, at: ticks)
        }
        let coded = try encoder.encodeAll(samples)
        #expect(coded.count == 150)
        #expect(coded.contains { $0.decodeTime != nil && $0.decodeTime != $0.presentationTime })
        let decode = coded.map { $0.decodeTime ?? $0.presentationTime }
        #expect(zip(decode, decode.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(decode, coded).allSatisfy { $0 <= $1.presentationTime })
        #expect(coded.map(\.presentationTime).sorted() == samples.map(\.presentationTime))
        #expect(distances(coded).allSatisfy { $0 <= 90_000 })
    }

    @Test("every group of pictures decodes alone", arguments: [VideoCodec.h264, .hevc])
    func closedGroups(_ codec: VideoCodec) throws {
        let encoder = try VideoEncoder(settings: settings(codec), input: TestFrames.format())
        let samples = (0..<75).map { scene($0, at: Int64($0) * 3000) }
        let coded = try encoder.encodeAll(samples)
        let whole = try VideoDecoder(format: encoder.format)
        let frames = try whole.decodeAll(coded)
        #expect(frames.count == 75)
        let starts = coded.indices.filter { coded[$0].isSync } + [coded.count]
        for (from, to) in zip(starts, starts.dropFirst()) {
            let decoder = try VideoDecoder(format: encoder.format)
            let alone = try decoder.decodeAll(Array(coded[from..<to]))
            let first = try #require(alone.first?.presentationTime)
            #expect(alone.count == to - from)
            let place = try #require(frames.firstIndex { $0.presentationTime == first })
            for (one, other) in zip(alone, frames[place...]) {
                let same = TestFrames.lumaPSNR(
                    try #require(one.pixelBuffer), try #require(other.pixelBuffer))
                #expect(same == 100)
            }
        }
    }

    @Test("a forced sync sample comes with B-frames and look-ahead too")
    func forced() throws {
        let encoder = try VideoEncoder(settings: settings(), input: TestFrames.format())
        let samples = (0..<28).map { number in
            TestFrames.sample(
                number, at: MediaTime(value: Int64(number), timescale: 30),
                forcesSync: number == 11)
        }
        let coded = try encoder.encodeAll(samples)
        #expect(
            coded.filter(\.isSync).map(\.presentationTime) == [
                .zero, MediaTime(value: 11, timescale: 30),
            ])
    }

    @Test("at equal settings a file costs no more than ffmpeg's own, and looks the same")
    func besideFFmpeg() throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let folder = try TemporaryFolder()
        let samples = (0..<200).map { scene($0, at: Int64($0) * 3000) }
        var raw = Data()
        for sample in samples {
            let frame = try #require(sample.pixelBuffer)
            for (index, plane) in frame.format.layout.planes.enumerated() {
                frame.withPlane(index) { memory in
                    for row in 0..<memory.rows {
                        raw.append(memory.row(row), count: plane.bytesPerRow(width: frame.width))
                    }
                }
            }
        }
        try raw.write(to: URL(fileURLWithPath: folder.file("in.yuv")))
        let result = try tool.run([
            "-v", "error", "-f", "rawvideo", "-s", "160x96", "-pix_fmt", "yuv420p", "-r", "30",
            "-i", folder.file("in.yuv"), "-c:v", "libx264", "-preset", "veryfast", "-crf", "20",
            "-threads", "3", "-f", "h264", folder.file("out.h264"),
        ])
        #expect(result.status == 0, "\(result.errorText)")
        let theirs = try Data(contentsOf: URL(fileURLWithPath: folder.file("out.h264"))).count
        var ours = settings()
        ours.keyFrameInterval = MediaTime(value: 250, timescale: 30)
        let encoder = try VideoEncoder(settings: ours, input: TestFrames.format())
        let coded = try encoder.encodeAll(samples)
        let size = coded.reduce(0) { $0 + ($1.block?.count ?? 0) }
        // theirs has parameter sets and its settings as text inside
        #expect(Double(size) < Double(theirs) * 1.01, "\(size) beside \(theirs) bytes")
        #expect(Double(size) > Double(theirs) * 0.9, "\(size) beside \(theirs) bytes")
        let decoder = try VideoDecoder(format: encoder.format)
        let frames = try decoder.decodeAll(coded)
        #expect(frames.count == 200)
        for (one, other) in zip(frames, samples) {
            let quality = TestFrames.lumaPSNR(
                try #require(one.pixelBuffer), try #require(other.pixelBuffer))
            #expect(quality > 36)
        }
    }
}

extension VideoDecoder {
    func decodeAll(_ samples: [SampleBuffer]) throws -> [SampleBuffer] {
        try samples.flatMap { try decode($0) } + finish()
    }
}
