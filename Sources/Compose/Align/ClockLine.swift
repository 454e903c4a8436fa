/// Where a recording's clock lies on another's: a straight line.
struct ClockLine: Sendable, Hashable {
    /// Of the recording's time zero (seconds of the reference).
    var offset: Double
    /// Seconds of the reference beyond one in a second of the recording.
    var stretch: Double

    /// When something in the recording is in the reference (seconds).
    func reference(at time: Double) -> Double { offset + time * (1 + stretch) }

    /// A moment that was found in both.
    struct Point: Sendable, Hashable {
        /// In the recording (seconds).
        var time: Double
        /// In the reference (seconds).
        var reference: Double
        /// How much it counts.
        var weight: Double
    }

    /// How far a point lies off (seconds).
    func error(_ point: Point) -> Double { point.reference - reference(at: point.time) }

    /// The line with the least squares of errors; nil without points. Its stretch is 0 where all points are within
    /// `least` of each other (seconds).
    static func leastSquares(_ points: [Point], least: Double) -> ClockLine? {
        let total = points.reduce(0) { $0 + $1.weight }
        guard total > 0, let first = points.map(\.time).min(), let last = points.map(\.time).max()
        else { return nil }
        let time = points.reduce(0) { $0 + $1.weight * $1.time } / total
        let lag = points.reduce(0) { $0 + $1.weight * ($1.reference - $1.time) } / total
        guard last - first > least else { return ClockLine(offset: lag, stretch: 0) }
        var (square, product) = (0.0, 0.0)
        for point in points {
            let away = point.time - time
            square += point.weight * away * away
            product += point.weight * away * (point.reference - point.time - lag)
        }
        let stretch = square > 0 ? product / square : 0
        return ClockLine(offset: lag - stretch * time, stretch: stretch)
    }

    /// The line that has most of the points' weight within a tolerance (seconds), and those points.
    /// - Parameter points: at most a few dozen: lines through every two of them are tried.
    static func throughMost(
        _ points: [Point], tolerance: Double
    ) -> (line: ClockLine, inside: [Point])? {
        var best: (weight: Double, line: ClockLine)?
        func consider(_ line: ClockLine) {
            guard abs(line.stretch) <= AlignmentScale.greatestDrift else { return }
            let weight = points.reduce(0) {
                abs(line.error($1)) <= tolerance ? $0 + $1.weight : $0
            }
            if weight > best?.weight ?? 0 { best = (weight, line) }
        }
        for (index, one) in points.enumerated() {
            consider(ClockLine(offset: one.reference - one.time, stretch: 0))
            for other in points[(index + 1)...] where other.time != one.time {
                let stretch = (other.reference - one.reference) / (other.time - one.time) - 1
                consider(
                    ClockLine(
                        offset: one.reference - one.time * (1 + stretch), stretch: stretch))
            }
        }
        guard var line = best?.line else { return nil }
        var inside = points.filter { abs(line.error($0)) <= tolerance }
        for _ in 0..<2 {
            guard let better = leastSquares(inside, least: 1),
                abs(better.stretch) <= AlignmentScale.greatestDrift
            else { break }
            let kept = points.filter { abs(better.error($0)) <= tolerance }
            guard kept.count >= inside.count else { break }
            (line, inside) = (better, kept)
        }
        return (line, inside)
    }
}
