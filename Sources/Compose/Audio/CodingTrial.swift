internal import LibAV
internal import Media
internal import Writing

/// Audio as it is heard after it was coded: what a lossy coder makes of its waves is higher than they were.
/// Thread-bound.
final class CodingTrial {
    private let encoder: AudioEncoder
    private let input: AudioFormat
    private var decoder: AudioDecoder?

    /// - Throws: what the encoder says of the settings.
    init(_ settings: AudioOutputSettings, input: AudioFormat) throws(MediaError) {
        self.input = input
        do throws(MediaError) {
            encoder = try AudioEncoder(
                settings: AudioEncoderSettings(codec: settings.codec, bitrate: settings.bitrate),
                input: input)
        } catch { throw error.describing(code: .encoderFailed) }
    }

    /// Frames in, and what is ready of them out: coded and decoded, interleaved.
    func pass(_ frames: [Float], at frame: Int64) throws(MediaError) -> [Float] {
        let block = frames.withUnsafeBytes { BlockBuffer($0) }
        let time = MediaTime(value: frame, timescale: Int32(input.sampleRate))
        do throws(MediaError) {
            return try decoded(
                try encoder.encode(
                    SampleBuffer(
                        payload: .audio(block), format: .audio(input), presentationTime: time)))
        } catch { throw error.describing(code: .encoderFailed) }
    }

    /// The rest.
    func finish() throws(MediaError) -> [Float] {
        do throws(MediaError) {
            let rest = try decoded(try encoder.finish())
            guard let decoder else { return rest }
            return rest + samples(try decoder.finish())
        } catch { throw error.describing(code: .encoderFailed) }
    }

    private func decoded(_ coded: [SampleBuffer]) throws(MediaError) -> [Float] {
        var frames: [Float] = []
        for sample in coded {
            let decoder = try openDecoder()
            frames += samples(try decoder.decode(sample))
        }
        return frames
    }

    /// The coder states its format with the first sample.
    private func openDecoder() throws(MediaError) -> AudioDecoder {
        if let decoder { return decoder }
        let opened = try AudioDecoder(format: encoder.format)
        decoder = opened
        return opened
    }

    private func samples(_ buffers: [SampleBuffer]) -> [Float] {
        buffers.flatMap { buffer in
            buffer.block.map { $0.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } } ?? []
        }
    }
}
