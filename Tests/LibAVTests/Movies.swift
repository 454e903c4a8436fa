import Foundation
import LibAV
import Media
import TestSupport

/// A muxer's output in memory, which counts and can refuse.
final class MemoryOutput: MuxerOutput {
    struct Full: Error {}

    var bytes: [UInt8] = []
    var limit = Int.max

    func write(_ new: UnsafeRawBufferPointer, at offset: Int64) throws {
        let end = Int(offset) + new.count
        guard end <= limit else { throw Full() }
        if bytes.count < end { bytes += Array(repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(Int(offset)..<end, with: new)
    }

    func save(_ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}

/// Movies the tests of this room write.
enum Movies {
    static func picture(codec: VideoCodec = .h264, count: Int) throws -> (
        format: VideoFormat, samples: [SampleBuffer]
    ) {
        var settings = VideoEncoderSettings(codec: codec)
        settings.preset = "ultrafast"
        let encoder = try VideoEncoder(settings: settings, input: TestFrames.format())
        let samples = try encoder.encodeAll(TestFrames.samples(count))
        return (encoder.format, samples)
    }

    static func sound(codec: AudioCodec = .aac, _ values: [Float]) throws -> (
        format: AudioFormat, samples: [SampleBuffer]
    ) {
        let encoder = try AudioEncoder(
            settings: AudioEncoderSettings(codec: codec), input: AudioSignals.format())
        let samples = try encoder.encodeAll(values, at: .zero)
        return (encoder.format, samples)
    }

    /// Two tracks in the order of their times.
    static func write(
        _ container: MuxerContainer, to output: MemoryOutput, pictures count: Int = 60,
        video: VideoCodec = .h264, audio: AudioCodec = .aac, sound: [Float],
        metadata: [(name: String, value: String)] = [], chapters: [MuxerChapter] = []
    ) throws {
        let first = try picture(codec: video, count: count)
        let second = try Movies.sound(codec: audio, sound)
        let muxer = try Muxer(container: container, output: output)
        _ = try muxer.addTrack(.video(first.format), name: "camera")
        _ = try muxer.addTrack(.audio(second.format), language: "deu")
        try muxer.start(metadata: metadata)
        let all = first.samples.map { ($0, 0) } + second.samples.map { ($0, 1) }
        for (sample, track) in all.sorted(by: { $0.0.presentationTime < $1.0.presentationTime }) {
            try muxer.write(sample, track: track)
        }
        try muxer.finish(chapters: chapters)
    }

    /// All samples of a file, by track.
    static func read(_ demuxer: Demuxer) throws -> [[SampleBuffer]] {
        var samples = Array(repeating: [SampleBuffer](), count: demuxer.tracks.count)
        while case .sample(let track, let sample) = try demuxer.next() {
            samples[track].append(sample)
        }
        return samples
    }

    static func decode(_ format: VideoFormat, _ samples: [SampleBuffer]) throws -> [SampleBuffer] {
        let decoder = try VideoDecoder(format: format)
        var frames: [SampleBuffer] = []
        for sample in samples { frames += try decoder.decode(sample) }
        return try frames + decoder.finish()
    }

    static func decode(_ format: AudioFormat, _ samples: [SampleBuffer]) throws -> [SampleBuffer] {
        let decoder = try AudioDecoder(format: format)
        var sounds: [SampleBuffer] = []
        for sample in samples { sounds += try decoder.decode(sample) }
        return try sounds + decoder.finish()
    }
}
