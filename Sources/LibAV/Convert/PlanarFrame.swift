internal import Media

/// A frame as zimg reads it: whole planes of 8 or 16-bit samples at aligned addresses, of even size
/// where chroma is halved.
struct PlanarFrame: Sendable {
    /// What of the layout does not depend on the single frame.
    struct Shape {
        let format: PixelFormat
        let width: Int
        let height: Int
        /// Bits of a sample zimg sees.
        let depth: Int
        let family: ZimgGraph.Side.Family
        let halvesColumns: Bool
        let halvesRows: Bool
        /// Size of the planes zimg sees (pixels): rounded up to even where chroma is halved.
        let paddedWidth: Int
        let paddedHeight: Int

        /// - Parameter swapsAxes: whether it is rotated by a quarter afterwards, so that chroma is halved the other
        ///   way.
        init(_ format: PixelFormat, width: Int, height: Int, swapsAxes: Bool = false) {
            self.format = format
            self.width = width
            self.height = height
            depth = format == .rgb565le ? 8 : format.bitDepth
            family = format.isRGB ? .rgb : .yuv
            // grey gets chroma of its own
            let isGrey = ComponentReading.colors(of: format).count == 1
            let grid: SampleGrid = isGrey ? (2, 2) : format.chromaGrid
            halvesColumns = (swapsAxes ? grid.down : grid.across) == 2
            halvesRows = (swapsAxes ? grid.across : grid.down) == 2
            paddedWidth = halvesColumns ? (width + 1) / 2 * 2 : width
            paddedHeight = halvesRows ? (height + 1) / 2 * 2 : height
        }

        var isPadded: Bool { paddedWidth != width || paddedHeight != height }

        /// The planar format whose memory holds the components.
        /// - Parameter depth: of the samples (bits; nil: the format's own).
        func container(depth: Int? = nil) -> PixelFormat {
            let isWide = depth ?? self.depth > 8
            return switch (halvesColumns, halvesRows) {
            case (true, true): isWide ? .yuv420p10le : .yuv420p
            case (true, false): isWide ? .yuv422p10le : .yuv422p
            default: isWide ? .yuv444p10le : .yuv444p
            }
        }

        /// Its opacity as zimg wants it described, in a plane that is not padded.
        func opacitySide(depth: Int? = nil) -> ZimgGraph.Side {
            ZimgGraph.Side(
                width: width, height: height, depth: depth ?? self.depth, family: .grey,
                color: ColorDescription(primaries: 2, transfer: 2, matrix: 2, range: .full))
        }

        /// As zimg wants it described.
        func side(
            depth: Int? = nil, _ color: ColorDescription, _ siting: ChromaSiting
        ) -> ZimgGraph.Side {
            ZimgGraph.Side(
                width: paddedWidth, height: paddedHeight, depth: depth ?? self.depth,
                halvesColumns: halvesColumns, halvesRows: halvesRows, family: family, color: color,
                siting: siting)
        }
    }

    /// What is done with the opacity of frames that are not opaque.
    enum Opacity {
        case ignored
        /// It lies beside the colours, which are as they are.
        case apart
        /// It is multiplied into the colours, which have 16 bits then.
        case multiplied
    }

    let planes: [PixelPlane]
    /// Opacity in a plane of its own, of the shape's depth.
    let alpha: PixelPlane?
    /// Keeps the planes alive.
    private let holders: [PixelBuffer]

    /// - Parameter color: what the codes mean, resolved; used where opacity is multiplied in.
    init(
        _ frame: PixelBuffer, shape: Shape, color: ColorDescription, opacity: Opacity = .multiplied
    ) {
        let readings = ComponentReading.colors(of: shape.format)
        var holders: [PixelBuffer] = []
        if opacity != .ignored, let reading = ComponentReading.alpha(of: shape.format),
            !reading.isOpaque(frame, in: RowSpans(width: shape.width, height: shape.height))
        {
            holders.append(Self.gather(frame, [reading], shape.depth > 8 ? .gray16le : .gray))
            alpha = holders[0].withPlane(0) { $0 }
            if opacity == .multiplied {
                holders.append(
                    Premultiplication(
                        shape: shape, color: color, readings: readings, alpha: reading
                    ).apply(frame))
                planes = holders[1].withPlanes { $0 }
                self.holders = holders
                return
            }
        } else {
            alpha = nil
        }
        let own = frame.withPlanes { $0 }
        let direct = readings.map { Self.readable($0, own, shape) }
        let container =
            direct.count == 3 && !direct.contains { $0 == nil }
            ? nil : Self.gather(frame, readings, shape.container(), shape, but: direct)
        planes = (0..<3).compactMap { index in
            (index < direct.count ? direct[index] : nil) ?? container?.withPlane(index) { $0 }
        }
        self.holders = holders + [frame] + (container.map { [$0] } ?? [])
    }

    /// A component's plane, where zimg can read the frame's own memory.
    private static func readable(
        _ reading: ComponentReading, _ planes: [PixelPlane], _ shape: Shape
    ) -> PixelPlane? {
        let plane = planes[reading.plane]
        let isReadable =
            !shape.isPadded && reading.isPlain(isWide: shape.depth > 8)
            && ZimgGraph.isAligned(plane.base, plane.bytesPerRow)
        return isReadable ? plane : nil
    }

    /// - Parameter direct: components that are not wanted.
    private static func gather(
        _ frame: PixelBuffer, _ readings: [ComponentReading], _ container: PixelFormat,
        _ shape: Shape? = nil, but direct: [PixelPlane?] = []
    ) -> PixelBuffer {
        let width = shape?.paddedWidth ?? frame.width
        var result = PixelBuffer(
            width: width, height: shape?.paddedHeight ?? frame.height, format: container)
        let layouts = container.layout.planes
        let neutral = 1 << (frame.format.bitDepth - 1)
        result.withMutablePlanes { targets in
            frame.withPlanes { sources in
                for (index, layout) in layouts.enumerated() {
                    if index < direct.count, direct[index] != nil { continue }
                    let columns = (frame.width - 1) / layout.pixelsPerGroup + 1
                    let rows = layout.rows(height: frame.height)
                    let padded = layout.bytesPerRow(width: width) / layout.bytesPerGroup
                    guard index < readings.count else {
                        targets[index].fill(neutral, bytes: layout.bytesPerGroup)
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
}

extension MutablePixelPlane {
    fileprivate func fill(_ code: Int, bytes: Int) {
        let count = bytesPerRow * rows / bytes
        if bytes == 1 {
            base.initializeMemory(as: UInt8.self, repeating: UInt8(code), count: count)
        } else {
            base.initializeMemory(as: UInt16.self, repeating: UInt16(code), count: count)
        }
    }
}
