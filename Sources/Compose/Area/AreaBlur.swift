/// A blur like that of a lens: nearly a Gaussian.
public struct AreaBlur: AreaEffect {
    /// Standard deviation (fraction of the frame's shorter side; 0.001…0.5; default 0.03).
    public var size: Double

    public init(size: Double = 0.03) { self.size = size }

    public var reach: Double { 3 * size }

    public var problem: String? {
        (0.001...0.5).contains(size)
            ? nil : "the size of a blur is \(size); it can be 0.001 to 0.5"
    }

    public func apply(to samples: AreaSamples) {
        guard samples.columns > 0, samples.rows > 0 else { return }
        let deviation = (size / samples.across, size / samples.down)
        // as small as a deviation of two samples allows
        var factor = 1
        while factor < 64, Double(4 * factor) <= min(deviation.0, deviation.1) { factor *= 2 }
        let width = (samples.columns + factor - 1) / factor
        let height = (samples.rows + factor - 1) / factor
        if factor == 1 {
            guard let base = samples.values.baseAddress else { return }
            Self.blur(base, width, height, deviation, scale: 1)
            return
        }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: width * height) { small in
            guard let base = small.baseAddress else { return }
            Self.reduce(samples, into: base, width, height, factor)
            Self.blur(base, width, height, deviation, scale: factor)
            Self.enlarge(base, width, height, factor, into: samples)
        }
    }

    /// - Parameter scale: how many samples one value stands for.
    private static func blur(
        _ values: UnsafeMutablePointer<Float>, _ width: Int, _ height: Int,
        _ deviation: (Double, Double), scale: Int
    ) {
        // making small by means and large by lines blurs as well
        let factor = Double(scale)
        let own = scale == 1 ? 0 : 0.25
        func variance(_ deviation: Double) -> Double {
            max(0.05, deviation * deviation / (factor * factor) - own)
        }
        BoxCascade(variance: variance(deviation.0)).run(
            values, lines: height, lineStep: width, count: width, step: 1)
        BoxCascade(variance: variance(deviation.1)).run(
            values, lines: width, lineStep: 1, count: height, step: width)
    }

    private static func reduce(
        _ samples: AreaSamples, into small: UnsafeMutablePointer<Float>, _ width: Int,
        _ height: Int, _ factor: Int
    ) {
        for y in 0..<height {
            let rows = y * factor..<min((y + 1) * factor, samples.rows)
            for x in 0..<width {
                let columns = x * factor..<min((x + 1) * factor, samples.columns)
                var sum: Float = 0
                for row in rows {
                    for column in columns { sum += samples[column, row] }
                }
                small[y * width + x] = sum / Float(rows.count * columns.count)
            }
        }
    }

    private static func enlarge(
        _ small: UnsafeMutablePointer<Float>, _ width: Int, _ height: Int, _ factor: Int,
        into samples: AreaSamples
    ) {
        func place(_ sample: Int, _ count: Int) -> (Int, Int, Float) {
            let place = (Double(sample) + 0.5) / Double(factor) - 0.5
            let first = place.rounded(.down)
            let index = Int(first)
            return (
                max(0, min(count - 1, index)), max(0, min(count - 1, index + 1)),
                Float(place - first)
            )
        }
        let columns = (0..<samples.columns).map { place($0, width) }
        for y in 0..<samples.rows {
            let (upper, lower, down) = place(y, height)
            let (first, second) = (small + upper * width, small + lower * width)
            for x in 0..<samples.columns {
                let (left, right, across) = columns[x]
                let above = first[left] + (first[right] - first[left]) * across
                let below = second[left] + (second[right] - second[left]) * across
                samples[x, y] = above + (below - above) * down
            }
        }
    }
}
