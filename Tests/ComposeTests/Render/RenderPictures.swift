import Compose
import Glibc
import LibAV
import Media

/// Pictures, frames and comparisons of the tests of rendering.
enum RenderPictures {
    static func format(
        _ width: Int, _ height: Int, _ pixels: PixelFormat = .yuv420p,
        color: ColorDescription = .bt709, orientation: VideoOrientation = .upright,
        aspect: PixelAspect = .square
    ) -> VideoFormat {
        VideoFormat(
            coding: .raw(pixels), width: width, height: height, color: color, pixelAspect: aspect,
            orientation: orientation)
    }

    /// A colourful picture of gentle waves; `seed` shifts them.
    static func waves(_ format: VideoFormat, seed: Double = 0) -> PixelBuffer {
        let pixels = format.pixelFormat ?? .yuv420p
        var picture = PixelBuffer(width: format.width, height: format.height, format: pixels)
        let codes = ReferenceColor(format)
        let layouts = pixels.layout.planes
        picture.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let (across, down) = (layouts[index].pixelsPerGroup, layouts[index].rowsPerRow)
                for y in 0..<plane.rows {
                    for x in 0..<(format.width + across - 1) / across {
                        let middle = across == 2 && format.color == .jpeg ? 1 : 0.5
                        let color = wave(
                            (Double(x * across) + middle) / 160,
                            (Double(y * down) + Double(down) / 2) / 96, seed)
                        if pixels.isRGB {
                            let step = layouts[0].bytesPerGroup
                            let parts = [color.0, color.1, color.2, 1.0]
                            for part in 0..<step {
                                plane.row(y)[x * step + part] = UInt8((parts[part] * 255).rounded())
                            }
                        } else {
                            let code = codes.codes(red: color.0, green: color.1, blue: color.2)
                            store(code[index], plane, x, y, isWide: pixels.bitDepth > 8)
                        }
                    }
                }
            }
        }
        return picture
    }

    private static func wave(
        _ x: Double, _ y: Double, _ seed: Double
    ) -> (Double, Double, Double) {
        (
            0.5 + 0.4 * sin(5 * x + 3 * y + seed), 0.5 + 0.4 * cos(4 * y - 2 * x + 2 * seed),
            0.5 + 0.4 * sin(3 * x * y + 1 + seed)
        )
    }

    /// A disc, premultiplied, with a soft rim.
    static func tile(_ width: Int, _ height: Int) -> PixelBuffer {
        var picture = PixelBuffer(width: width, height: height, format: .bgra)
        picture.withMutablePlanes { planes in
            for y in 0..<height {
                for x in 0..<width {
                    let (dx, dy) = (
                        2 * Double(x) / Double(width) - 1, 2 * Double(y) / Double(height) - 1
                    )
                    let alpha = max(0, min(1, 3 * (1 - (dx * dx + dy * dy).squareRoot())))
                    let parts = [0.6 - 0.4 * dx, 0.3, 0.5 + 0.4 * dy, 1]
                    for part in 0..<4 {
                        planes[0].row(y)[4 * x + part] = UInt8(
                            (255 * alpha * parts[part]).rounded())
                    }
                }
            }
        }
        return picture
    }

    static func store(
        _ code: Double, _ plane: MutablePixelPlane, _ x: Int, _ y: Int, isWide: Bool
    ) {
        let value = Int(code.rounded())
        if isWide {
            plane.row(y)[2 * x] = UInt8(value & 255)
            plane.row(y)[2 * x + 1] = UInt8(value >> 8)
        } else {
            plane.row(y)[x] = UInt8(value)
        }
    }

    /// The codes of a plane.
    static func codes(_ picture: PixelBuffer, _ index: Int) -> [Int] {
        let layout = picture.format.layout.planes[index]
        let columns = (picture.width + layout.pixelsPerGroup - 1) / layout.pixelsPerGroup
        let isWide = picture.format.bitDepth > 8
        return picture.withPlane(index) { plane in
            (0..<layout.rows(height: picture.height)).flatMap { y in
                (0..<columns).map { x in
                    isWide
                        ? Int(plane.row(y)[2 * x]) | Int(plane.row(y)[2 * x + 1]) << 8
                        : Int(plane.row(y)[x])
                }
            }
        }
    }

    static func allCodes(_ picture: PixelBuffer) -> [[Int]] {
        picture.format.layout.planes.indices.map { codes(picture, $0) }
    }

    /// A copy of a picture of four bytes a pixel, with other colours and this opacity in some rows and columns.
    static func changed(
        _ picture: PixelBuffer, rows: Range<Int>, columns: Range<Int>? = nil, by amount: Int,
        _ opacity: UInt8
    ) -> PixelBuffer {
        var copy = PixelBuffer(
            width: picture.width, height: picture.height, format: picture.format)
        copy.withMutablePlanes { targets in
            picture.withPlane(0) { plane in
                for y in 0..<picture.height {
                    targets[0].row(y).update(from: plane.row(y), count: 4 * picture.width)
                    guard rows.contains(y) else { continue }
                    for x in columns ?? 0..<picture.width {
                        targets[0].row(y)[4 * x] &+= UInt8(17 * amount % 256)
                        targets[0].row(y)[4 * x + 1] ^= UInt8(amount)
                        targets[0].row(y)[4 * x + 3] = opacity
                    }
                }
            }
        }
        return copy
    }

    static func compositor(
        _ target: VideoFormat, threads: Int = 1
    ) throws -> PictureCompositor {
        try PictureCompositor(
            target: target, threads: threads,
            pool: PixelBufferPool(
                width: target.width, height: target.height,
                format: target.pixelFormat ?? .yuv420p, limit: 16))
    }

    /// The worst plane's peak signal to noise ratio of what the compositor makes (dB).
    static func fidelity(_ scene: Scene, _ target: VideoFormat) throws -> Double {
        let frame = try compositor(target).compose(scene)
        let reference = ReferenceCompositor(target: target).compose(scene)
        let peak = Double(1 << frame.format.bitDepth - 1)
        return (0..<3).map { index in
            let codes = codes(frame, index)
            let sum = zip(codes, reference[index]).reduce(0.0) {
                $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1)
            }
            return 10 * log10(peak * peak * Double(codes.count) / max(sum, 1e-9))
        }.min() ?? 0
    }
}
