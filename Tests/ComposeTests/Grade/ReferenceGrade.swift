import Glibc
import Media

/// What becomes of a frame's codes, slowly and in double precision: of each pixel its chroma interpolated, of each chroma
/// sample the luma around it.
struct ReferenceGrade {
    let format: VideoFormat
    let change: (SIMD3<Double>) -> SIMD3<Double>

    private var codes: ReferenceColor { ReferenceColor(format) }
    private var most: Double { Double(1 << (format.pixelFormat?.bitDepth ?? 8) - 1) }
    private var unit: Double { (most + 1) / 256 }

    /// Red, green and blue of BT.709 or BT.2020, limited range.
    private func color(_ y: Double, _ u: Double, _ v: Double) -> SIMD3<Double> {
        let (kr, kb) = format.color.matrix == 9 ? (0.2627, 0.0593) : (0.2126, 0.0722)
        let luma = (y - 16 * unit) / (219 * unit)
        let (cb, cr) = ((u - 128 * unit) / (224 * unit), (v - 128 * unit) / (224 * unit))
        let red = luma + cr * 2 * (1 - kr)
        let blue = luma + cb * 2 * (1 - kb)
        return SIMD3(red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue)
    }

    /// Planes of codes, not rounded.
    func planes(of frame: PixelBuffer) -> [[Double]] {
        let (width, height) = (frame.width, frame.height)
        let (columns, rows) = (width / 2, height / 2)
        let source = RenderFrames.allCodes(frame).map { $0.map(Double.init) }
        func chroma(_ plane: Int, _ x: Int, _ y: Int) -> Double {
            // between columns of 0, 2, 4 … and rows of 0.5, 2.5, 4.5 …
            let (px, py) = (Double(x) / 2, (Double(y) - 0.5) / 2)
            let (left, up) = (Int(px.rounded(.down)), Int(py.rounded(.down)))
            func at(_ column: Int, _ row: Int) -> Double {
                source[plane][max(0, min(rows - 1, row)) * columns + min(columns - 1, column)]
            }
            let (fx, fy) = (px - Double(left), py - Double(up))
            let above = at(left, up) * (1 - fx) + at(left + 1, up) * fx
            let below = at(left, up + 1) * (1 - fx) + at(left + 1, up + 1) * fx
            return above * (1 - fy) + below * fy
        }
        func graded(_ y: Double, _ u: Double, _ v: Double) -> [Double] {
            let own = color(y, u, v)
            var made = change(own)
            for index in 0..<3 {
                made[index] = min(max(1, own.max()), max(min(0, own.min()), made[index]))
            }
            return codes.codes(red: made.x, green: made.y, blue: made.z).map {
                max(0, min(most, $0))
            }
        }
        var result = source
        for y in 0..<height {
            for x in 0..<width {
                result[0][y * width + x] =
                    graded(source[0][y * width + x], chroma(1, x, y), chroma(2, x, y))[0]
            }
        }
        for y in 0..<rows {
            for x in 0..<columns {
                var light = 0.0
                for (dy, down) in [(-1, 1.0), (0, 3), (1, 3), (2, 1)] {
                    for (dx, across) in [(-1, 1.0), (0, 2), (1, 1)] {
                        let column = max(0, min(width - 1, 2 * x + dx))
                        let row = max(0, min(height - 1, 2 * y + dy))
                        light += source[0][row * width + column] * down * across / 32
                    }
                }
                let made = graded(light, source[1][y * columns + x], source[2][y * columns + x])
                (result[1][y * columns + x], result[2][y * columns + x]) = (made[1], made[2])
            }
        }
        return result
    }

    /// The worst plane's distance (dB), and the largest of a code.
    func distance(of frame: PixelBuffer, from source: PixelBuffer) -> (
        fidelity: Double, most: Double
    ) {
        let wanted = planes(of: source)
        let found = RenderFrames.allCodes(frame)
        var (fidelity, largest) = (200.0, 0.0)
        for (own, other) in zip(found, wanted) {
            var sum = 0.0
            for (code, exact) in zip(own, other) {
                largest = max(largest, (Double(code) - exact).magnitude)
                sum += (Double(code) - exact) * (Double(code) - exact)
            }
            let noise = max(sum / Double(own.count), 1e-12)
            fidelity = min(fidelity, 10 * log10(most * most / noise))
        }
        return (fidelity, largest)
    }
}
