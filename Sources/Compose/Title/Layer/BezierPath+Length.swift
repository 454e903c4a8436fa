internal import Glibc

extension BezierPath {
    /// One connected run of straight pieces.
    struct Polyline: Equatable {
        var points: [Point]
        var isClosed: Bool

        /// Length of all pieces (pixels).
        var length: Double {
            zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        }
    }

    /// Straight pieces one curve becomes; a quarter circle of 1,000 pixels is then off by less than 0.1.
    private static let piecesPerCurve = 48

    /// The path as straight pieces; a closed part ends where it began.
    var polylines: [Polyline] {
        var result: [Polyline] = []
        var current: [Point] = []
        func finish(closed: Bool) {
            if current.count > 1 { result.append(Polyline(points: current, isClosed: closed)) }
        }
        for element in elements {
            switch element {
            case .move(let point):
                finish(closed: false)
                current = [point]
            case .line(let point):
                current.append(point)
            case .curve(let end, let control1, let control2):
                guard let start = current.last else {
                    current = [end]
                    continue
                }
                for index in 1...Self.piecesPerCurve {
                    current.append(
                        Self.point(
                            Double(index) / Double(Self.piecesPerCurve), start, control1, control2,
                            end))
                }
            case .close:
                guard let first = current.first else { continue }
                current.append(first)
                finish(closed: true)
                current = [first]
            }
        }
        finish(closed: false)
        return result
    }

    /// Length of all parts together (pixels).
    public var length: Double { polylines.reduce(0) { $0 + $1.length } }

    /// The part of the path between two fractions of its length, as straight pieces.
    /// - Parameters: each 0…1; nothing is left where `end` is not above `start`.
    public func trimmed(from start: Double, to end: Double) -> BezierPath {
        let from = min(max(start, 0), 1)
        let to = min(max(end, 0), 1)
        if from == 0, to == 1 { return self }
        guard from < to else { return BezierPath() }
        let lines = polylines
        let total = lines.reduce(0) { $0 + $1.length }
        var result = BezierPath()
        var passed = 0.0
        for line in lines {
            let length = line.length
            let lower = max(0, from * total - passed)
            let upper = min(length, to * total - passed)
            passed += length
            if lower < upper { result.append(line, lower, upper) }
        }
        return result
    }

    private mutating func append(_ line: Polyline, _ lower: Double, _ upper: Double) {
        var passed = 0.0
        var isDrawing = false
        for (start, end) in zip(line.points, line.points.dropFirst()) {
            let piece = start.distance(to: end)
            defer { passed += piece }
            guard piece > 0, passed + piece > lower, passed < upper else { continue }
            if !isDrawing { move(to: start.toward(end, max(0, lower - passed) / piece)) }
            isDrawing = true
            addLine(to: start.toward(end, min(piece, upper - passed) / piece))
        }
    }

    private static func point(
        _ t: Double, _ start: Point, _ control1: Point, _ control2: Point, _ end: Point
    ) -> Point {
        let u = 1 - t
        let (a, b, c, d) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        return Point(
            x: a * start.x + b * control1.x + c * control2.x + d * end.x,
            y: a * start.y + b * control1.y + c * control2.y + d * end.y)
    }
}

extension Point {
    func distance(to other: Point) -> Double { hypot(other.x - x, other.y - y) }

    func toward(_ other: Point, _ fraction: Double) -> Point {
        Point(x: x + (other.x - x) * fraction, y: y + (other.y - y) * fraction)
    }
}
