import LibAV
import Media
import Testing

private func format(
    _ pixels: PixelFormat, _ color: ColorDescription, width: Int = 64, height: Int = 32
) -> VideoFormat {
    VideoFormat(coding: .raw(pixels), width: width, height: height, color: color)
}

private func flat(_ pixels: PixelFormat, _ values: [UInt8], width: Int = 64, height: Int = 32)
    -> PixelBuffer
{
    var frame = PixelBuffer(width: width, height: height, format: pixels)
    frame.withMutablePlanes { planes in
        for (index, plane) in planes.enumerated() {
            for y in 0..<plane.rows {
                for x in 0..<pixels.layout.planes[index].bytesPerRow(width: width) {
                    plane.row(y)[x] = values[index]
                }
            }
        }
    }
    return frame
}

private func center(_ frame: PixelBuffer, _ plane: Int) -> Int {
    frame.withPlane(plane) { Int($0.row($0.rows / 2)[frame.width / 4]) }
}

/// RGB in 0…1 to 8-bit codes by the definition of H.273, and back.
private struct Matrix {
    let red: Double
    let blue: Double
    let isFull: Bool
    static let bt601 = Matrix(red: 0.299, blue: 0.114, isFull: false)
    static let jpeg = Matrix(red: 0.299, blue: 0.114, isFull: true)
    static let bt709 = Matrix(red: 0.2126, blue: 0.0722, isFull: false)

    func codes(_ rgb: (Double, Double, Double)) -> [Double] {
        let luma = red * rgb.0 + (1 - red - blue) * rgb.1 + blue * rgb.2
        let first = (rgb.2 - luma) / (2 * (1 - blue))
        let second = (rgb.0 - luma) / (2 * (1 - red))
        return isFull
            ? [luma * 255, first * 255 + 128, second * 255 + 128]
            : [luma * 219 + 16, first * 224 + 128, second * 224 + 128]
    }
}

/// The eight bars at 75 %.
private let bars: [(Double, Double, Double)] = [
    (0.75, 0.75, 0.75), (0.75, 0.75, 0), (0, 0.75, 0.75), (0, 0.75, 0), (0.75, 0, 0.75),
    (0.75, 0, 0), (0, 0, 0.75), (0, 0, 0),
]

@Test("colour bars keep their colours through matrix and range, within one code value")
func bars75() throws {
    let cases: [(ColorDescription, Matrix, ColorDescription, Matrix)] = [
        (.jpeg, .jpeg, .bt709, .bt709), (.bt601, .bt601, .bt709, .bt709),
        (.bt709, .bt709, .bt601, .bt601), (.jpeg, .jpeg, .bt601, .bt601),
    ]
    for (source, from, target, to) in cases {
        let converter = try PixelConverter(
            from: format(.yuv422p, source), to: format(.yuv420p, target))
        for bar in bars {
            let codes = from.codes(bar).map { UInt8($0.rounded()) }
            let result = try converter.convert(flat(.yuv422p, codes))
            for (plane, ideal) in to.codes(bar).enumerated() {
                let error = (Double(center(result, plane)) - ideal).magnitude
                #expect(error <= 1.5, "plane \(plane) of \(bar) from \(source) to \(target)")
            }
        }
    }
}

@Test("RGB bars become the codes of the wanted matrix")
func rgbBars() throws {
    for (target, matrix) in [(ColorDescription.bt709, Matrix.bt709), (.bt601, .bt601)] {
        let converter = try PixelConverter(
            from: format(.rgb24, .unspecified), to: format(.yuv420p, target))
        for bar in bars {
            var frame = PixelBuffer(width: 64, height: 32, format: .rgb24)
            let bytes = [bar.0, bar.1, bar.2].map { UInt8(($0 * 255).rounded()) }
            frame.withMutablePlanes { planes in
                for y in 0..<32 { for x in 0..<192 { planes[0].row(y)[x] = bytes[x % 3] } }
            }
            let result = try converter.convert(frame)
            for (plane, ideal) in matrix.codes(bar).enumerated() {
                #expect((Double(center(result, plane)) - ideal).magnitude <= 1.5)
            }
        }
    }
}

@Test("a camera's packed frames become planar with the same codes")
func packed() throws {
    let converter = try PixelConverter(
        from: format(.yuyv422, .bt601), to: format(.yuv420p, .bt601))
    var frame = PixelBuffer(width: 64, height: 32, format: .yuyv422)
    frame.withMutablePlanes { planes in
        for y in 0..<32 {
            for x in 0..<64 {
                planes[0].row(y)[2 * x] = UInt8(16 + x + y)
                planes[0].row(y)[2 * x + 1] = x % 2 == 0 ? 90 : 170
            }
        }
    }
    let result = try converter.convert(frame)
    result.withPlanes { planes in
        for y in 0..<32 { for x in 0..<64 { #expect(planes[0].row(y)[x] == UInt8(16 + x + y)) } }
        for y in 0..<16 {
            for x in 0..<32 {
                #expect(planes[1].row(y)[x] == 90)
                #expect(planes[2].row(y)[x] == 170)
            }
        }
    }
}

@Test("every pixel format converts to planar YUV and back", arguments: PixelFormat.allCases)
func everyFormat(pixels: PixelFormat) throws {
    let planar = format(.yuv420p, .bt601)
    let there = try PixelConverter(from: planar, to: format(pixels, .bt601))
    let back = try PixelConverter(from: format(pixels, .bt601), to: planar)
    let result = try back.convert(try there.convert(flat(.yuv420p, [120, 128, 128])))
    let tolerance = pixels == .rgb565le ? 9 : 2
    #expect((center(result, 0) - 120).magnitude <= tolerance)
    #expect((center(result, 1) - 128).magnitude <= tolerance)
}

@Test("equal formats are copied, other sizes are scaled, foreign frames are refused")
func sizes() throws {
    let source = format(.nv12, .bt709)
    let same = try PixelConverter(from: source, to: source)
    #expect(center(try same.convert(flat(.nv12, [77, 99])), 0) == 77)
    let larger = try PixelConverter(
        from: source, to: format(.yuv420p, .bt709, width: 99, height: 61))
    let result = try larger.convert(flat(.nv12, [77, 99]))
    #expect((result.width, result.height) == (99, 61))
    #expect(center(result, 0) == 77)
    #expect(throws: MediaError.self) { _ = try larger.convert(result) }
}
