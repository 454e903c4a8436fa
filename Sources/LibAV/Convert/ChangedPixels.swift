internal import Glibc
internal import Media

/// Where a picture differs from another one of its size, in packed pixels.
struct ChangedPixels: Sendable {
    /// Of each row the columns outside which nothing differs, to a block of bytes; empty where nothing does.
    private let columns: [Range<Int>]
    private let width: Int

    /// Pixels around it that what is made of a pixel depends on, at most, where sizes are kept: halving chroma
    /// looks at three, and doubling it before at one more.
    private static let reach = 4

    /// All of a picture.
    init(width: Int, height: Int) {
        self.width = width
        columns = Array(repeating: 0..<width, count: height)
    }

    init(of picture: PixelBuffer, from other: PixelBuffer) {
        width = picture.width
        var columns = Array(repeating: 0..<0, count: picture.height)
        let isFollowed = picture.change?.follows(other.change) ?? false
        let rows = isFollowed ? picture.change?.rows : 0..<picture.height
        if let rows, !picture.sharesPixels(with: other) {
            let layout = picture.format.layout.planes[0]
            let bytes = layout.bytesPerRow(width: picture.width)
            let pixel = layout.bytesPerGroup / layout.pixelsPerGroup
            picture.withPlane(0) { plane in
                other.withPlane(0) { before in
                    for row in rows {
                        let span = Self.span(plane.row(row), before.row(row), bytes)
                        columns[row] =
                            span.lowerBound / pixel..<(span.upperBound + pixel - 1) / pixel
                    }
                }
            }
        }
        self.columns = columns
    }

    /// A few rows, and what of them differs.
    struct Area {
        var rows: Range<Int>
        var columns: Range<Int>
    }

    /// Everything that differs, in areas that are small enough to stay near while they are worked on.
    var areas: [Area] {
        var result: [Area] = []
        for (row, columns) in columns.enumerated() where !columns.isEmpty {
            if let last = result.last, last.rows.upperBound == row, last.rows.count < 8 {
                result[result.count - 1] = Area(
                    rows: last.rows.lowerBound..<(row + 1), columns: last.columns.united(columns))
            } else {
                result.append(Area(rows: row..<(row + 1), columns: columns))
            }
        }
        return result
    }

    /// What of these rows may look different, where chroma is halved or not (even columns, but at the right edge).
    func columns(around rows: Range<Int>) -> Range<Int> {
        var result = 0..<0
        let top = max(0, rows.lowerBound - Self.reach)
        let bottom = min(columns.count, rows.upperBound + Self.reach)
        for columns in columns[top..<bottom] { result = result.united(columns) }
        guard !result.isEmpty else { return result }
        let first = max(0, result.lowerBound - Self.reach) / 2 * 2
        return first..<min(width, (result.upperBound + Self.reach + 1) / 2 * 2)
    }

    /// Outside it no byte differs.
    private static func span(
        _ row: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int
    ) -> Range<Int> {
        guard memcmp(row, other, count) != 0 else { return 0..<0 }
        let block = 64
        var (first, end) = (0, count)
        while end - first > block, memcmp(row + first, other + first, block) == 0 { first += block }
        while end - first > block, memcmp(row + end - block, other + end - block, block) == 0 {
            end -= block
        }
        return first..<end
    }
}

extension Range<Int> {
    /// From where either begins to where either ends.
    fileprivate func united(_ other: Range<Int>) -> Range<Int> {
        if isEmpty || other.isEmpty { return isEmpty ? other : self }
        return Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}
