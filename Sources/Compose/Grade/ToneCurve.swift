/// A curve through points that never turns back between two of them: what goes in, and what comes out.
///
/// Source: Fritsch and Carlson, Monotone piecewise cubic interpolation (1980).
public struct ToneCurve: Sendable, Hashable {
    /// Codes, 0 being black and 1 white.
    public struct Point: Sendable, Hashable {
        public var input: Double
        public var output: Double

        /// A point of a curve.
        public init(_ input: Double, _ output: Double) {
            (self.input, self.output) = (input, output)
        }
    }

    /// In order of input, 2…32 of them; before the first and after the last one nothing changes any more.
    public var points: [Point]

    /// A curve through points.
    public init(_ points: [Point]) { self.points = points }

    /// What changes nothing.
    public static let identity = ToneCurve([Point(0, 0), Point(1, 1)])
}

extension ToneCurve {
    /// What comes out.
    var function: @Sendable (Double) -> Double {
        // what changes nothing leaves what lies beyond black and white, too
        guard self != .identity else { return { $0 } }
        let (points, slopes) = (points, slopes)
        return { input in
            guard let first = points.first, let last = points.last, input.isFinite else {
                return input
            }
            if input <= first.input { return first.output }
            if input >= last.input { return last.output }
            let next = points.partitioningIndex { $0.input > input }
            let (from, to) = (points[next - 1], points[next])
            let width = to.input - from.input
            let t = (input - from.input) / width
            let (square, cube) = (t * t, t * t * t)
            return from.output * (2 * cube - 3 * square + 1)
                + width * slopes[next - 1] * (cube - 2 * square + t)
                + to.output * (3 * square - 2 * cube) + width * slopes[next] * (cube - square)
        }
    }

    /// How steep it is at each point.
    private var slopes: [Double] {
        let secants = zip(points, points.dropFirst()).map {
            ($1.output - $0.output) / ($1.input - $0.input)
        }
        guard let first = secants.first, let last = secants.last else {
            return points.map { _ in 0 }
        }
        var slopes = [first]
        slopes += zip(secants, secants.dropFirst()).map { $0 * $1 <= 0 ? 0 : ($0 + $1) / 2 }
        slopes.append(last)
        for (index, secant) in secants.enumerated() {
            guard secant != 0 else {
                (slopes[index], slopes[index + 1]) = (0, 0)
                continue
            }
            let (a, b) = (slopes[index] / secant, slopes[index + 1] / secant)
            let size = (a * a + b * b).squareRoot()
            if size > 3 {
                slopes[index] = 3 * a / size * secant
                slopes[index + 1] = 3 * b / size * secant
            }
        }
        return slopes
    }

    /// A curve on the way to another one, through the points of both.
    func mixed(_ other: ToneCurve, _ part: Double) -> ToneCurve {
        if part == 0 || self == other { return self }
        if part == 1 { return other }
        let (own, theirs) = (function, other.function)
        let inputs = Set((points + other.points).map(\.input)).sorted()
        return ToneCurve(inputs.map { Point($0, own($0).mixed(theirs($0), part)) })
    }
}
