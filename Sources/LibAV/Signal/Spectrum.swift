/// The spectrum of real samples: bins from 0 Hz to half the sample rate.
package struct Spectrum: Sendable {
    /// Real and imaginary part of each bin in turn.
    package private(set) var values: [Float]

    /// Bins (count): half the samples, and one.
    package var count: Int { values.count / 2 }

    package init(values: [Float]) { self.values = values }

    package static func empty(size: Int) -> Spectrum {
        Spectrum(values: [Float](repeating: 0, count: size + 2))
    }

    /// The power of a bin.
    package func power(_ bin: Int) -> Float {
        values[2 * bin] * values[2 * bin] + values[2 * bin + 1] * values[2 * bin + 1]
    }

    /// Adds the product of one spectrum with the conjugate of another: back among samples, the cross-correlation,
    /// whose element *k* is the sum of `one[n + k] · other[n]`.
    package mutating func addCorrelation(of one: Spectrum, with other: Spectrum) {
        one.values.withUnsafeBufferPointer { a in
            other.values.withUnsafeBufferPointer { b in
                values.withUnsafeMutableBufferPointer { sum in
                    var index = 0
                    while index + 1 < min(sum.count, a.count, b.count) {
                        let (re, im) = (a[index], a[index + 1])
                        let (otherRe, otherIm) = (b[index], b[index + 1])
                        sum[index] += re * otherRe + im * otherIm
                        sum[index + 1] += im * otherRe - re * otherIm
                        index += 2
                    }
                }
            }
        }
    }

    /// The energy of the samples of which this is the spectrum.
    package var energy: Double {
        var sum = 0.0
        for value in values { sum += Double(value) * Double(value) }
        // bins but the first and the last stand for two
        let edges = Double(power(0)) + Double(power(count - 1))
        return (2 * sum - edges) / Double(values.count - 2)
    }

    /// The same with all bins of a band about equally strong, and nothing outside.
    ///
    /// A bin is divided by its own magnitude, so that neither a microphone's colour nor a loud note decides; but
    /// not where it is far below its neighbours or the whole, because there it holds what the ends of the
    /// window leak, which is alike in any two windows.
    /// - Parameters:
    ///   - band: bins that are kept.
    ///   - reach: neighbours on either side (bins).
    package func whitened(band: ClosedRange<Int>, reach: Int) -> Spectrum {
        let powers = (0..<count).map(power)
        var total: Float = 0
        for bin in band { total += powers[bin] }
        let floor = total / Float(band.count) * Self.leastOfAll
        var result = [Float](repeating: 0, count: values.count)
        var (first, last) = (band.lowerBound, band.lowerBound - 1)
        var near: Double = 0
        for bin in band {
            while last < min(band.upperBound, bin + reach) {
                last += 1
                near += Double(powers[last])
            }
            while first < bin - reach {
                near -= Double(powers[first])
                first += 1
            }
            let mean = Float(max(0, near) / Double(last - first + 1))
            let weight = (powers[bin] + mean * Self.leastOfNeighbours + floor).squareRoot()
            guard weight > 0 else { continue }
            result[2 * bin] = values[2 * bin] / weight
            result[2 * bin + 1] = values[2 * bin + 1] / weight
        }
        return Spectrum(values: result)
    }

    /// Below this part of its neighbours' mean power a bin is not raised (-10 dB).
    private static let leastOfNeighbours: Float = 0.1
    /// Nor below this part of the band's (-60 dB).
    private static let leastOfAll: Float = 1e-6
}
