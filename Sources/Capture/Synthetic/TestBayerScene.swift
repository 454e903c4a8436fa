package import Media

/// What a test camera with a raw sensor sees: the frame's number in 24 cells, black and white, over six bars of colour
/// that move, or white below. Its colours are grey on average. Every value of every frame is known (`value`), so that
/// a test can compare what it gets bit for bit.
package struct TestBayerScene: Sendable {
    /// Columns that the bars move with each frame (pixels): as many as values that are packed together.
    private static let step = 4
    /// Red, yellow, green, cyan, blue and magenta: whether they have red, green and blue.
    private static let bars: [[Bool]] = [
        [true, false, false], [true, true, false], [false, true, false], [false, true, true],
        [false, false, true], [true, false, true],
    ]

    package let size: PixelSize
    package let bayer: BayerFormat

    /// - Precondition: `TestPattern.canDraw(size)`.
    package init(size: PixelSize, _ bayer: BayerFormat) {
        precondition(TestPattern.canDraw(size))
        self.size = size
        self.bayer = bayer
    }

    /// The darkness of the test camera's sensor: a sixteenth of what it has.
    package static func blackLevel(bits: Int) -> Int { 1 << (bits - 4) }

    /// The value of a pixel of a frame.
    /// - Parameters:
    ///   - number: of the frame.
    ///   - x: column (pixels).
    ///   - y: row (pixels).
    ///   - isFlash: whether the frame is white below the cells.
    ///   - factor: how much brighter the camera exposes than usual.
    package func value(
        _ number: Int64, x: Int, y: Int, isFlash: Bool = false, factor: Double = 1
    ) -> UInt16 {
        if y < TestPattern.stripHeight(size) { return level(isSet(number, x) ? 1 : 0) }
        if isFlash { return level(1) }
        let moved = (x + shift(number)) % size.width
        let bar = Self.bars[moved * Self.bars.count / size.width]
        let color = bayer.pattern.colors[y % 2 * 2 + x % 2]
        return level((bar[color] ? 0.5 : 0.125) * factor)
    }

    private func shift(_ number: Int64) -> Int {
        Int(number * Int64(Self.step) % Int64(size.width))
    }

    private func isSet(_ number: Int64, _ x: Int) -> Bool {
        // whole cells of two columns, so that no four of a mosaic is black and white
        let cell = ((x / 2 * 2 + 1) * TestPattern.cells - 1) / size.width
        return number >> Int64(TestPattern.cells - 1 - cell) & 1 == 1
    }

    private func level(_ light: Double) -> UInt16 {
        let range = Double(bayer.whiteLevel - bayer.blackLevel)
        return UInt16(bayer.blackLevel + Int((min(1, light) * range).rounded()))
    }

    /// The bytes of frame `number`, as a driver hands them out.
    func frame(_ number: Int64, isFlash: Bool, factor: Double) -> BlockBuffer {
        let strip = TestPattern.stripHeight(size)
        // rows of two kinds in each of the two parts
        let rows = [0, 1, strip, strip + 1].map { y in
            packed(
                (0..<size.width).map {
                    value(number, x: $0, y: y, isFlash: isFlash, factor: factor)
                })
        }
        let length = rows[0].count
        return BlockBuffer(count: length * size.height) { target in
            for y in 0..<size.height {
                UnsafeMutableRawBufferPointer(rebasing: target[(y * length)..<((y + 1) * length)])
                    .copyBytes(from: rows[(y < strip ? 0 : 2) + y % 2])
            }
        }
    }

    /// A row of values as they lie in memory.
    package func packed(_ values: [UInt16]) -> [UInt8] {
        let low = bayer.bits - 8
        switch bayer.packing {
        case .words where low == 0: return values.map { UInt8($0) }
        case .words: return values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        case .mipi:
            let pixels = bayer.group.pixels
            return stride(from: 0, to: values.count, by: pixels).flatMap { start in
                let group = (0..<pixels).map { start + $0 < values.count ? values[start + $0] : 0 }
                let rest = group.enumerated().reduce(0) {
                    $0 | (Int($1.element) & (1 << low - 1)) << ($1.offset * low)
                }
                return group.map { UInt8($0 >> UInt16(low)) }
                    + (0..<(bayer.group.bytes - pixels)).map { UInt8(rest >> (8 * $0) & 255) }
            }
        }
    }
}
