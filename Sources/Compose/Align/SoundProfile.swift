internal import Glibc
internal import LibAV
internal import Media

/// When something sounds in a recording, and how high: the onsets in seven bands, a hundred values a second.
///
/// A value says how much louder a band becomes within 40 ms, on a scale that a microphone's sensitivity and
/// colour do not change. An hour takes 10 MB.
struct SoundProfile {
    /// Between two values (frames at the search rate: 10 ms).
    static let hop = 80
    /// Values a second (1/s).
    static var rate: Double { Double(AlignmentScale.searchRate) / Double(hop) }

    /// Of each band, one after the other.
    let bands: [[Float]]
    /// Values of a band (count).
    var count: Int { bands[0].count }
    /// Whether anything is in it that is louder than a 16-bit recording's last bits.
    let isSilent: Bool
    /// Sums of all bands' magnitudes up to a place, for `activity(in:)`.
    private let activities: [Float]

    /// How much happens in a span (values).
    func activity(in span: Range<Int>) -> Float {
        let known = span.clamped(to: 0..<count)
        return activities[known.upperBound] - activities[known.lowerBound]
    }
}

extension SoundProfile {
    /// Edges of the bands (Hz).
    private static let edges = [150, 300, 500, 800, 1200, 1800, 2600, 3700]
    private static let window = 256
    /// A band's power below this part of its mean counts as silence (-10 dB).
    private static let floor: Float = 0.1
    /// Powers up to this are silence: rounding to 16 bits (full scale is 1).
    private static let leastPower = 1e-8
    /// On either side of an onset (values).
    private static let reach = 2
    /// One loud moment counts at most so much more than what is usual.
    private static let most: Float = 4

    /// Takes a recording's audio in order, and makes its profile. Thread-bound.
    final class Maker {
        private let transform: FourierTransform
        private let shape: [Float]
        private let bins: [Range<Int>]
        private var waiting: [Float] = []
        private var powers: [[Float]]
        private var loudest = 0.0

        init() throws(MediaError) {
            transform = try FourierTransform(size: window)
            shape = hannWindow(window)
            let width = Double(AlignmentScale.searchRate) / Double(window)
            let places = edges.map { Int((Double($0) / width).rounded()) }
            bins = zip(places, places.dropFirst()).map { $0..<$1 }
            powers = Array(repeating: [], count: bins.count)
        }

        func add(_ samples: [Float]) {
            waiting.append(contentsOf: samples)
            var place = 0
            while place + window <= waiting.count {
                take(waiting[place..<place + window])
                place += hop
            }
            waiting.removeFirst(place)
        }

        private func take(_ samples: ArraySlice<Float>) {
            var windowed = [Float](repeating: 0, count: window)
            var power = 0.0
            for (index, value) in samples.enumerated() {
                power += Double(value * value)
                windowed[index] = value * shape[index]
            }
            loudest = max(loudest, power / Double(window))
            let spectrum = transform.spectrum(of: windowed)
            for (band, bins) in bins.enumerated() {
                powers[band].append(bins.reduce(0) { $0 + spectrum.power($1) })
            }
        }

        func finish() -> SoundProfile {
            let bands = powers.map(SoundProfile.onsets)
            var sums: [Float] = [0]
            var sum = 0.0
            for place in 0..<(bands.first?.count ?? 0) {
                for band in bands { sum += Double(abs(band[place])) }
                sums.append(Float(sum))
            }
            return SoundProfile(
                bands: bands, isSilent: loudest < leastPower, activities: sums)
        }
    }

    /// Differences of the powers' logarithms, with a variance of one.
    private static func onsets(_ powers: [Float]) -> [Float] {
        let mean = powers.reduce(0.0) { $0 + Double($1) } / Double(max(1, powers.count))
        guard mean > 0 else { return powers.map { _ in 0 } }
        let levels = powers.map { logf(1 + $0 / (Float(mean) * floor)) }
        var result = [Float](repeating: 0, count: powers.count)
        var sum = 0.0
        for place in levels.indices.dropFirst(reach).dropLast(reach) {
            result[place] = levels[place + reach] - levels[place - reach]
            sum += Double(result[place] * result[place])
        }
        let usual = Float((sum / Double(max(1, powers.count))).squareRoot())
        guard usual > 0 else { return result }
        return result.map { max(-most, min(most, $0 / usual)) }
    }
}

/// Weights that let a span of samples come and go.
func hannWindow(_ count: Int) -> [Float] {
    (0..<count).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(count))) }
}
