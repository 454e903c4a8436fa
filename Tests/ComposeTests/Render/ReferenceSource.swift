import Compose
import Glibc
import LibAV
import Media

func exponential(_ value: Double) -> Double { exp(value) }

/// Codes of one format and the colours they mean, in double precision.
struct ReferenceColor {
    private let kr: Double
    private let kb: Double
    private let black: Double
    private let lumaScale: Double
    private let middle: Double
    private let chromaScale: Double

    init(_ format: VideoFormat) {
        (kr, kb) = format.color.matrix == 1 ? (0.2126, 0.0722) : (0.299, 0.114)
        let unit = Double(1 << ((format.pixelFormat ?? .yuv420p).bitDepth - 8))
        let isFull = format.color.range == .full
        let most = 256 * unit - 1
        black = isFull ? 0 : 16 * unit
        lumaScale = isFull ? most : 219 * unit
        middle = 128 * unit
        chromaScale = isFull ? most : 224 * unit
    }

    func codes(red: Double, green: Double, blue: Double) -> [Double] {
        let luma = kr * red + (1 - kr - kb) * green + kb * blue
        return [
            black + lumaScale * luma, middle + chromaScale * (blue - luma) / (2 - 2 * kb),
            middle + chromaScale * (red - luma) / (2 - 2 * kr),
        ]
    }

    func color(_ codes: [Double]) -> (red: Double, green: Double, blue: Double) {
        let luma = (codes[0] - black) / lumaScale
        let blue = luma + (codes[1] - middle) / chromaScale * (2 - 2 * kb)
        let red = luma + (codes[2] - middle) / chromaScale * (2 - 2 * kr)
        return (red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue)
    }
}

/// A frame whose samples can be read anywhere, by a triangle filter.
struct ReferenceSource {
    private struct Plane {
        var values: [Double]
        var columns: Int
        var rows: Int
        var across: Double
        var down: Double
        var originX: Double
        var originY: Double
    }

    private let planes: [Plane]
    private let alpha: Plane?
    private let own: ReferenceColor
    private let target: ReferenceColor
    private let isRGB: Bool

    init(_ frame: PixelBuffer, _ format: VideoFormat, _ target: VideoFormat) {
        own = ReferenceColor(format)
        self.target = ReferenceColor(target)
        isRGB = frame.format.isRGB
        if frame.format.isRGB {
            let size = frame.format.layout.planes[0].bytesPerGroup
            let order = frame.format == .bgra ? [2, 1, 0, 3] : [0, 1, 2, 3]
            var all = (0..<size).map { part in
                Self.plane(frame, 0, step: size, offset: order[part], 1, 1)
            }
            let opacity = size == 4 ? all.removeLast() : nil
            alpha = opacity
            // multiplied with opacity
            planes = all.map { plane in
                guard let opacity else { return plane }
                var multiplied = plane
                multiplied.values = zip(plane.values, opacity.values).map { $0 * $1 / 255 }
                return multiplied
            }
        } else {
            let layouts = frame.format.layout.planes
            alpha = nil
            planes = (0..<3).map { index in
                let layout = layouts[index]
                var plane = Self.plane(
                    frame, index, step: layout.bytesPerGroup, offset: 0, layout.pixelsPerGroup,
                    layout.rowsPerRow)
                // JPEG's chroma lies between the columns
                if format.color == .jpeg, layout.pixelsPerGroup == 2 { plane.originX = 1 }
                return plane
            }
        }
    }

    private static func plane(
        _ frame: PixelBuffer, _ index: Int, step: Int, offset: Int, _ across: Int, _ down: Int
    ) -> Plane {
        let columns = (frame.width + across - 1) / across
        let rows = (frame.height + down - 1) / down
        let isWide = frame.format.bitDepth > 8
        let values = frame.withPlane(index) { plane in
            (0..<rows * columns).map { place in
                let base = plane.row(place / columns) + place % columns * step + offset
                return isWide ? Double(Int(base[0]) | Int(base[1]) << 8) : Double(base[0])
            }
        }
        return Plane(
            values: values, columns: columns, rows: rows, across: Double(across),
            down: Double(down), originX: 0.5, originY: down == 2 ? 1 : 0.5)
    }

    /// The target's code at a point of the stored frame, and how opaque it is there.
    func sample(
        _ index: Int, _ x: Double, _ y: Double, _ map: Transform2D,
        _ grid: ReferenceCompositor.Grid
    ) -> (code: Double, opacity: Double) {
        // what one sample of the frame covers in the stored picture
        let isRotated = map.a == 0
        let across = (map.a * map.a + map.b * map.b).squareRoot()
        let down = (map.c * map.c + map.d * map.d).squareRoot()
        let step = (
            (isRotated ? grid.down : grid.across) / across,
            (isRotated ? grid.across : grid.down) / down
        )
        var parts = planes.map { read($0, x, y, step) }
        let opacity = alpha.map { read($0, x, y, step) / 255 } ?? 1
        guard opacity > 0 else { return (0, 0) }
        if alpha != nil { parts = parts.map { $0 / opacity } }
        if isRGB {
            return (
                target.codes(red: parts[0] / 255, green: parts[1] / 255, blue: parts[2] / 255)[
                    index], opacity
            )
        }
        let color = own.color(parts)
        return (target.codes(red: color.red, green: color.green, blue: color.blue)[index], opacity)
    }

    private func read(
        _ plane: Plane, _ x: Double, _ y: Double, _ step: (Double, Double)
    ) -> Double {
        let px = (x - plane.originX) / plane.across
        let py = (y - plane.originY) / plane.down
        let (wx, wy) = (max(1, step.0 / plane.across), max(1, step.1 / plane.down))
        var (sum, total) = (0.0, 0.0)
        for row in Int((py - wy).rounded(.down))...Int((py + wy).rounded(.up)) {
            let rowWeight = max(0, 1 - abs(Double(row) - py) / wy)
            guard rowWeight > 0 else { continue }
            for column in Int((px - wx).rounded(.down))...Int((px + wx).rounded(.up)) {
                let weight = rowWeight * max(0, 1 - abs(Double(column) - px) / wx)
                guard weight > 0 else { continue }
                let place =
                    max(0, min(plane.rows - 1, row)) * plane.columns
                    + max(0, min(plane.columns - 1, column))
                sum += weight * plane.values[place]
                total += weight
            }
        }
        return sum / total
    }
}
