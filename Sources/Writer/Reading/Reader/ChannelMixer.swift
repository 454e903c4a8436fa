internal import LibAV
internal import Media

/// Brings interleaved audio to another number of channels. Mono goes to every channel as it is, and
/// stereo to mono as the mean; more channels are mixed as libswresample does by their usual places.
final class ChannelMixer {
    private enum Way {
        case same
        case spread
        case mean
        case matrix(AudioResampler)
    }

    private let way: Way
    private let input: Int
    private let output: Int

    init(rate: Int, from input: Int, to output: Int) throws(MediaError) {
        self.input = input
        self.output = output
        if input == output {
            way = .same
        } else if input == 1 {
            way = .spread
        } else if input == 2, output == 1 {
            way = .mean
        } else {
            func format(_ channels: Int) -> AudioFormat {
                AudioFormat(coding: .raw(.float32), sampleRate: rate, channels: channels)
            }
            way = .matrix(
                try AudioResampler(from: format(input), to: format(output), isSteerable: false))
        }
    }

    var isIdentity: Bool { input == output }

    func mix(
        _ source: [Float], into target: UnsafeMutableBufferPointer<Float>, path: String
    ) throws(MediaError) {
        switch way {
        case .same: _ = target.update(fromContentsOf: source)
        case .spread:
            for (frame, value) in source.enumerated() {
                for channel in 0..<output { target[frame * output + channel] = value }
            }
        case .mean:
            for frame in 0..<source.count / 2 {
                target[frame] = (source[2 * frame] + source[2 * frame + 1]) / 2
            }
        case .matrix(let resampler):
            let whole = source.withUnsafeBytes { BlockBuffer($0) }
            do throws(MediaError) {
                let block = try resampler.convert(whole)
                block.withUnsafeBytes { bytes in
                    let mixed = bytes.bindMemory(to: Float.self).prefix(target.count)
                    _ = target.update(fromContentsOf: mixed)
                }
            } catch {
                throw error.of(path)
            }
        }
    }
}
