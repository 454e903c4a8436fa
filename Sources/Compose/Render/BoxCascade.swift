/// Three running means, one after the other: nearly a Gaussian, at a cost that does not depend on its width.
/// The window's two outermost samples count in part, so that the variance is the wanted one.
struct BoxCascade {
    private let radius: Int
    private let part: Float
    private let edge: Float

    /// - Parameters:
    ///   - variance: of all three together (samples²; positive).
    ///   - edge: how far outside the outermost samples lies what goes on beyond (samples).
    init(variance: Double, edge: Double = 0) {
        let each = variance / 3
        var radius = 0
        while Double((radius + 1) * (radius + 2)) / 3 <= each { radius += 1 }
        self.radius = radius
        self.edge = Float(edge)
        let (r, n) = (Double(radius), Double(2 * radius + 1))
        part = Float((each * n - r * (r + 1) * n / 3) / (2 * ((r + 1) * (r + 1) - each)))
    }

    /// Blurs lines of `count` values each; what lies at the edges goes on beyond them.
    func run(
        _ values: UnsafeMutablePointer<Float>, lines: Int, lineStep: Int, count: Int, step: Int
    ) {
        let margin = 3 * (radius + 1)
        var first = [Float](repeating: 0, count: count + 2 * margin)
        var second = first
        first.withUnsafeMutableBufferPointer { first in
            second.withUnsafeMutableBufferPointer { second in
                for line in 0..<lines {
                    let start = values + line * lineStep
                    for x in 0..<count { first[margin + x] = start[x * step] }
                    extend(first, margin, count)
                    pass(UnsafeBufferPointer(first), second, radius + 1)
                    pass(UnsafeBufferPointer(second), first, 2 * (radius + 1))
                    pass(UnsafeBufferPointer(first), second, margin)
                    for x in 0..<count { start[x * step] = second[margin + x] }
                }
            }
        }
    }

    private func extend(_ line: UnsafeMutableBufferPointer<Float>, _ margin: Int, _ count: Int) {
        let last = margin + count - 1
        let inner = count > 1 ? 1 : 0
        let left = line[margin] + edge * (line[margin] - line[margin + inner])
        let right = line[last] + edge * (line[last] - line[last - inner])
        for x in 0..<margin {
            line[x] = left
            line[last + 1 + x] = right
        }
    }

    /// One running mean, from `start` to as far from the end.
    private func pass(
        _ source: UnsafeBufferPointer<Float>, _ target: UnsafeMutableBufferPointer<Float>,
        _ start: Int
    ) {
        var sum: Float = 0
        for offset in -radius...radius { sum += source[start + offset] }
        let scale = 1 / (Float(2 * radius + 1) + 2 * part)
        for x in start..<source.count - start {
            let after = source[x + radius + 1]
            target[x] = (sum + part * (source[x - radius - 1] + after)) * scale
            sum += after - source[x - radius]
        }
    }
}
