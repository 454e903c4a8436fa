internal import Media

/// How far a segment has come in its source, where it does not run at one speed: straight lines between points, the
/// first at zero, of which each is later than the one before in both. Ticks of the timeline.
struct SourceCourse: Sendable, Hashable {
    struct Point: Sendable, Hashable {
        /// Of the source, in the direction in which it plays.
        let source: Int64
        /// From the segment's beginning.
        let target: Int64
    }

    /// At least two.
    let points: [Point]

    /// Nil: less than two points are left, once those are left out that are not later than the one before.
    init?(_ points: [Point]) {
        var kept: [Point] = []
        for point in points {
            if let last = kept.last, point.target <= last.target || point.source <= last.source {
                continue
            }
            kept.append(point)
        }
        guard kept.count > 1 else { return nil }
        self.points = kept
    }

    var sourceTicks: Int64 { points[points.count - 1].source }
    var ticks: Int64 { points[points.count - 1].target }

    /// The points between which an instant lies (from the segment's beginning; the last ones behind it).
    func piece(at tick: Int64) -> (from: Point, to: Point) {
        let next = points.partitioningIndex { $0.target > tick }
        let index = min(max(1, next), points.count - 1)
        return (points[index - 1], points[index])
    }

    /// How far it has come in the source, to the next whole tick.
    func source(at tick: Int64) -> Int64 {
        let (from, to) = piece(at: tick)
        let way = Int128(tick - from.target) * Int128(to.source - from.source)
        let (whole, rest) = way.quotientAndRemainder(dividingBy: Int128(to.target - from.target))
        return from.source + Int64(whole) + (rest > 0 ? 1 : 0)
    }

    /// When it is that far in the source, to the nearest tick.
    func target(ofSource tick: Int64) -> Int64 {
        let next = points.partitioningIndex { $0.source > tick }
        let index = min(max(1, next), points.count - 1)
        let (from, to) = (points[index - 1], points[index])
        let length = Int128(to.source - from.source)
        let way = Int128(tick - from.source) * Int128(to.target - from.target)
        return from.target + Int64((way + length / 2) / length)
    }

    /// What it is up to an instant, and from there on; both inside it, nil where nothing is left of a part.
    func cut(at tick: Int64) -> (before: SourceCourse?, after: SourceCourse?) {
        let border = Point(source: source(at: tick), target: tick)
        let before = points.filter { $0.target < tick } + [border]
        let after = [border] + points.filter { $0.target > tick }
        return (SourceCourse(before), SourceCourse(after.map { $0.since(border) }))
    }

    /// The same from its end to its beginning.
    var reversed: SourceCourse? {
        SourceCourse(
            points.reversed().map {
                Point(source: sourceTicks - $0.source, target: ticks - $0.target)
            })
    }

    /// The same over another length on the timeline; nil: it has none then.
    func scaled(to ticks: Int64) -> SourceCourse? {
        let whole = Int128(self.ticks)
        return SourceCourse(
            points.map { point in
                let target = Int64(Int128(point.target) * Int128(ticks) / whole)
                return Point(source: point.source, target: target)
            })
    }
}

extension SourceCourse.Point {
    fileprivate func since(_ other: Self) -> Self {
        Self(source: source - other.source, target: target - other.target)
    }
}
