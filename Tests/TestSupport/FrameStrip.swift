package import Media

/// Reads the test camera's frame number out of a frame: 24 cells across the top twelfth, most
/// significant first, white for 1 and black for 0.
package enum FrameStrip {
    package static let cells = 24

    /// The number in a raw YUV, grey or RGBA frame of any size.
    package static func number(in picture: PixelBuffer) -> Int {
        (0..<cells).reduce(0) { number, cell in
            number << 1 | (mean(of: cell, in: picture) >= 128 ? 1 : 0)
        }
    }

    /// How far the least clear cell is from the middle grey (0…127): small means unreadable.
    package static func clarity(of picture: PixelBuffer) -> Int {
        (0..<cells).map { abs(mean(of: $0, in: picture) - 128) }.min() ?? 0
    }

    /// Whether everything below the strip is white.
    package static func isFlash(_ frame: PixelBuffer) -> Bool {
        let rows = stride(from: frame.height / 6, to: frame.height, by: 7)
        let columns = stride(from: 0, to: frame.width, by: 5)
        var sum = 0
        var count = 0
        for row in rows {
            for column in columns {
                sum += luma(column, row, in: frame)
                count += 1
            }
        }
        return sum / count > 210
    }

    /// The middle half of a cell, where scaling and coding blur least (0…255).
    private static func mean(of cell: Int, in picture: PixelBuffer) -> Int {
        let left = cell * picture.width / cells
        let width = max((cell + 1) * picture.width / cells - left, 1)
        let height = max(picture.height / 12, 1)
        var sum = 0
        var count = 0
        for row in height / 4...max(height / 4, height * 3 / 4 - 1) {
            for column in left + width / 4...left + max(width / 4, width * 3 / 4 - 1) {
                sum += luma(column, row, in: picture)
                count += 1
            }
        }
        return sum / count
    }

    private static func luma(_ column: Int, _ row: Int, in picture: PixelBuffer) -> Int {
        picture.withPlane(0) { plane in
            let line = plane.row(row)
            return switch picture.format {
            case .yuyv422, .yvyu422: Int(line[2 * column])
            case .uyvy422: Int(line[2 * column + 1])
            case .yuv420p10le, .yuv422p10le, .yuv444p10le, .yuva444p10le, .gray10le:
                (Int(line[2 * column]) | Int(line[2 * column + 1]) << 8) >> 2
            case .p010le, .gray16le: Int(line[2 * column + 1])
            case .yuv420p, .yuv422p, .yuv444p, .yuva420p, .nv12, .nv21, .nv16, .gray:
                Int(line[column])
            // the strip is grey: green will do
            case .bgra, .rgba: Int(line[4 * column + 1])
            case .rgba64le: Int(line[8 * column + 3])
            default: preconditionFailure("no luma plane in \(picture.format.rawValue)")
            }
        }
    }
}
