internal import Glibc
internal import Media

extension RowSpans {
    /// Where a frame differs from another one of its size and packed format: to a block of bytes, or as its source
    /// states.
    init(of picture: PixelBuffer, from other: PixelBuffer) {
        let stated = picture.change.flatMap { $0.follows(other.change) ? $0.spans : nil }
        if let stated, stated.count < picture.width * picture.height / 2 {
            // what else may be as it was costs little to make again
            self = stated
            return
        }
        self.init(rows: picture.height)
        guard !picture.sharesPixels(with: other) else { return }
        let layout = picture.format.layout.planes[0]
        let pixel = layout.bytesPerGroup / layout.pixelsPerGroup
        picture.withPlane(0) { plane in
            other.withPlane(0) { before in
                for row in 0..<picture.height {
                    let columns = stated?[row] ?? 0..<picture.width
                    let start = columns.lowerBound * pixel
                    let span = Self.span(
                        plane.row(row) + start, before.row(row) + start, columns.count * pixel)
                    guard !span.isEmpty else { continue }
                    formUnion(
                        (start + span.lowerBound) / pixel..<(start + span.upperBound + pixel - 1)
                            / pixel, row: row)
                }
            }
        }
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
