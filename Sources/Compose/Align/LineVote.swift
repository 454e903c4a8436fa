/// Finds the straight lines that many places of spans lie on, the one with most of them first.
struct LineVote {
    struct Candidate {
        var line: ClockLine
        /// Of the places on it.
        var weight: Double
    }

    /// How far a place may lie off a line (seconds).
    private static let tolerance = 0.03
    /// Lines that are so near to each other are one (seconds).
    private static let separation = 0.06
    /// Places that lines are tried through (count).
    private static let seeds = 96
    /// Between the first and the last place of a line whose stretch can be measured (seconds).
    private static let leastSpan = 120.0

    let fits: [ProfileSearch.Fit]

    /// The best lines, each with places of its own.
    func candidates(_ most: Int) -> [Candidate] {
        var left = fits.map(\.point)
        var result: [Candidate] = []
        while result.count < most, let best = Self.best(left) {
            let middle = best.inside.map(\.time).reduce(0, +) / Double(best.inside.count)
            left.removeAll { abs(best.line.error($0)) <= Self.separation }
            let isNew = result.allSatisfy {
                abs($0.line.reference(at: middle) - best.line.reference(at: middle))
                    > Self.separation
            }
            if isNew {
                let weight = best.inside.reduce(0) { $0 + $1.weight }
                result.append(Candidate(line: best.line, weight: weight))
            }
        }
        return result
    }

    private static func best(
        _ points: [ClockLine.Point]
    ) -> (line: ClockLine, inside: [ClockLine.Point])? {
        guard let first = points.map(\.time).min(), let last = points.map(\.time).max() else {
            return nil
        }
        var best: (weight: Double, line: ClockLine)?
        for seed in points.sorted(by: { $0.weight > $1.weight }).prefix(seeds) {
            let near = points.filter {
                let lag = ($0.reference - $0.time) - (seed.reference - seed.time)
                return abs(lag)
                    <= tolerance + abs($0.time - seed.time) * AlignmentScale.greatestDrift
            }
            for stretch in stretches(over: last - first) {
                let line = ClockLine(
                    offset: seed.reference - seed.time * (1 + stretch), stretch: stretch)
                let weight = near.reduce(0) {
                    abs(line.error($1)) <= tolerance ? $0 + $1.weight : $0
                }
                if weight > best?.weight ?? 0 { best = (weight, line) }
            }
        }
        guard let line = best?.line else { return nil }
        let inside = points.filter { abs(line.error($0)) <= tolerance }
        let refined = ClockLine.leastSquares(inside, least: leastSpan) ?? line
        let isSteep = abs(refined.stretch) > AlignmentScale.greatestDrift
        return (isSteep ? line : refined, inside)
    }

    /// Stretches that move the end by less than the tolerance from one to the next.
    private static func stretches(over span: Double) -> [Double] {
        let count = Int(AlignmentScale.greatestDrift * span / (tolerance / 2))
        guard count > 0 else { return [0] }
        return (-count...count).map {
            AlignmentScale.greatestDrift * Double($0) / Double(count)
        }
    }
}
