internal import Media

/// A picture made of tiles over nothing.
struct TransparentPicture {
    /// BGRA in memory; premultiplied until `separate`.
    private(set) var picture: PixelBuffer
    /// Rows that something lies in.
    private var touched: Range<Int>?

    init(width: Int, height: Int) {
        picture = PixelBuffer(width: width, height: height, format: .bgra)
        picture.withMutablePlanes { planes in
            let plane = planes[0]
            plane.base.initializeMemory(
                as: UInt8.self, repeating: 0, count: plane.bytesPerRow * plane.rows)
        }
    }

    /// Lays a tile over what is there.
    mutating func draw(_ tile: OverlayTile) {
        let rows = max(0, tile.y)..<max(0, min(picture.height, tile.y + tile.image.height))
        let columns = max(0, tile.x)..<max(0, min(picture.width, tile.x + tile.image.width))
        guard rows.lowerBound < rows.upperBound, columns.lowerBound < columns.upperBound else {
            return
        }
        let share = Int((min(max(tile.opacity, 0), 1) * 256).rounded())
        touched =
            touched.map {
                min($0.lowerBound, rows.lowerBound)..<max($0.upperBound, rows.upperBound)
            } ?? rows
        picture.withMutablePlanes { planes in
            tile.image.withPlane(0) { source in
                for row in rows {
                    let from = source.row(row - tile.y) + 4 * (columns.lowerBound - tile.x)
                    let target = planes[0].row(row) + 4 * columns.lowerBound
                    Self.blend(from, over: target, pixels: columns.count, share)
                }
            }
        }
    }

    /// - Parameter share: of the source's own opacity (0…256).
    private static func blend(
        _ source: UnsafePointer<UInt8>, over target: UnsafeMutablePointer<UInt8>, pixels: Int,
        _ share: Int
    ) {
        for index in stride(from: 0, to: 4 * pixels, by: 4) {
            let open = 255 * 256 - Int(source[index + 3]) * share
            for channel in index..<index + 4 {
                let sum = Int(source[channel]) * share * 255 + Int(target[channel]) * open
                target[channel] = UInt8(min(255, (sum + 255 * 128) / (255 * 256)))
            }
        }
    }

    /// Plain colours beside their opacity from now on, as picture files have them; nothing is drawn after.
    mutating func separate() {
        guard let touched else { return }
        let width = picture.width
        picture.withMutablePlanes { planes in
            for row in touched {
                let line = planes[0].row(row)
                for index in stride(from: 0, to: 4 * width, by: 4) {
                    let opacity = Int(line[index + 3])
                    guard opacity > 0, opacity < 255 else { continue }
                    for channel in index..<index + 3 {
                        let plain = (Int(line[channel]) * 255 + opacity / 2) / opacity
                        line[channel] = UInt8(min(255, plain))
                    }
                }
            }
        }
    }
}
