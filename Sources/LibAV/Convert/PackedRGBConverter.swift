internal import Media

/// Makes planar YUV of opaque packed RGB of 8 bits and the same size, or of parts of it. Thread-safe.
///
/// It makes what zimg makes (a triangle as wide as two samples halves chroma, the outermost pixels are repeated,
/// codes are rounded to nearest), in one pass over the packed pixels and over no others than are wanted; zimg reads
/// planes and needs pixels around those that are kept. Both steps are linear: chroma is made of sums of colours.
///
/// Source: ITU-T H.273, MatrixCoefficients.
struct PackedRGBConverter: Sendable {
    /// What makes a code of three components.
    struct Sum: Sendable {
        /// Of a pixel's first three bytes.
        var weights: (Float, Float, Float)
        var offset: Float
        var most: Float

        /// Rounded to nearest, halves to even: a float this large has no bits for less than one.
        @inline(__always)
        func code<Sample: FixedWidthInteger>(_ a: UInt32, _ b: UInt32, _ c: UInt32) -> Sample {
            let sum =
                Float(Int32(bitPattern: a)) * weights.0 + Float(Int32(bitPattern: b)) * weights.1
                + (Float(Int32(bitPattern: c)) * weights.2 + offset)
            let whole = (sum < most ? sum : most) + 0x1p23
            return Sample(truncatingIfNeeded: whole.bitPattern)
        }
    }

    private let isWide: Bool
    /// Of chroma.
    private let grid: PixelLayout.Plane
    /// Bytes of a pixel.
    private let step: Int
    private let luma: Sum
    private let chroma: (blue: Sum, red: Sum)

    /// Nil where it is zimg's work.
    init?(
        from source: PixelFormat, to target: PixelFormat, _ colors: ConformColors,
        siting: ChromaSiting
    ) {
        guard let places = Self.bytes(of: source),
            let weights = colors.target.lumaWeights,
            colors.source.primaries == colors.target.primaries,
            colors.source.transfer == colors.target.transfer,
            colors.source.range == .full
        else { return nil }
        grid = target.layout.planes[1]
        guard grid.pixelsPerGroup == 1 || siting == .left else { return nil }
        isWide = target.bitDepth > 8
        step = source.layout.planes[0].bytesPerGroup

        let (red, blue) = weights
        let green = 1 - red - blue
        let unit = Float(1 << (target.bitDepth - 8))
        let most = Float(1 << target.bitDepth - 1)
        let isFull = colors.target.range == .full
        /// - Parameter count: how many pixels' worth is added up.
        func sum(
            _ parts: (red: Float, green: Float, blue: Float), span: Float, black: Float,
            of count: Float
        ) -> Sum {
            let scale = span / (255 * count)
            var weights: [Float] = [0, 0, 0]
            weights[places.red] = parts.red * scale
            weights[places.green] = parts.green * scale
            weights[places.blue] = parts.blue * scale
            return Sum(weights: (weights[0], weights[1], weights[2]), offset: black, most: most)
        }
        luma = sum(
            (red, green, blue), span: isFull ? most : 219 * unit, black: isFull ? 0 : 16 * unit,
            of: 1)
        let span = isFull ? most : 224 * unit
        let count: Float = (grid.pixelsPerGroup == 2 ? 4 : 1) * (grid.rowsPerRow == 2 ? 8 : 1)
        chroma = (
            blue: sum(
                (-red / (2 - 2 * blue), -green / (2 - 2 * blue), 0.5), span: span,
                black: 128 * unit, of: count),
            red: sum(
                (0.5, -green / (2 - 2 * red), -blue / (2 - 2 * red)), span: span,
                black: 128 * unit, of: count)
        )
    }

    /// Where the components lie in a pixel.
    private static func bytes(of format: PixelFormat) -> (red: Int, green: Int, blue: Int)? {
        switch format {
        case .rgba, .rgb24: (0, 1, 2)
        case .bgra, .bgr24: (2, 1, 0)
        default: nil
        }
    }

    /// Makes every sample that depends on given pixels.
    /// - Parameters:
    ///   - source: the plane of the whole frame.
    ///   - rows: which rows are made; they begin and end at even ones, but for the frame's end.
    ///   - changed: the pixels.
    ///   - targets: planes of the whole output.
    func convert(
        _ source: PixelPlane, rows: Range<Int>, of changed: RowSpans, width: Int,
        into targets: [MutablePixelPlane]
    ) {
        if isWide {
            convert(source, rows, changed, width, targets, as: UInt16.self)
        } else {
            convert(source, rows, changed, width, targets, as: UInt8.self)
        }
    }

    private func convert<Sample: FixedWidthInteger>(
        _ source: PixelPlane, _ rows: Range<Int>, _ changed: RowSpans, _ width: Int,
        _ targets: [MutablePixelPlane], as _: Sample.Type
    ) {
        func line(_ plane: MutablePixelPlane, _ row: Int) -> UnsafeMutablePointer<Sample> {
            (plane.base + row * plane.bytesPerRow).assumingMemoryBound(to: Sample.self)
        }
        let (first, second, third) = (targets[0], targets[1], targets[2])
        let words = PixelWords(source, step: step, width: width)
        let sums = PixelSums(width: width)
        for row in rows where !changed[row].isEmpty {
            let columns = changed[row]
            let pixels = words.row(row, columns)
            fill(line(first, row) + columns.lowerBound, pixels + columns.lowerBound, columns.count)
        }
        let (down, across) = (grid.rowsPerRow, grid.pixelsPerGroup)
        for row in stride(from: rows.lowerBound, to: rows.upperBound, by: down) {
            let samples = changed.samples(row / down, grid, width: width)
            guard !samples.isEmpty else { continue }
            let columns =
                max(0, across * samples.lowerBound - across + 1)..<across * samples.upperBound
            if down == 2 {
                let last = changed.rows.upperBound - 1
                sums.add(
                    words.row(max(0, row - 1), columns, slot: 0), words.row(row, columns, slot: 1),
                    words.row(row + 1, columns, slot: 2),
                    words.row(min(last, row + 2), columns, slot: 3), columns)
            } else {
                sums.take(words.row(row, columns), columns)
            }
            let blue = line(second, row / down) + samples.lowerBound
            let red = line(third, row / down) + samples.lowerBound
            if across == 2 {
                Self.halve(blue, sums, chroma.blue, samples)
                Self.halve(red, sums, chroma.red, samples)
            } else {
                Self.fill(blue, sums, chroma.blue, samples)
                Self.fill(red, sums, chroma.red, samples)
            }
        }
    }

