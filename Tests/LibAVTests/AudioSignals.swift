import Glibc
import LibAV
import Media

/// AudioSignals the tests of this room feed in and measure.
enum AudioSignals {
    static func format(
        _ sample: AudioSampleFormat = .float32, rate: Int = 48_000, channels: Int = 1
    ) -> AudioFormat {
        AudioFormat(coding: .raw(sample), sampleRate: rate, channels: channels)
    }

    /// A mono sine at half of full scale (the frequency in Hz).
    static func sine(_ frequency: Double, frames: Int, rate: Int = 48_000, from start: Int = 0)
        -> [Float]
    {
        (0..<frames).map {
            Float(0.5 * sin(2 * .pi * frequency * Double(start + $0) / Double(rate)))
        }
    }

    /// Silence with one short burst of 1 kHz that begins at a frame.
    static func burst(at frame: Int, frames: Int) -> [Float] {
        var audio = [Float](repeating: 0, count: frames)
        for (index, value) in sine(1000, frames: 480).enumerated() { audio[frame + index] = value }
        return audio
    }

    static func block(_ audio: [Float]) -> BlockBuffer {
        audio.withUnsafeBytes { BlockBuffer($0) }
    }

    static func sample(_ sound: [Float], at time: MediaTime, rate: Int = 48_000) -> SampleBuffer {
        SampleBuffer(
            payload: .audio(block(sound)), format: .audio(format(rate: rate)),
            presentationTime: time)
    }

    static func values(_ block: BlockBuffer) -> [Float] {
        block.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// All values of decoded samples as floats, whatever their sample format.
    static func values(_ samples: [SampleBuffer]) -> [Float] {
        samples.flatMap { sample -> [Float] in
            guard let block = sample.block else { return [] }
            switch sample.format.audio?.sampleFormat {
            case .int16:
                return block.withUnsafeBytes { bytes in
                    bytes.bindMemory(to: Int16.self).map { Float($0) / 32_768 }
                }
            case .int32:
                return block.withUnsafeBytes { bytes in
                    bytes.bindMemory(to: Int32.self).map { Float(Double($0) / 2_147_483_648) }
                }
            default: return values(block)
            }
        }
    }

    /// The shift of `second` against `first` at which they agree best (frames).
    static func shift(_ first: [Float], _ second: [Float], within range: ClosedRange<Int>) -> Int {
        var best = (shift: 0, sum: -Double.infinity)
        for shift in range {
            var sum = 0.0
            for index in first.indices where second.indices.contains(index + shift) {
                sum += Double(first[index]) * Double(second[index + shift])
            }
            if sum > best.sum { best = (shift, sum) }
        }
        return best.shift
    }
}

extension AudioEncoder {
    /// Encodes everything in blocks of odd sizes and hands out everything.
    func encodeAll(_ audio: [Float], at start: MediaTime, rate: Int = 48_000) throws
        -> [SampleBuffer]
    {
        var coded: [SampleBuffer] = []
        var offset = 0
        for size in [1, 479, 1023, 1025, 4000] + Array(repeating: 441, count: 10_000) {
            guard offset < audio.count else { break }
            let part = Array(audio[offset..<min(offset + size, audio.count)])
            coded += try encode(
                AudioSignals.sample(
                    part,
                    at: start + MediaTime(value: Int64(offset), timescale: Int32(rate)), rate: rate)
            )
            offset += size
        }
        return try coded + finish()
    }
}
