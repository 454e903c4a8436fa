internal import Media
internal import Reading

/// Colours over a frame: what frames are filled with that stay as they are.
protocol FrameColors {
    /// Those of the samples of a row (sRGB with their opacity, not premultiplied).
    /// - Parameters:
    ///   - y: of the row (pixels).
    ///   - columns: where the samples lie (pixels).
    func row(at y: Double, columns: [Double]) -> [SIMD4<Float>]

    /// A number that rows have in common which are alike.
    func kind(ofRow y: Double) -> Double
}

/// One frame that is drawn when it is asked for, and then kept. Thread-bound.
final class StillFrames: GeneratedFrames {
    private let colors: any FrameColors
    private let format: VideoFormat
    private var sample: SampleBuffer?

    /// - Parameters:
    ///   - format: planar YUV with its colour stated.
    ///   - isOpaque: whether nothing is seen through it; else it has 10 bits and its opacity beside them.
    init(_ colors: any FrameColors, _ format: VideoFormat, isOpaque: Bool) {
        self.colors = colors
        var own = format
        if !isOpaque { own.coding = .raw(.yuva444p10le) }
        self.format = own
    }

    func picture(at time: MediaTime) throws(MediaError) -> SampleBuffer {
        if let sample { return sample }
        let made = SampleBuffer(
            payload: .pixels(drawn()), format: .video(format), presentationTime: .zero)
        sample = made
        return made
    }

    private func drawn() -> PixelBuffer {
        let pixels = format.pixelFormat ?? .yuv420p
        let grid = FrameGrid(format, pixels)
        let codes = ColorCodes(format.color, depth: pixels.bitDepth)
        var picture = PixelBuffer(width: format.width, height: format.height, format: pixels)
        picture.withMutablePlanes { planes in
            for (index, plane) in grid.planes.enumerated() {
                let columns = (0..<plane.columns).map {
                    Double($0 * plane.across) + plane.originX
                }
                var known: (kind: Double, codes: [UInt16])?
                for row in 0..<plane.rows {
                    let y = Double(row * plane.down) + plane.originY
                    let kind = colors.kind(ofRow: y)
                    if known?.kind != kind {
                        let line = colors.row(at: y, columns: columns)
                        known = (kind, line.map { codes.code($0, plane: index) })
                    }
                    planes[index].write(known?.codes ?? [], row: row, bytes: grid.bytes)
                }
            }
        }
        return picture
    }
}

extension ColorCodes {
    /// Of one plane: luma, the two of chroma, opacity.
    fileprivate func code(_ color: SIMD4<Float>, plane: Int) -> UInt16 {
        let code =
            switch plane {
            case 0: luma(color.x, color.y, color.z)
            case 1: chroma(color.x, color.y, color.z).blue
            case 2: chroma(color.x, color.y, color.z).red
            default: max(0, min(1, color.w)) * 1023
            }
        return UInt16(code.rounded())
    }
}

extension MutablePixelPlane {
    /// - Parameter bytes: of a sample (1 or 2).
    fileprivate func write(_ codes: [UInt16], row: Int, bytes: Int) {
        let line = base.advanced(by: row * bytesPerRow)
        if bytes == 1 {
            let samples = line.assumingMemoryBound(to: UInt8.self)
            for index in codes.indices { samples[index] = UInt8(truncatingIfNeeded: codes[index]) }
        } else {
            let samples = line.assumingMemoryBound(to: UInt16.self)
            for index in codes.indices { samples[index] = codes[index].littleEndian }
        }
    }
}

/// One colour everywhere.
struct PlainColor: FrameColors {
    let color: Color

    func row(at y: Double, columns: [Double]) -> [SIMD4<Float>] {
        [SIMD4<Float>](repeating: SIMD4(color), count: columns.count)
    }

    func kind(ofRow y: Double) -> Double { 0 }
}

extension SIMD4<Float> {
    /// Its components and its opacity.
    init(_ color: Color) {
        self.init(
            Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha))
    }
}
