internal import Media

/// A frame as zimg reads it: whole planes of 8 or 16-bit samples at aligned addresses, of even size
/// where chroma is halved.
struct PlanarFrame: Sendable {
    /// What of the layout does not depend on the single frame.
    struct Shape {
        let format: PixelFormat
        let width: Int
        let height: Int
        let family: ZimgGraph.Side.Family
        let halvesColumns: Bool
        let halvesRows: Bool
        /// Size of the planes zimg sees (pixels): rounded up to even where chroma is halved.
        let paddedWidth: Int
        let paddedHeight: Int

        init(_ format: PixelFormat, width: Int, height: Int) {
            self.format = format
            self.width = width
            self.height = height
            family = format.isRGB ? .rgb : .yuv
            let planes = format.layout.planes
            if planes.count > 1 {
                halvesColumns = planes[1].pixelsPerGroup == 2
                halvesRows = planes[1].rowsPerRow == 2
            } else {
                // packed YUV; grey gets chroma of its own
                let isGrey = !format.isRGB && planes[0].pixelsPerGroup == 1
                halvesColumns = isGrey || planes[0].pixelsPerGroup == 2
                halvesRows = isGrey
            }
            paddedWidth = halvesColumns ? (width + 1) / 2 * 2 : width
            paddedHeight = halvesRows ? (height + 1) / 2 * 2 : height
        }

        /// The planar format whose memory holds the components.
        func container(isWide: Bool) -> PixelFormat {
            switch (halvesColumns, halvesRows) {
            case (true, true): isWide ? .yuv420p10le : .yuv420p
            case (true, false): isWide ? .yuv422p10le : .yuv422p
            default: isWide ? .yuv444p10le : .yuv444p
            }
        }
    }

    let planes: [PixelPlane]
    /// Opacity in a plane of its own; the colours are then premultiplied and have 16 bits, unless straight ones
    /// were asked for.
    let alpha: PixelPlane?
    let alphaDepth: Int
    /// Keeps the planes alive.
    private let holders: [PixelBuffer]

    /// - Parameters:
    ///   - color: what the codes mean, resolved; used where opacity is multiplied in.
    ///   - premultiplies: whether opacity is multiplied in; otherwise colours are as they are, of the frame's
    ///     own depth, with the opacity beside them.
    init(
        _ frame: PixelBuffer, shape: Shape, color: ColorDescription, premultiplies: Bool = true
    ) {
        guard let readings = ComponentReading.colors(of: shape.format) else {
            preconditionFailure("formats without components in whole bytes are converted first")
        }
        alphaDepth = shape.format.bitDepth
        if let reading = ComponentReading.alpha(of: shape.format),
            !reading.isOpaque(frame, in: RowSpans(width: shape.width, height: shape.height))
        {
            let colors =
                premultiplies
                ? Premultiplication(
                    shape: shape, color: color, readings: readings, alpha: reading
                ).apply(frame)
                : Self.gather(
                    frame, readings, shape.container(isWide: shape.format.bitDepth > 8), shape)
            let opacity = Self.gather(
                frame, [reading], shape.format.bitDepth > 8 ? .gray16le : .gray)
            planes = colors.withPlanes { $0 }
            alpha = opacity.withPlane(0) { $0 }
            holders = [colors, opacity]
            return
        }
        alpha = nil
        let direct = Array(frame.withPlanes { $0 }.prefix(3))
        if Self.isReadable(direct, shape) {
            planes = direct
            holders = [frame]
        } else {
            let container = Self.gather(
                frame, readings, shape.container(isWide: shape.format.bitDepth > 8), shape)
            planes = container.withPlanes { $0 }
            holders = [container]
        }
    }

    /// Whether zimg can read the frame's own memory.
    private static func isReadable(_ planes: [PixelPlane], _ shape: Shape) -> Bool {
        guard planes.count == 3, shape.paddedWidth == shape.width,
            shape.paddedHeight == shape.height
        else { return false }
        let mask = ZimgGraph.alignment - 1
        return planes.allSatisfy {
            Int(bitPattern: $0.base) & mask == 0 && $0.bytesPerRow & mask == 0
        }
    }

    private static func gather(
        _ frame: PixelBuffer, _ readings: [ComponentReading], _ container: PixelFormat,
        _ shape: Shape? = nil
    ) -> PixelBuffer {
        var result = PixelBuffer(
            width: shape?.paddedWidth ?? frame.width,
            height: shape?.paddedHeight ?? frame.height, format: container)
        let layouts = container.layout.planes
        let neutral = 1 << (frame.format.bitDepth - 1)
        result.withMutablePlanes { targets in
            frame.withPlanes { sources in
                for (index, layout) in layouts.enumerated() {
                    let halves = layout.pixelsPerGroup == 2
                    let columns = halves ? (frame.width + 1) / 2 : frame.width
                    let rows = layout.rows(height: frame.height)
                    let padded =
                        layout.bytesPerRow(width: shape?.paddedWidth ?? frame.width)
                        / layout.bytesPerGroup
                    guard index < readings.count else {
                        fill(targets[index], padded, layout.bytesPerGroup, neutral)
                        continue
                    }
                    if layout.bytesPerGroup == 1 {
                        readings[index].copy(
                            from: sources, columns: columns, rows: rows, into: targets[index],
                            targetColumns: padded, as: UInt8.self)
                    } else {
                        readings[index].copy(
                            from: sources, columns: columns, rows: rows, into: targets[index],
                            targetColumns: padded, as: UInt16.self)
                    }
                }
            }
        }
        return result
    }

    private static func fill(
        _ plane: MutablePixelPlane, _ columns: Int, _ bytes: Int, _ code: Int
    ) {
        for y in 0..<plane.rows {
            if bytes == 1 {
                plane.row(y).update(repeating: UInt8(code), count: columns)
            } else {
                plane.row(y).withMemoryRebound(to: UInt16.self, capacity: columns) {
                    $0.update(repeating: UInt16(code), count: columns)
                }
            }
        }
    }
}
