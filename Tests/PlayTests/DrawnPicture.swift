import Capture
import Media

@testable import Play

/// Pictures with soft and hard parts, drawn by code.
enum DrawnPicture {
    /// Gradients with a light square in them.
    static func picture(_ width: Int, _ height: Int, shift: Int = 0) -> PreviewPicture {
        var picture = PreviewPicture(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let isSquare =
                    (width / 4..<width / 2).contains(x - shift)
                    && (height / 4..<height / 2).contains(y)
                let place = (y * width + x) * 3
                picture.bytes[place] = isSquare ? 250 : UInt8(x * 255 / max(1, width - 1))
                picture.bytes[place + 1] = isSquare ? 240 : UInt8(y * 255 / max(1, height - 1))
                picture.bytes[place + 2] = isSquare ? 230 : UInt8((x + y) % 128)
            }
        }
        return picture
    }

    /// A frame of limited range: luma by a function, no colour.
    static func frame(
        _ width: Int, _ height: Int, luma: (Int, Int) -> UInt8
    ) -> PixelBuffer {
        var pixels = PixelBuffer(width: width, height: height, format: .yuv420p)
        pixels.withMutablePlanes { planes in
            for y in 0..<height { for x in 0..<width { planes[0].row(y)[x] = luma(x, y) } }
            for plane in planes.dropFirst() {
                for y in 0..<plane.rows {
                    for x in 0..<(width + 1) / 2 { plane.row(y)[x] = 128 }
                }
            }
        }
        return pixels
    }

    static func format(_ pixels: PixelBuffer) -> VideoFormat {
        VideoFormat(
            coding: .raw(pixels.format), width: pixels.width, height: pixels.height, color: .bt709)
    }

    static func preview(
        _ pixels: PixelBuffer, isZoomed: Bool = false
    ) -> PreviewFrame {
        PreviewFrame(
            time: .zero, pixels: pixels, format: format(pixels),
            cameraSize: PixelSize(pixels.width, pixels.height), isZoomed: isZoomed)
    }

    /// The mean difference of parts of pixels (codes).
    static func difference(_ picture: PreviewPicture, _ pixels: [[Int]]) -> Double {
        let other = pixels.flatMap { $0 }
        guard other.count == picture.bytes.count else { return .infinity }
        let sum = zip(picture.bytes, other).reduce(0) { $0 + abs(Int($1.0) - $1.1) }
        return Double(sum) / Double(other.count)
    }
}
