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

    /// Beyond an edge its samples continue.
    public func apply(to samples: AreaSamples) {
        guard samples.columns > 0, samples.rows > 0 else { return }
        let deviation = (size / samples.across, size / samples.down)
        // as small as a deviation of two samples allows
        var factor = 1
        while factor < 64, Double(4 * factor) <= min(deviation.0, deviation.1) { factor *= 2 }
        if factor == 1 {
            guard let base = samples.values.baseAddress else { return }
            Self.blur(base, samples.columns, samples.rows, deviation, scale: 1)
            return
        }
        // blocks beyond the edges, so that a block at an edge is not taken for all that continues there
        func beyond(_ deviation: Double) -> Int {
            min(64, Int((3 * deviation / Double(factor)).rounded(.up)))
        }
        let grid = Blocks(
            factor: factor, columns: (samples.columns + factor - 1) / factor,
            rows: (samples.rows + factor - 1) / factor,
            beyond: (beyond(deviation.0), beyond(deviation.1)))
        withUnsafeTemporaryAllocation(of: Float.self, capacity: grid.width * grid.height) {
            small in
            guard let base = small.baseAddress else { return }
            grid.reduce(samples, into: base)
            Self.blur(base, grid.width, grid.height, deviation, scale: factor)
            grid.enlarge(base, into: samples)
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
}

/// Samples in blocks, each of which is one value: their own, and some beyond each edge.
private struct Blocks {
    /// Samples along each side of a block.
    let factor: Int
    /// That hold samples.
    let columns: Int
    let rows: Int
    /// Before the first one and behind the last one.
    let beyond: (columns: Int, rows: Int)

    var width: Int { columns + 2 * beyond.columns }
    var height: Int { rows + 2 * beyond.rows }

    func reduce(_ samples: AreaSamples, into small: UnsafeMutablePointer<Float>) {
        /// Of a block along one side, samples beyond an edge being those at it.
        func span(_ block: Int, _ beyond: Int, _ count: Int) -> Range<Int> {
            let first = (block - beyond) * factor
            let start = max(0, min(count - 1, first))
            return start..<max(start + 1, min(count, first + factor))
        }
        for y in 0..<height {
            let rows = span(y, beyond.rows, samples.rows)
            for x in 0..<width {
                let columns = span(x, beyond.columns, samples.columns)
                var sum: Float = 0
                for row in rows {
                    for column in columns { sum += samples[column, row] }
                }
                small[y * width + x] = sum / Float(rows.count * columns.count)
            }
        }
    }

    func enlarge(_ small: UnsafeMutablePointer<Float>, into samples: AreaSamples) {
        func place(_ sample: Int, _ beyond: Int, _ count: Int) -> (Int, Int, Float) {
            let place = (Double(sample) + 0.5) / Double(factor) - 0.5 + Double(beyond)
            let first = place.rounded(.down)
            let index = Int(first)
            return (
                max(0, min(count - 1, index)), max(0, min(count - 1, index + 1)),
                Float(place - first)
            )
        }
        let columns = (0..<samples.columns).map { place($0, beyond.columns, width) }
        for y in 0..<samples.rows {
            let (upper, lower, down) = place(y, beyond.rows, height)
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
