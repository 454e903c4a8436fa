internal import Media

/// Makes so many pixels of a side one, row by row: their mean by their opacity, so that what is not seen colours
/// nothing. What is left over at the right and at the bottom goes. Of packed RGB (rgb24, rgba, rgb48le,
/// rgba64le). Reentrant.
struct RowReduction {
    let format: PixelFormat
    /// Of the smaller picture (pixels).
    let width: Int
    let height: Int
    /// How many columns and rows become one (count).
    let across: Int
    let down: Int

    /// - Parameter factor: at least 1; a side of fewer pixels becomes one.
    init(width: Int, height: Int, format: PixelFormat, factor: Int) {
        self.format = format
        (self.width, self.height) = (max(1, width / factor), max(1, height / factor))
        (across, down) = (min(width, factor), min(height, factor))
    }

    /// Makes one row of `down` of them.
    func reduce(_ rows: [UnsafeRawPointer], into target: UnsafeMutableRawPointer) {
        switch (format.hasAlpha, format.bitDepth > 8) {
        case (false, false): mean(rows, target, hasAlpha: false, UInt8.self)
        case (false, true): mean(rows, target, hasAlpha: false, UInt16.self)
        case (true, false): mean(rows, target, hasAlpha: true, UInt8.self)
        case (true, true): mean(rows, target, hasAlpha: true, UInt16.self)
        }
    }

    // inlined, so that each of the four is a loop of its own
    @inline(__always)
    private func mean<Code: FixedWidthInteger & UnsignedInteger>(
        _ rows: [UnsafeRawPointer], _ target: UnsafeMutableRawPointer, hasAlpha: Bool,
        _: Code.Type
    ) {
        let codes = target.assumingMemoryBound(to: Code.self)
        let channels = hasAlpha ? 4 : 3
        let count = across * rows.count
        for x in 0..<width {
            var (red, green, blue, opacity) = (0, 0, 0, 0)
            for row in rows {
                let source = row.assumingMemoryBound(to: Code.self) + channels * x * across
                for place in stride(from: 0, to: channels * across, by: channels) {
                    let weight = hasAlpha ? Int(source[place + 3]) : 1
                    red += weight * Int(source[place])
                    green += weight * Int(source[place + 1])
                    blue += weight * Int(source[place + 2])
                    opacity += weight
                }
            }
            let (half, whole) = (opacity / 2, max(1, opacity))
            codes[channels * x] = Code((red + half) / whole)
            codes[channels * x + 1] = Code((green + half) / whole)
            codes[channels * x + 2] = Code((blue + half) / whole)
            if hasAlpha { codes[channels * x + 3] = Code((opacity + count / 2) / count) }
        }
    }
}

extension PixelBuffer {
    /// The same picture with so many pixels of a side made one; see `RowReduction`.
    func reduced(by factor: Int) -> PixelBuffer {
        let reduction = RowReduction(width: width, height: height, format: format, factor: factor)
        var result = PixelBuffer(
            width: reduction.width, height: reduction.height, format: format)
        withPlane(0) { source in
            result.withMutablePlanes { targets in
                for row in 0..<reduction.height {
                    reduction.reduce(
                        (0..<reduction.down).map {
                            UnsafeRawPointer(source.row(row * reduction.down + $0))
                        }, into: UnsafeMutableRawPointer(targets[0].row(row)))
                }
            }
        }
        return result
    }
}
