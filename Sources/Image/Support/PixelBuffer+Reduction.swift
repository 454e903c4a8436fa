internal import Media

extension PixelBuffer {
    /// The same picture with so many pixels of a side made one, their mean by their opacity; what is left over at the
    /// right and at the bottom goes. Of packed RGB (rgb24, rgba, rgb48le, rgba64le).
    ///
    /// - Parameter factor: at least 1; a side of fewer pixels becomes one.
    func reduced(by factor: Int) -> PixelBuffer {
        let (columns, lines) = (max(1, width / factor), max(1, height / factor))
        let (across, down) = (min(width, factor), min(height, factor))
        var result = PixelBuffer(width: columns, height: lines, format: format)
        let (hasAlpha, isDeep) = (format.hasAlpha, format.bitDepth > 8)
        withPlane(0) { source in
            result.withMutablePlanes { targets in
                for row in 0..<lines {
                    let rows = (0..<down).map { UnsafeRawPointer(source.row(row * down + $0)) }
                    let target = UnsafeMutableRawPointer(targets[0].row(row))
                    switch (hasAlpha, isDeep) {
                    case (false, false): Self.mean(rows, across, columns, target, UInt8.self)
                    case (false, true): Self.mean(rows, across, columns, target, UInt16.self)
                    case (true, false): Self.weighted(rows, across, columns, target, UInt8.self)
                    case (true, true): Self.weighted(rows, across, columns, target, UInt16.self)
                    }
                }
            }
        }
        return result
    }

    /// Three codes a pixel.
    private static func mean<Code: FixedWidthInteger & UnsignedInteger>(
        _ rows: [UnsafeRawPointer], _ across: Int, _ columns: Int,
        _ target: UnsafeMutableRawPointer, _: Code.Type
    ) {
        let codes = target.assumingMemoryBound(to: Code.self)
        let sources = rows.map { $0.assumingMemoryBound(to: Code.self) }
        let count = across * rows.count
        for x in 0..<columns {
            var (red, green, blue) = (count / 2, count / 2, count / 2)
            for source in sources {
                for place in stride(from: 3 * x * across, to: 3 * (x + 1) * across, by: 3) {
                    red += Int(source[place])
                    green += Int(source[place + 1])
                    blue += Int(source[place + 2])
                }
            }
            codes[3 * x] = Code(red / count)
            codes[3 * x + 1] = Code(green / count)
            codes[3 * x + 2] = Code(blue / count)
        }
    }

    /// Four codes a pixel, the last its opacity: what is not seen colours nothing.
    private static func weighted<Code: FixedWidthInteger & UnsignedInteger>(
        _ rows: [UnsafeRawPointer], _ across: Int, _ columns: Int,
        _ target: UnsafeMutableRawPointer, _: Code.Type
    ) {
        let codes = target.assumingMemoryBound(to: Code.self)
        let sources = rows.map { $0.assumingMemoryBound(to: Code.self) }
        let count = across * rows.count
        for x in 0..<columns {
            var (red, green, blue, opacity) = (0, 0, 0, 0)
            for source in sources {
                for place in stride(from: 4 * x * across, to: 4 * (x + 1) * across, by: 4) {
                    let weight = Int(source[place + 3])
                    red += weight * Int(source[place])
                    green += weight * Int(source[place + 1])
                    blue += weight * Int(source[place + 2])
                    opacity += weight
                }
            }
            let half = opacity / 2
            let whole = max(1, opacity)
            codes[4 * x] = Code((red + half) / whole)
            codes[4 * x + 1] = Code((green + half) / whole)
            codes[4 * x + 2] = Code((blue + half) / whole)
            codes[4 * x + 3] = Code((opacity + count / 2) / count)
        }
    }
}
