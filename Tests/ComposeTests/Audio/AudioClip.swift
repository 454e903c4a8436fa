import Media
import Reading
import TestSupport
import Writing

/// A file of audio only, coded without loss: a function of the frame.
struct AudioClip {
    var sampleRate = 48_000
    var channels = 2
    var frames = 96_000
    var value: (Int, Int) -> Float

    /// Beeps of 40 ms of 1 kHz at each whole second.
    static func beeps(frames: Int) -> AudioClip {
        AudioClip(frames: frames) { frame, _ in
            let into = frame % 48_000
            return into < 1920 ? 0.5 * Sine.value(cycles: 1000 * (Double(into) + 0.5) / 48_000) : 0
        }
    }

    /// Writes it and reads its structure back.
    func write(to path: String) async throws -> Asset {
        let writer = try AssetWriter(AssetWriterConfiguration(outputPath: path, mode: .offline))
        let format = AudioFormat(
            coding: .raw(.float32), sampleRate: sampleRate, channels: channels)
        let receiver = try writer.inputReceiver(
            for: AudioOutputSettings(codec: .flac), sourceFormat: format)
        try writer.startSession(atSourceTime: .zero)
        for start in stride(from: 0, to: frames, by: 4800) {
            let samples = (start..<min(start + 4800, frames)).flatMap { frame in
                (0..<channels).map { value(frame, $0) }
            }
            let time = MediaTime(value: Int64(start), timescale: Int32(sampleRate))
            try await receiver.append(
                SampleBuffer(
                    payload: .audio(samples.withUnsafeBytes { BlockBuffer($0) }),
                    format: .audio(format), presentationTime: time))
        }
        try writer.endSession(
            atSourceTime: MediaTime(value: Int64(frames), timescale: Int32(sampleRate)))
        _ = try await writer.finish()
        return try Asset.load(path)
    }
}
