package import Media

/// Turns and mirrors pictures exactly, pixel for pixel. Reentrant.
package struct PixelRotation: Sendable {
    package let orientation: VideoOrientation

    /// - Parameter orientation: what to do to a picture: mirror first, then turn clockwise.
    package init(_ orientation: VideoOrientation) { self.orientation = orientation }

    /// Whether pictures of a format can be rotated; otherwise convert them (to yuv420p) first.
    package func supports(_ format: PixelFormat) -> Bool {
        let planes = format.layout.planes
        let isPacked = format.layout.planes.count == 1 && planes[0].pixelsPerGroup > 1
        guard !isPacked else { return false }
        let isSquare = planes.allSatisfy { $0.pixelsPerGroup == $0.rowsPerRow }
        return isSquare || !orientation.swapsAxes
    }

    /// The rotated picture.
    /// - Throws: `.unsupported` for a format whose chroma has no square grid, by a quarter turn.
    package func apply(_ frame: PixelBuffer) throws(MediaError) -> PixelBuffer {
        let swaps = orientation.swapsAxes
        var result = PixelBuffer(
            width: swaps ? frame.height : frame.width,
            height: swaps ? frame.width : frame.height, format: frame.format)
        try apply(frame, into: &result)
        return result
    }

    /// Turns into a picture of the same format and the rotated size, which is overwritten.
    /// - Throws: `.unsupported` for a format whose chroma has no square grid, by a quarter turn.
    package func apply(
        _ frame: PixelBuffer, into result: inout PixelBuffer
    ) throws(MediaError) {
        guard supports(frame.format) else {
            throw .refused(
                .unsupported, frame.format.rawValue,
                "Cannot turn \(frame.format.rawValue) pictures; convert them to yuv420p first.")
        }
        let swaps = orientation.swapsAxes
        precondition(
            result.format == frame.format
                && result.width == (swaps ? frame.height : frame.width)
                && result.height == (swaps ? frame.width : frame.height),
            "a rotated picture needs room of its own size")
        let layouts = frame.format.layout.planes
        result.withMutablePlanes { targets in
            frame.withPlanes { sources in
                for (index, layout) in layouts.enumerated() {
                    let columns =
                        (frame.width + layout.pixelsPerGroup - 1) / layout.pixelsPerGroup
                    rotate(
                        sources[index], columns, layout.rows(height: frame.height),
                        layout.bytesPerGroup, targets[index])
                }
            }
        }
    }

    private func rotate(
        _ source: PixelPlane, _ columns: Int, _ rows: Int, _ bytes: Int, _ target: MutablePixelPlane
    ) {
        switch bytes {
        case 1: rotate(source, columns, rows, target, UInt8.self)
        case 2: rotate(source, columns, rows, target, UInt16.self)
        case 3: rotate(source, columns, rows, target, (UInt8, UInt8, UInt8).self)
        case 4: rotate(source, columns, rows, target, UInt32.self)
        case 6: rotate(source, columns, rows, target, (UInt16, UInt16, UInt16).self)
        default: rotate(source, columns, rows, target, UInt64.self)
        }
    }

    /// Walks the target row by row; the source is walked by constant steps from a corner.
    private func rotate<Element>(
        _ source: PixelPlane, _ columns: Int, _ rows: Int, _ target: MutablePixelPlane,
        _: Element.Type
    ) {
        let size = MemoryLayout<Element>.stride
        let stride = source.bytesPerRow
        // the source step of one target column and one target row, and where target (0, 0) comes from
        var across = size
        var down = stride
        var start = 0
        switch orientation.rotation {
        case .none: break
        case .clockwise90: (across, down, start) = (-stride, size, (rows - 1) * stride)
        case .half:
            (across, down) = (-size, -stride)
            start = (rows - 1) * stride + (columns - 1) * size
        case .clockwise270: (across, down, start) = (stride, -size, (columns - 1) * size)
        }
        if orientation.isMirrored {
            // the source column counts from the other side
            let far = (columns - 1) * size
            let offset = start % stride
            start = start - offset + (far - offset)
            if orientation.swapsAxes { down = -down } else { across = -across }
        }
        let swaps = orientation.swapsAxes
        let width = swaps ? rows : columns
        let height = swaps ? columns : rows
        let tile = swaps ? 32 : max(width, 1)
        for left in Swift.stride(from: 0, to: width, by: tile) {
            for y in 0..<height {
                let line = target.base.advanced(by: y * target.bytesPerRow)
                    .assumingMemoryBound(to: Element.self)
                var position = start + y * down + left * across
                for x in left..<min(left + tile, width) {
                    line[x] = source.base.loadUnaligned(fromByteOffset: position, as: Element.self)
                    position += across
                }
            }
        }
    }
}
