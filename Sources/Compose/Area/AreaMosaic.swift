/// Squares, each of the mean of what it covers. They lie still in the clip's frame wherever the area moves, so that a
/// moving area does not show more of it than one that stands.
public struct AreaMosaic: AreaEffect {
    /// Side of a square (fraction of the frame's shorter side; 0.002…1; default 0.06).
    public var size: Double

    public init(size: Double = 0.06) { self.size = size }

    public var reach: Double { size }

    public var problem: String? {
        (0.002...1).contains(size)
            ? nil : "the squares of a mosaic have the side \(size); it can be 0.002 to 1"
    }

    public func apply(to samples: AreaSamples) {
        let columns = edges(
            samples.left, samples.across, samples.columns, step: samples.columnStep)
        let rows = edges(samples.top, samples.down, samples.rows, step: samples.rowStep)
        for (top, bottom) in zip(rows, rows.dropFirst()) {
            for (left, right) in zip(columns, columns.dropFirst()) {
                var sum = 0.0
                for y in top..<bottom {
                    for x in left..<right { sum += Double(samples[x, y]) }
                }
                let mean = Float(sum / Double((right - left) * (bottom - top)))
                for y in top..<bottom {
                    for x in left..<right { samples[x, y] = mean }
                }
            }
        }
    }

    /// Where squares begin and end, both ends of the samples among them.
    private func edges(
        _ start: Double, _ sample: Double, _ count: Int, step: Int
    ) -> [Int] {
        var edges = [0]
        var square = (start / size).rounded(.down) + 1
        while true {
            let place = (square * size - start) / sample / Double(step)
            let edge = Int(place.rounded()) * step
            if edge >= count { break }
            if edge > edges[edges.count - 1] { edges.append(edge) }
            square += 1
        }
        return edges + [count]
    }
}
