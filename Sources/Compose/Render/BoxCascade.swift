internal import Media

/// Three running means, one after the other: nearly a Gaussian, at a cost that does not depend on its width. The one
/// blur: of fills behind frames and of shadows.
struct BoxCascade {
    /// A mean of `2 * radius + 1` samples, and of `part` of one more at each end.
    private struct Window {
        let radius: Int
        var part: Float = 0
    }

    private enum Edge {
        /// What lies at the edges continues beyond them; how far outside the outermost samples (samples).
        case continues(Float)
        /// Nothing is beyond them, after each mean.
        case nothing
    }

    private let windows: [Window]
    private let edge: Edge

    /// Frames, which continue beyond their edges. The windows' two outermost samples count in part, so that the
    /// variance is the wanted one.
    /// - Parameters:
    ///   - variance: of all three together (samples²; positive).
    ///   - edge: how far outside the outermost samples lies what continues beyond (samples).
    init(variance: Double, edge: Double = 0) {
        let each = variance / 3
        var radius = 0
        while Double((radius + 1) * (radius + 2)) / 3 <= each { radius += 1 }
        let (r, n) = (Double(radius), Double(2 * radius + 1))
        let part = Float((each * n - r * (r + 1) * n / 3) / (2 * ((r + 1) * (r + 1) - each)))
        windows = Array(repeating: Window(radius: radius, part: part), count: 3)
        self.edge = .continues(Float(edge))
    }

    /// Shadows, outside of which there is nothing. Whole windows, whose edges stay sharp.
    /// - Parameter deviation: the standard deviation (samples); below about 0.4 nothing changes.
    private init(shadow deviation: Double) {
        // means of widths w have the variance (w² − 1) / 12 each; the widths that are odd and closest
        let ideal = (4 * deviation * deviation + 1).squareRoot()
        var lower = Int(ideal)
        if lower % 2 == 0 { lower -= 1 }
        lower = max(1, lower)
        let square = Double(lower * lower)
        let wanted = 12 * deviation * deviation - 3 * square - 12 * Double(lower) - 9
        let count = Int((wanted / (-4 * Double(lower) - 4)).rounded())
        windows = (0..<3).map { Window(radius: ($0 < count ? lower : lower + 2) / 2) }
            .filter { $0.radius > 0 }
        edge = .nothing
    }

    /// Blurs a mask of 8 bits in place, outside of which there is nothing.
    /// - Parameter deviation: the standard deviation (pixels).
    static func shadow(_ mask: MutablePixelPlane, columns: Int, deviation: Double) {
        let blur = BoxCascade(shadow: deviation)
        let reach = blur.windows.reduce(0) { $0 + $1.radius }
        guard reach > 0, let drawn = drawn(mask, columns) else { return }
        // where the shadow reaches, and not the whole frame
        let xs = (drawn.xs.lowerBound - reach..<drawn.xs.upperBound + reach)
            .clamped(to: 0..<columns)
        let ys = (drawn.ys.lowerBound - reach..<drawn.ys.upperBound + reach)
            .clamped(to: 0..<mask.rows)
        let part = MutablePixelPlane(
            base: mask.row(ys.lowerBound) + xs.lowerBound, bytesPerRow: mask.bytesPerRow,
            rows: ys.count)
        Self.blur(part, columns: xs.count, across: blur, down: blur, largest: UInt8.max)
    }

    /// Where something is; nil: nowhere.
    private static func drawn(
        _ mask: MutablePixelPlane, _ columns: Int
    ) -> (xs: Range<Int>, ys: Range<Int>)? {
        var (left, right, top, bottom) = (columns, 0, mask.rows, 0)
        for y in 0..<mask.rows {
            let row = UnsafeBufferPointer(start: mask.row(y), count: columns)
            guard let first = row.firstIndex(where: { $0 != 0 }),
                let last = row.lastIndex(where: { $0 != 0 })
            else { continue }
            (left, right) = (min(left, first), max(right, last + 1))
            (top, bottom) = (min(top, y), y + 1)
        }
        return top < bottom ? (left..<right, top..<bottom) : nil
    }

