package import Media

/// Makes depth visible: near points warm and bright, far ones cold and dark, those of which nothing is known black. A
/// value.
///
/// The colours span what the scene has, the middle 96 of 100 known points, and follow it over some frames, so that one
/// thing that comes or goes does not change the colours of all others at once.
package struct DepthColors: Sendable {
    /// The values that the ends of the colours stand for (steps of the map).
    private var span: (near: Double, far: Double)?
    private var format: DepthFormat?

    /// How much of the way to what a frame has the span goes with it (parts).
    private static let pace = 0.2
    /// Points that a span is made of, at most (count).
    private static let mostPoints = 20_000

    package init() {}

    /// What the pixels are besides their size.
    package static let color = ColorDescription.bt709

    /// The distances that the ends of the colours stand for (m); `nil` where they are no metres, or nothing is known.
    package var distances: ClosedRange<Double>? {
        guard let span, let format, format.accuracy == .absolute else { return nil }
        let ends = [span.near, span.far].map { UInt16(min(max($0.rounded(), 1), 65_535)) }
            .compactMap(format.distance)
        guard ends.count == 2 else { return nil }
        return min(ends[0], ends[1])...max(ends[0], ends[1])
    }

    /// - Parameter box: what the picture must fit into (pixels); `nil`: it has a pixel for each point.
    /// - Returns: `yuv420p` of even sides, no larger than the map, each pixel of one point of it.
    package mutating func picture(of data: DepthData, in box: PixelSize?) -> PixelBuffer {
        let steps = data.steps
        follow(steps, data.format)
        let own = PixelSize(data.width, data.height)
        let fitted = box.map { own.fitted(into: $0, grows: false) } ?? own
        let (width, height) = (max(2, fitted.width / 2 * 2), max(2, fitted.height / 2 * 2))
        let columns = (0..<width).map { min($0 * own.width / width, own.width - 1) }
        var picture = PixelBuffer(width: width, height: height, format: .yuv420p)
        let span = span ?? (1, 2)
        let (near, scale) = (span.near, 255 / (span.far - span.near))
        func code(_ x: Int, _ y: Int) -> Int {
            let row = min(y * own.height / height, own.height - 1)
            let step = steps[row * own.width + columns[x]]
            guard step > 0 else { return 256 }
            return Int(min(max((Double(step) - near) * scale, 0), 255))
        }
        picture.withMutablePlanes { planes in
            for y in stride(from: 0, to: height, by: 2) {
                let lines = [planes[0].row(y), planes[0].row(y + 1)]
                let (blue, red) = (planes[1].row(y / 2), planes[2].row(y / 2))
                for x in stride(from: 0, to: width, by: 2) {
                    var sums = (blue: 2, red: 2)
                    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        let color = Self.table[code(x + dx, y + dy)]
                        lines[dy][x + dx] = color.luma
                        sums.blue += Int(color.blue)
                        sums.red += Int(color.red)
                    }
                    blue[x / 2] = UInt8(sums.blue / 4)
                    red[x / 2] = UInt8(sums.red / 4)
                }
            }
        }
        return picture
    }

    private mutating func follow(_ steps: [UInt16], _ format: DepthFormat) {
        if format != self.format { (span, self.format) = (nil, format) }
        let stride = max(1, steps.count / Self.mostPoints)
        let known = Swift.stride(from: 0, to: steps.count, by: stride).map { steps[$0] }
            .filter { $0 > 0 }.sorted()
        guard let least = known.first else { return }
        let margin = known.count / 50
        let low = Double(known.isEmpty ? least : known[margin])
        let high = max(low + 1, Double(known[known.count - 1 - margin]))
        let found = format.unit.kind == .depth ? (near: low, far: high) : (near: high, far: low)
        guard let old = span else {
            span = found
            return
        }
        span = (
            old.near + (found.near - old.near) * Self.pace,
            old.far + (found.far - old.far) * Self.pace
        )
    }

    // MARK: The colours

    private struct Code {
        var luma: UInt8
        var blue: UInt8
        var red: UInt8

        /// - Parameter parts: red, green and blue (0…1).
        init(_ parts: [Double]) {
            let light = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
            luma = UInt8((16 + 219 * light).rounded())
            blue = UInt8((128 + 224 * (parts[2] - light) / 1.8556).rounded())
            red = UInt8((128 + 224 * (parts[0] - light) / 1.5748).rounded())
        }
    }

    /// From near to far: each one darker than the one before, so that they differ in grey, too.
    private static let ends: [[Double]] = [
        [1, 0.97, 0.78], [1, 0.72, 0.2], [0.93, 0.35, 0.3], [0.62, 0.2, 0.6], [0.25, 0.22, 0.7],
        [0.08, 0.14, 0.4],
    ]

    /// 256 of them, and black.
    private static let table: [Code] =
        (0...255).map { number in
            let place = Double(number) / 255 * Double(ends.count - 1)
            let first = min(Int(place), ends.count - 2)
            let part = place - Double(first)
            return Code(zip(ends[first], ends[first + 1]).map { $0 + ($1 - $0) * part })
        } + [Code([0, 0, 0])]
}
