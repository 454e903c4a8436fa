internal import Glibc
internal import Media

/// The way that something detected goes through a clip, as calm as a camera is led.
struct FollowedPath {
    /// Where it is from a time on.
    struct Sighting {
        /// From the clip's beginning in its source (seconds).
        let time: Double
        /// Of its middle (parts of the upright frame).
        let point: Point
    }

    /// A point of the way.
    struct Step {
        /// From the clip's beginning in its source (seconds).
        let time: Double
        let point: Point
    }

    /// Between two points of the way before it is simplified (seconds).
    private static let interval = 0.1
    /// How far back and forth places count: with σ of a Gaussian bell (seconds).
    private static let calm = 0.5
    /// By how much the way may be left (parts of the frame).
    private static let tolerance = 0.004

    /// In order; the first at zero. Empty: nothing was seen.
    let steps: [Step]

    /// - Parameters:
    ///   - sightings: in order of time.
    ///   - length: of the clip in its source (seconds).
    init(_ sightings: [Sighting], length: Double) {
        guard !sightings.isEmpty, length > 0 else {
            steps = []
            return
        }
        let count = max(1, Int((length / Self.interval).rounded(.up)))
        var raw: [Point] = []
        var next = 0
        for index in 0...count {
            let time = Double(index) * Self.interval
            while next < sightings.count, sightings[next].time <= time { next += 1 }
            raw.append(Self.point(time, sightings, next))
        }
        let calm = Self.smoothed(raw)
        let way = calm.enumerated().map {
            Step(time: min(length, Double($0) * Self.interval), point: $1)
        }
        steps = Self.simplified(way)
    }

    /// Between the sightings around a time; before the first and after the last it stands still.
    private static func point(_ time: Double, _ sightings: [Sighting], _ next: Int) -> Point {
        guard next > 0 else { return sightings[0].point }
        guard next < sightings.count else { return sightings[next - 1].point }
        let (from, to) = (sightings[next - 1], sightings[next])
        let part = (time - from.time) / (to.time - from.time)
        return Point(
            x: from.point.x.mixed(to.point.x, part), y: from.point.y.mixed(to.point.y, part))
    }

    private static func smoothed(_ points: [Point]) -> [Point] {
        let reach = Int((3 * calm / interval).rounded())
        let weights = (-reach...reach).map { exp(-pow(Double($0) * interval / calm, 2) / 2) }
        let sum = weights.reduce(0, +)
        return points.indices.map { index in
            var mean = Point.zero
            for (offset, weight) in zip(-reach...reach, weights) {
                let point = points[min(max(index + offset, 0), points.count - 1)]
                mean.x += point.x * weight / sum
                mean.y += point.y * weight / sum
            }
            return mean
        }
    }

    /// The fewest of its points between which lines do not leave it by more than the tolerance.
    private static func simplified(_ way: [Step]) -> [Step] {
        let kept = way.simplified(within: tolerance, distance)
        guard way.count > 2, kept.count == 2 else { return kept }
        // one that stands still needs no second point
        return distance(kept[1], kept[0], kept[0]) > tolerance ? kept : [kept[0]]
    }

    /// From where a line would be at the step's time.
    private static func distance(_ step: Step, _ from: Step, _ to: Step) -> Double {
        let part = to.time > from.time ? (step.time - from.time) / (to.time - from.time) : 0
        return max(
            (step.point.x - from.point.x.mixed(to.point.x, part)).magnitude,
            (step.point.y - from.point.y.mixed(to.point.y, part)).magnitude)
    }
}
