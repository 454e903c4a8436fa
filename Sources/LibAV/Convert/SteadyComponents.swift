internal import Glibc
internal import Media

/// The components of opaque RGB pictures, of which the next one often shows most unchanged, as animations and
/// recorded screens do: only rows that differ are looked at again. Thread-bound.
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

    /// - Returns: the components, and the rows that differ from those of the picture that was taken before (nil:
    ///   all may); nil for a picture that is not opaque.
    func take(_ picture: PixelBuffer) -> (components: PixelBuffer, changed: IndexSpans?)? {
        let changed = latest.map { Self.differences(of: picture, from: $0) }
        latest = nil
        var stale = changed ?? IndexSpans(0..<shape.height)
        if let alpha {
            let isOpaque = stale.spans.allSatisfy {
                alpha.isOpaque(picture, rows: $0, depth: shape.format.bitDepth)
            }
            guard isOpaque else { return nil }
        }
        if !components.isUniquelyHeld() {
            components = Self.container(shape)
            stale = IndexSpans(0..<shape.height)
        }
        gather(picture, stale)
        if picture.holdLimit == nil { latest = picture }
        return (components, changed)
    }

    private static func differences(of picture: PixelBuffer, from other: PixelBuffer) -> IndexSpans
    {
        var changed = IndexSpans()
        guard !picture.sharesPixels(with: other) else { return changed }
        let bytes = picture.format.layout.planes[0].bytesPerRow(width: picture.width)
        picture.withPlane(0) { plane in
            other.withPlane(0) { before in
                for row in 0..<picture.height
                where memcmp(plane.row(row), before.row(row), bytes) != 0 { changed.append(row) }
            }
        }
        return changed
    }

    private func gather(_ picture: PixelBuffer, _ rows: IndexSpans) {
        components.withMutablePlanes { targets in
            picture.withPlanes { sources in
                for span in rows.spans {
                    let source = sources.map { $0.rows(span) }
                    for (color, target) in zip(colors, targets) {
                        let part = MutablePixelPlane(
                            base: target.base + span.lowerBound * target.bytesPerRow,
                            bytesPerRow: target.bytesPerRow, rows: span.count)
                        if shape.format.bitDepth > 8 {
                            color.copy(
                                from: source, columns: shape.width, rows: span.count, into: part,
                                targetColumns: shape.width, as: UInt16.self)
                        } else {
                            color.copy(
                                from: source, columns: shape.width, rows: span.count, into: part,
                                targetColumns: shape.width, as: UInt8.self)
                        }
                    }
                }
            }
        }
    }
}

/// Whole numbers in rising order, as spans.
struct IndexSpans: Sendable {
    private(set) var spans: [Range<Int>] = []

    init() {}

    init(_ span: Range<Int>) { spans = [span] }

    /// - Parameter index: beyond all that are there.
    mutating func append(_ index: Int) {
        if let last = spans.last, last.upperBound == index {
            spans[spans.count - 1] = last.lowerBound..<(index + 1)
        } else {
            spans.append(index..<(index + 1))
        }
    }

    func overlaps(_ range: Range<Int>) -> Bool { spans.contains { $0.overlaps(range) } }
}

extension PixelPlane {
    fileprivate func rows(_ span: Range<Int>) -> PixelPlane {
        PixelPlane(
            base: base + span.lowerBound * bytesPerRow, bytesPerRow: bytesPerRow, rows: span.count)
    }
}
