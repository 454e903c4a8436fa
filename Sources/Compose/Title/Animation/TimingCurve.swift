/// How progress in time becomes progress of a value: a cubic Bézier from (0, 0) to (1, 1).
public struct TimingCurve: Sendable, Hashable, Codable {
    /// First control point; x 0…1.
    public let x1: Double
    public let y1: Double
    /// Second control point; x 0…1.
    public let x2: Double
    public let y2: Double

    /// The x of a control point is clamped to 0…1, so that time never runs back.
    public static func cubicBezier(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double
    ) -> TimingCurve {
        TimingCurve(x1: min(max(x1, 0), 1), y1: y1, x2: min(max(x2, 0), 1), y2: y2)
    }

    public static let linear = cubicBezier(0, 0, 1, 1)
    public static let easeIn = cubicBezier(0.42, 0, 1, 1)
    public static let easeOut = cubicBezier(0, 0, 0.58, 1)
    public static let easeInOut = cubicBezier(0.42, 0, 0.58, 1)

    /// Progress of the value at a progress in time (0…1; clamped); may leave 0…1 where a control point does.
    public func value(at progress: Double) -> Double {
        let x = min(max(progress, 0), 1)
        if self == .linear || x == 0 || x == 1 { return x }
        return Self.cubic(parameter(for: x), y1, y2)
    }

    private static func cubic(_ t: Double, _ first: Double, _ second: Double) -> Double {
        let u = 1 - t
        return 3 * u * u * t * first + 3 * u * t * t * second + t * t * t
    }

    /// Where on the curve its x is the one asked for; x never falls, so halving finds it.
    private func parameter(for x: Double) -> Double {
        var (lower, upper) = (0.0, 1.0)
        for _ in 0..<54 {
            let middle = (lower + upper) / 2
            if Self.cubic(middle, x1, x2) < x { lower = middle } else { upper = middle }
        }
        return (lower + upper) / 2
    }
}
