/// A Butterworth high-pass of the fourth order for one channel: −3 dB at its frequency, 24 dB per octave below, without
/// ripple. Two sections in double precision.
struct HighPass {
    private struct Section {
        /// Of the numerator (1, −2, 1) times it.
        let gain: Double
        let a1: Double
        let a2: Double
        var first = 0.0
        var second = 0.0

        /// - Parameters:
        ///   - slope: the tangent of half the angle that the frequency is of a turn a sample.
        ///   - quality: of its pair of poles.
        init(slope: Double, quality: Double) {
            gain = 1 / (1 + slope / quality + slope * slope)
            a1 = 2 * (slope * slope - 1) * gain
            a2 = (1 - slope / quality + slope * slope) * gain
        }

        mutating func pass(_ value: Double) -> Double {
            let scaled = gain * value
            let result = scaled + first
            first = second - 2 * scaled - a1 * result
            second = scaled - a2 * result
            return result
        }

        /// As if it had had the value for ever.
        mutating func settle(_ value: Double) { (first, second) = (-gain * value, gain * value) }
    }

    private var low: Section
    private var high: Section

    /// - Parameters:
    ///   - frequency: where it is at −3 dB (Hz; below half the sample rate).
    ///   - sampleRate: Hz.
    init(frequency: Double, sampleRate: Int) {
        let angle = Double.pi * frequency / Double(sampleRate)
        let slope = Trigonometry.sine(angle) / Trigonometry.cosine(angle)
        // of the pairs of poles at 22.5 and 67.5 degrees
        low = Section(slope: slope, quality: 0.5 / Trigonometry.cosine(.pi / 8))
        high = Section(slope: slope, quality: 0.5 / Trigonometry.cosine(.pi * 3 / 8))
    }

    /// The next sample.
    mutating func pass(_ value: Double) -> Double { high.pass(low.pass(value)) }

    /// As if a value had been there for ever: nothing of it passes.
    mutating func settle(_ value: Double) {
        low.settle(value)
        high.settle(0)
    }
}