    private func fill<Sample: FixedWidthInteger>(
        _ target: UnsafeMutablePointer<Sample>, _ pixels: UnsafePointer<UInt32>, _ count: Int
    ) {
        let luma = luma
        for x in 0..<count {
            let word = pixels[x]
            target[x] = luma.code(word & 255, word &>> 8 & 255, word &>> 16 & 255)
        }
    }

    private static func fill<Sample: FixedWidthInteger>(
        _ target: UnsafeMutablePointer<Sample>, _ sums: PixelSums, _ sum: Sum,
        _ samples: Range<Int>
    ) {
        let (outer, middle) = (sums.outer + samples.lowerBound, sums.middle + samples.lowerBound)
        for x in 0..<samples.count {
            target[x] = sum.code(outer[x] & 0xFFFF, middle[x] & 0xFFFF, outer[x] &>> 16)
        }
    }

    private static func halve<Sample: FixedWidthInteger>(
        _ target: UnsafeMutablePointer<Sample>, _ sums: PixelSums, _ sum: Sum,
        _ samples: Range<Int>
    ) {
        let outer = sums.outer + 2 * samples.lowerBound
        let middle = sums.middle + 2 * samples.lowerBound
        for x in 0..<samples.count {
            // of a quarter, a half and a quarter
            let (left, own, right) = (2 &* x &- 1, 2 &* x, 2 &* x &+ 1)
            let (a, b) = (
                outer[left] &+ outer[own] &+ outer[own] &+ outer[right],
                middle[left] &+ middle[own] &+ middle[own] &+ middle[right]
            )
            target[x] = sum.code(a & 0xFFFF, b & 0xFFFF, a &>> 16)
        }
    }
}

/// Rows of packed pixels as words of four bytes, the first component lowest.
private final class PixelWords {
    private let source: PixelPlane
    private let step: Int
    private let width: Int
    /// Room for four rows that are no words in memory.
    private let room: UnsafeMutablePointer<UInt32>?

    init(_ source: PixelPlane, step: Int, width: Int) {
        (self.source, self.step, self.width) = (source, step, width)
        room = step == 4 ? nil : .allocate(capacity: 4 * width)
    }

    deinit { room?.deallocate() }

    /// - Parameters:
    ///   - columns: those that are read.
    ///   - slot: which of four rows, where several are read at once.
    func row(_ row: Int, _ columns: Range<Int>, slot: Int = 0) -> UnsafePointer<UInt32> {
        let pixels = source.base + row * source.bytesPerRow
        guard let room else { return pixels.assumingMemoryBound(to: UInt32.self) }
        let words = room + slot * width
        let bytes = pixels.assumingMemoryBound(to: UInt8.self)
        for x in columns {
            words[x] =
                UInt32(bytes[3 &* x]) | UInt32(bytes[3 &* x &+ 1]) &<< 8
                | UInt32(bytes[3 &* x &+ 2]) &<< 16
        }
        return UnsafePointer(words)
    }
}

/// Sums of the components of pixels, two of them in a word.
private final class PixelSums {
    /// Of the first component, and of the third in the upper half.
    let outer: UnsafeMutablePointer<UInt32>
    /// Of the second component; what is in the upper half means nothing.
    let middle: UnsafeMutablePointer<UInt32>
    private let memory: UnsafeMutablePointer<UInt32>

    init(width: Int) {
        // one more on the left of each
        memory = .allocate(capacity: 2 * (width + 1))
        outer = memory + 1
        middle = memory + width + 2
    }

    deinit { memory.deallocate() }

    private static let mask: UInt32 = 0x00FF_00FF

    /// One row.
    func take(_ row: UnsafePointer<UInt32>, _ columns: Range<Int>) {
        for x in columns {
            outer[x] = row[x] & Self.mask
            middle[x] = row[x] &>> 8 & Self.mask
        }
        repeatFirst(columns)
    }

    /// Four rows: the two in the middle three times, so that there are eight.
    func add(
        _ a: UnsafePointer<UInt32>, _ b: UnsafePointer<UInt32>, _ c: UnsafePointer<UInt32>,
        _ d: UnsafePointer<UInt32>, _ columns: Range<Int>
    ) {
        let mask = Self.mask
        for x in columns {
            let even = (b[x] & mask) &+ (c[x] & mask)
            outer[x] = (a[x] & mask) &+ (d[x] & mask) &+ even &+ even &+ even
            let odd = (b[x] &>> 8 & mask) &+ (c[x] &>> 8 & mask)
            middle[x] = (a[x] &>> 8 & mask) &+ (d[x] &>> 8 & mask) &+ odd &+ odd &+ odd
        }
        repeatFirst(columns)
    }

    private func repeatFirst(_ columns: Range<Int>) {
        guard columns.lowerBound == 0 else { return }
        (outer[-1], middle[-1]) = (outer[0], middle[0])
    }
}
