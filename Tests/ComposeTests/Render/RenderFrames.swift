import Compose
import Glibc
import LibAV
import Media

/// Pictures, frames and comparisons of the tests of rendering.
enum RenderFrames {
    static func format(
        _ width: Int, _ height: Int, _ pixels: PixelFormat = .yuv420p,
        color: ColorDescription = .bt709, orientation: VideoOrientation = .upright,
        aspect: PixelAspect = .square
    ) -> VideoFormat {
        VideoFormat(
            coding: .raw(pixels), width: width, height: height, color: color, pixelAspect: aspect,
            orientation: orientation)
    }

    /// A colourful frame of gentle waves; `seed` shifts them.
    static func waves(_ format: VideoFormat, seed: Double = 0) -> PixelBuffer {
        let pixels = format.pixelFormat ?? .yuv420p
        var frame = PixelBuffer(width: format.width, height: format.height, format: pixels)
        let codes = ReferenceColor(format)
        let layouts = pixels.layout.planes
        frame.withMutablePlanes { planes in
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
        return frame
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
        var frame = PixelBuffer(width: width, height: height, format: .bgra)
        frame.withMutablePlanes { planes in
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
        return frame
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
    static func codes(_ frame: PixelBuffer, _ index: Int) -> [Int] {
        let layout = frame.format.layout.planes[index]
        let columns = (frame.width + layout.pixelsPerGroup - 1) / layout.pixelsPerGroup
        let isWide = frame.format.bitDepth > 8
        return frame.withPlane(index) { plane in
            (0..<layout.rows(height: frame.height)).flatMap { y in
                (0..<columns).map { x in
                    isWide
                        ? Int(plane.row(y)[2 * x]) | Int(plane.row(y)[2 * x + 1]) << 8
                        : Int(plane.row(y)[x])
                }
            }
        }
    }

    static func allCodes(_ frame: PixelBuffer) -> [[Int]] {
        frame.format.layout.planes.indices.map { codes(frame, $0) }
    }

    /// A copy of a frame of four bytes a pixel, with other colours and this opacity in some rows and columns.
    static func changed(
        _ frame: PixelBuffer, rows: Range<Int>, columns: Range<Int>? = nil, by amount: Int,
        _ opacity: UInt8
    ) -> PixelBuffer {
        var copy = PixelBuffer(
            width: frame.width, height: frame.height, format: frame.format)
        copy.withMutablePlanes { targets in
            frame.withPlane(0) { plane in
                for y in 0..<frame.height {
                    targets[0].row(y).update(from: plane.row(y), count: 4 * frame.width)
                    guard rows.contains(y) else { continue }
                    for x in columns ?? 0..<frame.width {
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
    ) throws -> FrameCompositor {
        try FrameCompositor(
            target: target, threads: threads,
            pool: PixelBufferPool(
                width: target.width, height: target.height,
                format: target.pixelFormat ?? .yuv420p, limit: 16))
    }

    /// The worst plane's peak signal to noise ratio of what the compositor makes (dB).
    /// - Parameter other: what it is compared with; nil: the same.
    static func fidelity(
        _ scene: Scene, _ target: VideoFormat, against other: Scene? = nil
    ) throws -> Double {
        let frame = try compositor(target).compose(scene)
        let reference = ReferenceCompositor(target: target).compose(other ?? scene)
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
