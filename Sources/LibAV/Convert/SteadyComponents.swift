internal import Media

/// The components of opaque RGB pictures, of which the next one often shows most unchanged, as animations and
/// recorded screens do: only what differs is taken anew. Thread-bound.
final class SteadyComponents {
    /// Greatest size of pictures that are kept for it (pixels).
    private static let most = 1 << 22

    // immutable
    private let shape: PlanarPicture.Shape
    private let colors: [ComponentReading]
    private let alpha: ComponentReading?
    // owned by the calling thread
    private var components: PixelBuffer
    /// The picture that the components are of.
    private var latest: PixelBuffer?

    /// Of a kind of pictures; nil where it is not worth the memory.
    init?(_ shape: PlanarPicture.Shape) {
        guard shape.format.isRGB, shape.width * shape.height <= Self.most,
            let colors = ComponentReading.colors(of: shape.format)
        else { return nil }
        self.shape = shape
        self.colors = colors
        alpha = ComponentReading.alpha(of: shape.format)
        components = Self.container(shape)
    }

    private static func container(_ shape: PlanarPicture.Shape) -> PixelBuffer {
        PixelBuffer(
            width: shape.width, height: shape.height,
            format: shape.container(isWide: shape.format.bitDepth > 8))
    }

    /// - Returns: the components, and what differs from the picture that was taken before (nil: all may); nil for a
    ///   picture that is not opaque.
    func take(_ picture: PixelBuffer) -> (components: PixelBuffer, changed: ChangedPixels?)? {
        let changed = latest.map { ChangedPixels(of: picture, from: $0) }
        latest = nil
        let all = ChangedPixels(width: shape.width, height: shape.height)
        var stale = (changed ?? all).areas
        if let alpha {
            let isOpaque = stale.allSatisfy {
                alpha.isOpaque(picture, rows: $0.rows, depth: shape.format.bitDepth)
            }
            guard isOpaque else { return nil }
        }
        if !components.isUniquelyHeld() {
            components = Self.container(shape)
            stale = all.areas
        }
        gather(picture, stale)
        if picture.holdLimit == nil { latest = picture }
        return (components, changed)
    }

    private func gather(_ picture: PixelBuffer, _ areas: [ChangedPixels.Area]) {
        components.withMutablePlanes { targets in
            picture.withPlane(0) { source in
                for area in areas {
                    for (color, target) in zip(colors, targets) {
                        if shape.format.bitDepth > 8 {
                            color.copy(area, of: source, into: target, as: UInt16.self)
                        } else {
                            color.copy(area, of: source, into: target, as: UInt8.self)
                        }
                    }
                }
            }
        }
    }
}

extension ComponentReading {
    /// - Parameters:
    ///   - source: the only plane, of pixels as long as the step.
    ///   - target: of the same size.
    fileprivate func copy<Sample: FixedWidthInteger>(
        _ area: ChangedPixels.Area, of source: PixelPlane, into target: MutablePixelPlane,
        as _: Sample.Type
    ) {
        let (row, column) = (area.rows.lowerBound, area.columns.lowerBound)
        let start = row * target.bytesPerRow + column * MemoryLayout<Sample>.size
        copy(
            from: [
                PixelPlane(
                    base: source.base + row * source.bytesPerRow + column * step,
                    bytesPerRow: source.bytesPerRow, rows: area.rows.count)
            ],
            columns: area.columns.count, rows: area.rows.count,
            into: MutablePixelPlane(
                base: target.base + start, bytesPerRow: target.bytesPerRow, rows: area.rows.count),
            targetColumns: area.columns.count, as: Sample.self)
    }
}