    /// Blurs a plane of samples in place, along its rows and then along its columns.
    /// - Parameter largest: code: what continues beyond an edge may be brighter than any frame.
    static func blur<Sample: FixedWidthInteger & UnsignedInteger>(
        _ plane: MutablePixelPlane, columns: Int, across: BoxCascade, down: BoxCascade,
        largest: Sample
    ) {
        let (rows, most) = (plane.rows, Float(largest))
        var values = [Float](repeating: 0, count: columns * rows)
        for y in 0..<rows {
            let line = plane.base.advanced(by: y * plane.bytesPerRow)
                .assumingMemoryBound(to: Sample.self)
            for x in 0..<columns { values[y * columns + x] = Float(line[x]) }
        }
        values.withUnsafeMutableBufferPointer { values in
            guard let base = values.baseAddress else { return }
            across.run(base, lines: rows, lineStep: columns, count: columns, step: 1)
            down.run(base, lines: columns, lineStep: 1, count: rows, step: columns)
        }
        for y in 0..<rows {
            let line = plane.base.advanced(by: y * plane.bytesPerRow)
                .assumingMemoryBound(to: Sample.self)
            for x in 0..<columns {
                let value = max(0, min(values[y * columns + x], most))
                line[x] = Sample(truncatingIfNeeded: Int32(value + 0.5))
            }
        }
    }

    /// Blurs lines of `count` values each.
    func run(
        _ values: UnsafeMutablePointer<Float>, lines: Int, lineStep: Int, count: Int, step: Int
    ) {
        let margin = windows.reduce(0) { $0 + $1.radius + 1 }
        var first = [Float](repeating: 0, count: count + 2 * margin)
        var second = first
        first.withUnsafeMutableBufferPointer { first in
            second.withUnsafeMutableBufferPointer { second in
                for line in 0..<lines {
                    let start = values + line * lineStep
                    for x in 0..<count { first[margin + x] = start[x * step] }
                    let blurred = blur(first, second, margin, count)
                    for x in 0..<count { start[x * step] = blurred[margin + x] }
                }
            }
        }
    }

    /// Blurs a line that begins behind the margin.
    /// - Returns: one of both, where the blurred line is.
    private func blur(
        _ first: UnsafeMutableBufferPointer<Float>, _ second: UnsafeMutableBufferPointer<Float>,
        _ margin: Int, _ count: Int
    ) -> UnsafeMutableBufferPointer<Float> {
        var reach = 0
        if case .continues(let distance) = edge {
            extend(first, margin, count, distance)
            reach = margin
        }
        var (source, target) = (first, second)
        for window in windows {
            reach = max(0, reach - window.radius - 1)
            let range = margin - reach..<margin + count + reach
            pass(UnsafeBufferPointer(source), target, range, window)
            swap(&source, &target)
        }
        return source
    }

    private func extend(
        _ line: UnsafeMutableBufferPointer<Float>, _ margin: Int, _ count: Int, _ distance: Float
    ) {
        let last = margin + count - 1
        let inner = count > 1 ? 1 : 0
        let left = line[margin] + distance * (line[margin] - line[margin + inner])
        let right = line[last] + distance * (line[last] - line[last - inner])
        for x in 0..<margin {
            line[x] = left
            line[last + 1 + x] = right
        }
    }

    /// One running mean.
    private func pass(
        _ source: UnsafeBufferPointer<Float>, _ target: UnsafeMutableBufferPointer<Float>,
        _ range: Range<Int>, _ window: Window
    ) {
        let (radius, part) = (window.radius, window.part)
        var sum: Float = 0
        for offset in -radius...radius { sum += source[range.lowerBound + offset] }
        let scale = 1 / (Float(2 * radius + 1) + 2 * part)
        for x in range {
            let after = source[x + radius + 1]
            target[x] = (sum + part * (source[x - radius - 1] + after)) * scale
            sum += after - source[x - radius]
        }
    }
}
