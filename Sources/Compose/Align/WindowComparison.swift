internal import LibAV
internal import Media

/// Compares two windows of audio that should hold the same: by how much is one late, and is it the same at all?
///
/// The cross-correlation of both with all frequencies of a band about equally strong (`Spectrum.whitened`) has a
/// peak as narrow as the band is wide.
struct WindowComparison {
    /// What two windows have in common.
    struct Match {
        /// The reference's window is so much late (frames, with fractions).
        var lag: Double
        /// 1: both hold the same and nothing else; below 0: one is upside down.
        var height: Double
        /// The peak above everything else within reach (factor).
        var clearness: Double
        /// The peak above what is usual within reach (standard deviations).
        var sharpness: Double
    }

    /// Frames of a window (count; a power of two).
    let length: Int
    private let rate: Int
    private let reach: Int
    private let band: ClosedRange<Double>
    private let transform: FourierTransform
    private let shape: [Float]

    /// Beside a peak what belongs to it (seconds).
    private static let skirt = 0.002
    /// Neighbours that a frequency is compared with (Hz).
    private static let neighbours = 30.0

    /// - Parameters:
    ///   - length: frames of a window (a power of two).
    ///   - rate: frames per second.
    ///   - band: that is compared (Hz).
    ///   - reach: lags looked at on either side (seconds).
    init(
        length: Int, rate: Int, band: ClosedRange<Double>, reach: Double
    ) throws(MediaError) {
        self.length = length
        self.rate = rate
        self.band = band
        self.reach = min(length / 2, Int((reach * Double(rate)).rounded()))
        transform = try FourierTransform(size: 2 * length)
        shape = hannWindow(length)
    }

    /// - Returns: nil where one of them is silent.
    func match(reference: [Float], recording: [Float]) -> Match? {
        guard let one = spectrum(of: reference), let other = spectrum(of: recording) else {
            return nil
        }
        let norm = (one.energy * other.energy).squareRoot()
        guard norm > 0 else { return nil }
        var product = Spectrum.empty(size: transform.size)
        product.addCorrelation(of: one, with: other)
        let products = transform.samples(of: product)
        let factor = Float(1 / norm)
        // lags from below zero to above it, in one row
        let row = (products.suffix(reach + 1) + products.prefix(reach + 2)).map { $0 * factor }
        return peak(of: row)
    }

    private func spectrum(of samples: [Float]) -> Spectrum? {
        var power: Float = 0
        var windowed = samples
        for index in 0..<min(samples.count, length) {
            power += samples[index] * samples[index]
            windowed[index] = samples[index] * shape[index]
        }
        guard power > 1e-8 * Float(length) else { return nil }
        let bins = Double(transform.size) / Double(rate)
        let last = transform.size / 2 - 1
        let kept = min(last, Int(band.lowerBound * bins))...min(last, Int(band.upperBound * bins))
        return transform.spectrum(of: windowed).whitened(
            band: kept, reach: Int(Self.neighbours * bins))
    }

    private func peak(of row: [Float]) -> Match? {
        let magnitudes = row.map { abs($0) }
        let inside = 1..<row.count - 1
        guard let place = inside.max(by: { magnitudes[$0] < magnitudes[$1] }) else { return nil }
        let skirt = max(2, Int(Self.skirt * Double(rate)))
        var (second, sum, count): (Float, Double, Int) = (0, 0, 0)
        for index in magnitudes.indices where abs(index - place) > skirt {
            second = max(second, magnitudes[index])
            sum += Double(magnitudes[index] * magnitudes[index])
            count += 1
        }
        let usual = (sum / Double(max(1, count))).squareRoot()
        let height = Double(magnitudes[place])
        guard height > 0 else { return nil }
        return Match(
            lag: Double(place - reach - 1) + peakOffset(magnitudes, place),
            height: Double(row[place]),
            clearness: second > 0 ? height / Double(second) : .infinity,
            sharpness: usual > 0 ? height / usual : .infinity)
    }
}
