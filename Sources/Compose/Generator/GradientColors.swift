internal import Media

/// The colours of a gradient over a frame of a size.
struct GradientColors: FrameColors {
    private let colors: [SIMD4<Float>]
    private let shape: Generator.Gradient.Shape
    private let middle: (x: Double, y: Double)
    /// Of a linear one: its way, as long as it takes from the first colour to the last.
    private let way: (x: Double, y: Double)
    /// Of a radial one: from the middle to the corners (pixels).
    private let radius: Double

    init(_ gradient: Generator.Gradient, size: PixelSize) {
        // opacity goes with the colours, so that what is transparent brings no colour
        colors = gradient.colors.map { color in
            let own = SIMD4<Float>(color)
            return SIMD4(own.x * own.w, own.y * own.w, own.z * own.w, own.w)
        }
        shape = gradient.shape
        let (width, height) = (Double(size.width), Double(size.height))
        middle = (width / 2, height / 2)
        radius = (width * width + height * height).squareRoot() / 2
        let (across, down) = Self.direction(gradient.angle)
        // from corner to corner, as seen along the way
        let length = width * across.magnitude + height * down.magnitude
        way = (across / length, down / length)
    }

    /// Exact for right angles.
    private static func direction(_ degrees: Double) -> (Double, Double) {
        switch degrees.truncatingRemainder(dividingBy: 360) {
        case 0: return (1, 0)
        case 90, -270: return (0, 1)
        case 180, -180: return (-1, 0)
        case 270, -90: return (0, -1)
        case let other:
            let angle = other * .pi / 180
            return (Trigonometry.cosine(angle), Trigonometry.sine(angle))
        }
    }

    func row(at y: Double, columns: [Double]) -> [SIMD4<Float>] {
        let down = y - middle.y
        return columns.map { column in
            let across = column - middle.x
            switch shape {
            case .linear: return color(at: across * way.x + down * way.y + 0.5)
            case .radial:
                return color(at: (across * across + down * down).squareRoot() / radius)
            }
        }
    }

    func kind(ofRow y: Double) -> Double { shape == .linear && way.y == 0 ? 0 : y }

    /// - Parameter place: 0…1 on the way.
    private func color(at place: Double) -> SIMD4<Float> {
        let steps = Double(colors.count - 1)
        let step = max(0, min(steps, place * steps))
        let first = min(colors.count - 2, Int(step))
        let share = Float(step - Double(first))
        let mixed = colors[first] * (1 - share) + colors[first + 1] * share
        guard mixed.w > 0, mixed.w < 1 else { return mixed }
        return SIMD4(mixed.x / mixed.w, mixed.y / mixed.w, mixed.z / mixed.w, mixed.w)
    }
}
