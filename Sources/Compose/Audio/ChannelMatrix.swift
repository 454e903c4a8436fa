/// How the channels of a source become those of the film.
///
/// Mono goes to both sides at full level. More than two channels are mixed down by ITU-R BS.775: centre
/// and surrounds at −3 dB, a single back channel at −3 dB to both sides, the low-frequency channel
/// left out; nothing is scaled down beforehand, so that dialogue stays as loud as in stereo clips,
/// and the limiter catches what passes full scale. A film in mono is half the sum of both sides.
/// Of more channels than eight, or of an order without a convention, all are heard on both sides at −3 dB.
struct ChannelMatrix: Sendable {
    let inputs: Int
    let outputs: Int
    /// Gain from input `i` to output `o` at `o * inputs + i`.
    let gains: [Float]

    init(from inputs: Int, to outputs: Int) {
        self.inputs = inputs
        self.outputs = outputs
        let sides = Self.sides(inputs)
        gains =
            outputs == 1
            ? sides.map { inputs == 1 ? 1 : Float(0.5 * ($0.left + $0.right)) }
            : sides.map { Float($0.left) } + sides.map { Float($0.right) }
    }

    var isIdentity: Bool { inputs == outputs }

    /// Interleaved frames in, interleaved frames out.
    func apply(_ frames: [Float]) -> [Float] {
        if isIdentity { return frames }
        let count = frames.count / inputs
        return [Float](unsafeUninitializedCapacity: count * outputs) { result, filled in
            for frame in 0..<count {
                for output in 0..<outputs {
                    var sum: Float = 0
                    for input in 0..<inputs {
                        sum += gains[output * inputs + input] * frames[frame * inputs + input]
                    }
                    result[frame * outputs + output] = sum
                }
            }
            filled = count * outputs
        }
    }

    private typealias Sides = (left: Double, right: Double)

    /// What each input gives to the left and to the right, in libavutil's default order of the count.
    private static func sides(_ channels: Int) -> [Sides] {
        let half = 0.5.squareRoot()
        let (left, right): (Sides, Sides) = ((1, 0), (0, 1))
        let (both, low): (Sides, Sides) = ((half, half), (0, 0))
        let (backLeft, backRight): (Sides, Sides) = ((half, 0), (0, half))
        switch channels {
        case 1: return [(1, 1)]
        case 2: return [left, right]
        case 3: return [left, right, low]  // 2.1
        case 4: return [left, right, both, both]  // 4.0
        case 5: return [left, right, both, backLeft, backRight]  // 5.0
        case 6: return [left, right, both, low, backLeft, backRight]  // 5.1
        case 7: return [left, right, both, low, both, backLeft, backRight]  // 6.1
        case 8:  // 7.1
            return [left, right, both, low, backLeft, backRight, backLeft, backRight]
        default: return Array(repeating: both, count: channels)
        }
    }
}
