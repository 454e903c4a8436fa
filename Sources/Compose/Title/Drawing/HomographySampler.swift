internal import Media

/// Draws a flat picture as a homography shows it, each pixel the mean of what it covers. Reentrant.
struct HomographySampler {
    /// Most samples of one pixel in each direction (count).
    private static let mostSamples = 16.0

    /// From the picture drawn to the flat picture's pixels.
    private let map: [Double]

    /// - Parameter map: from the flat picture's pixels to those of the picture to draw.
    init?(_ map: Homography) {
        guard let inverse = map.inverse else { return nil }
        self.map = inverse.numbers
    }

    /// - Parameter flat: premultiplied BGRA; outside it is transparent.
    func sample(_ flat: PixelBuffer, width: Int, height: Int) -> PixelBuffer {
        var result = PixelBuffer(width: width, height: height, format: .bgra)
        result.withMutablePlanes { planes in
            flat.withPlane(0) { source in
                let reader = BilinearReader(plane: source, width: flat.width, height: flat.height)
                for y in 0..<height {
                    let row = planes[0].row(y)
                    for x in 0..<width {
                        let pixel = pixel(Double(x) + 0.5, Double(y) + 0.5, reader)
                        row[4 * x] = UInt8(pixel[0] + 0.5)
                        row[4 * x + 1] = UInt8(pixel[1] + 0.5)
                        row[4 * x + 2] = UInt8(pixel[2] + 0.5)
                        row[4 * x + 3] = UInt8(pixel[3] + 0.5)
                    }
                }
            }
        }
        return result
    }

    /// The mean around a pixel's middle (0…255 each).
    private func pixel(_ x: Double, _ y: Double, _ reader: BilinearReader) -> SIMD4<Float> {
        let w = map[6] * x + map[7] * y + map[8]
        guard w > 1e-9 else { return .zero }
        let depth = 1 / w
        let u = (map[0] * x + map[1] * y + map[2]) * depth
        let v = (map[3] * x + map[4] * y + map[5]) * depth
        let across = max((map[0] - u * map[6]).magnitude, (map[3] - v * map[6]).magnitude) * depth
        let down = max((map[1] - u * map[7]).magnitude, (map[4] - v * map[7]).magnitude) * depth
        guard reader.isNear(u, v, across + down + 1) else { return .zero }
        // samples at most a pixel and a quarter of the flat picture apart, each a mean of four pixels itself
        let columns = Int(min(Self.mostSamples, max(1, (across - 0.25).rounded(.up))))
        let rows = Int(min(Self.mostSamples, max(1, (down - 0.25).rounded(.up))))
        var sum = SIMD4<Float>.zero
        for row in 0..<rows {
            let atY = y + (Double(row) + 0.5) / Double(rows) - 0.5
            for column in 0..<columns {
                let atX = x + (Double(column) + 0.5) / Double(columns) - 0.5
                let atW = map[6] * atX + map[7] * atY + map[8]
                guard atW > 1e-9 else { continue }
                let depth = 1 / atW
                sum += reader.value(
                    (map[0] * atX + map[1] * atY + map[2]) * depth,
                    (map[3] * atX + map[4] * atY + map[5]) * depth)
            }
        }
        return sum / Float(rows * columns)
    }
}

/// Values between the pixels of a picture; the middle of the first is at 0.5, 0.5.
private struct BilinearReader {
    let plane: PixelPlane
    let width: Int
    let height: Int

    func isNear(_ u: Double, _ v: Double, _ reach: Double) -> Bool {
        u > -reach && v > -reach && u < Double(width) + reach && v < Double(height) + reach
    }

    func value(_ u: Double, _ v: Double) -> SIMD4<Float> {
        guard isNear(u, v, 1) else { return .zero }
        let (left, top) = ((u - 0.5).rounded(.down), (v - 0.5).rounded(.down))
        let (x, y) = (Int(left), Int(top))
        let (partX, partY) = (Float(u - 0.5 - left), Float(v - 0.5 - top))
        let (upperLeft, upperRight) = (at(x, y), at(x + 1, y))
        let (lowerLeft, lowerRight) = (at(x, y + 1), at(x + 1, y + 1))
        let upper = upperLeft + (upperRight - upperLeft) * partX
        let lower = lowerLeft + (lowerRight - lowerLeft) * partX
        return upper + (lower - upper) * partY
    }

    private func at(_ x: Int, _ y: Int) -> SIMD4<Float> {
        guard x >= 0, y >= 0, x < width, y < height else { return .zero }
        let pixel = plane.base.loadUnaligned(
            fromByteOffset: y * plane.bytesPerRow + 4 * x, as: SIMD4<UInt8>.self)
        return SIMD4<Float>(pixel)
    }
}
