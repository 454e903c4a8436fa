internal import Glibc
internal import Media

/// Draws the test camera's frames: the number in 24 cells over a moving pattern, or white below.
///
/// A frame is rows copied out of one prepared row a plane, each starting a little further on:
/// what is read stays in the processor's first cache.
struct TestPattern: Sendable {
    /// Binary cells of the frame number.
    static let cells = 24

    let size: PixelSize
    let format: PixelFormat
    let levels: Levels
    /// Two periods of the moving pattern, one entry a plane.
    private let pattern: [[UInt8]]
    /// A row of white, one entry a plane.
    private let white: [[UInt8]]

    struct Levels: Sendable {
        let black: UInt8
        let white: UInt8

        static let limited = Levels(black: 16, white: 235)
        static let full = Levels(black: 0, white: 255)
    }

    private struct Pixel {
        var y: UInt8
        var u: UInt8 = 128
        var v: UInt8 = 128
    }

    /// Sizes that have room for the cells and whole chroma samples.
    static func canDraw(_ size: PixelSize) -> Bool {
        size.width >= 2 * cells && size.height >= 24 && size.width % 2 == 0
            && size.height % 2 == 0 && size.width <= 8192 && size.height <= 8192
    }

    /// Rows of the strip: the top twelfth, whole chroma rows.
    static func stripHeight(_ size: PixelSize) -> Int { max(2, size.height / 12 / 2 * 2) }

    /// - Precondition: `canDraw(size)`, and the format is one of `TestCameraFormat`'s.
    init(size: PixelSize, format: PixelFormat, levels: Levels = .limited) {
        precondition(Self.canDraw(size))
        self.size = size
        self.format = format
        self.levels = levels
        let moving = (0..<size.width).map { column in
            let turn = 2 * Double.pi * Double(column) / Double(size.width)
            return Pixel(
                y: UInt8(115 + 50 * sin(6 * turn) + 25 * sin(17 * turn)),
                u: UInt8(128 + 40 * sin(2 * turn)), v: UInt8(128 + 40 * cos(3 * turn)))
        }
        pattern = Self.rows(of: moving + moving, format)
        white = Self.rows(
            of: [Pixel](repeating: Pixel(y: levels.white), count: size.width), format)
    }

    /// Draws frame `number`.
    func draw(number: Int64, isFlash: Bool, into buffer: inout PixelBuffer) {
        let strip = Self.rows(of: stripPixels(number), format)
        let stripHeight = Self.stripHeight(size)
        let start = Int(number % Int64(size.width / 2)) * 2
        buffer.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let layout = format.layout.planes[index]
                let bytes = layout.bytesPerRow(width: size.width)
                let border = stripHeight / layout.rowsPerRow
                Self.repeatRow(strip[index], bytes, into: plane, rows: 0..<border)
                if isFlash {
                    Self.repeatRow(white[index], bytes, into: plane, rows: border..<plane.rows)
                } else {
                    move(index, layout, from: start, into: plane, rows: border..<plane.rows)
                }
            }
        }
    }

    private func move(
        _ index: Int, _ layout: PixelLayout.Plane, from start: Int, into plane: MutablePixelPlane,
        rows: Range<Int>
    ) {
        let bytes = layout.bytesPerRow(width: size.width)
        pattern[index].withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            for row in rows {
                let shift = (start + row * layout.rowsPerRow / 2 * 2) % size.width
                let offset = shift / layout.pixelsPerGroup * layout.bytesPerGroup
                UnsafeMutableRawPointer(plane.row(row)).copyMemory(
                    from: base + offset, byteCount: bytes)
            }
        }
    }

    private static func repeatRow(
        _ row: [UInt8], _ bytes: Int, into plane: MutablePixelPlane, rows: Range<Int>
    ) {
        row.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            for row in rows {
                UnsafeMutableRawPointer(plane.row(row)).copyMemory(from: base, byteCount: bytes)
            }
        }
    }

    /// White for 1 and black for 0, most significant first.
    private func stripPixels(_ number: Int64) -> [Pixel] {
        var pixels: [Pixel] = []
        pixels.reserveCapacity(size.width)
        for cell in 0..<Self.cells {
            let bit = number >> Int64(Self.cells - 1 - cell) & 1
            let pixel = Pixel(y: bit == 1 ? levels.white : levels.black)
            let columns = cell * size.width / Self.cells..<(cell + 1) * size.width / Self.cells
            for _ in columns { pixels.append(pixel) }
        }
        return pixels
    }

    /// One row of pixels as the planes of a format hold it.
    private static func rows(of pixels: [Pixel], _ format: PixelFormat) -> [[UInt8]] {
        let pairs = stride(from: 0, to: pixels.count, by: 2)
        let luma = pixels.map(\.y)
        switch format {
        case .yuv420p: return [luma, pairs.map { pixels[$0].u }, pairs.map { pixels[$0].v }]
        case .nv12: return [luma, pairs.flatMap { [pixels[$0].u, pixels[$0].v] }]
        case .yuyv422:
            return [
                pairs.flatMap { pair in
                    [pixels[pair].y, pixels[pair].u, pixels[pair + 1].y, pixels[pair].v]
                }
            ]
        default: preconditionFailure("the test camera does not draw \(format.rawValue)")
        }
    }
}
