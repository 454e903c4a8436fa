/// A straight line in parts that share one slope and have heights of their own, by least squares: each
/// part says how fast the height changes, and a step from one to the next says nothing.
///
/// A pure value.
struct BrokenLine: Sendable {
    private struct Part: Sendable {
        var number: Int
        var count = 0.0
        var sumX = 0.0
        var sumY = 0.0
        var first = 0.0
        var last = 0.0

        var center: Double { sumX / count }
        var mean: Double { sumY / count }
    }

    /// Change of height (per unit of *x*); 0 when the points do not state.
    let slope: Double
    /// What the points of each part span, summed (units of *x*).
    let span: Double
    private let parts: [Part]

    /// - Parameter points: in the order of *x*, parts one after another.
    init(_ points: [(x: Double, y: Double, part: Int)]) {
        var parts: [Part] = []
        for point in points {
            if parts.last?.number != point.part {
                parts.append(Part(number: point.part, first: point.x))
            }
            parts[parts.count - 1].count += 1
            parts[parts.count - 1].sumX += point.x
            parts[parts.count - 1].sumY += point.y
            parts[parts.count - 1].last = point.x
        }
        var xx = 0.0
        var xy = 0.0
        var index = 0
        for point in points {
            while parts[index].number != point.part { index += 1 }
            let x = point.x - parts[index].center
            xx += x * x
            xy += x * (point.y - parts[index].mean)
        }
        self.parts = parts
        slope = xx > 0 ? xy / xx : 0
        span = parts.reduce(0) { $0 + $1.last - $1.first }
    }

    /// The newest part's number; `nil` without points.
    var lastPart: Int? { parts.last?.number }

    /// The height of the newest part's line.
    /// - Parameter slope: another slope than the points', or `nil` for none: then the mean counts.
    func offset(at x: Double, _ slope: Double?) -> Double {
        guard let part = parts.last else { return 0 }
        return part.mean + (slope ?? 0) * (x - part.center)
    }

    /// How far a point lies off its part's line.
    func error(x: Double, y: Double, part number: Int) -> Double {
        guard let part = parts.first(where: { $0.number == number }) else { return 0 }
        return y - part.mean - slope * (x - part.center)
    }
}
