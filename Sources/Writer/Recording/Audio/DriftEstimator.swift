/// Where a device's audio frames lie on the host clock, by a straight line through what its stamps
/// say: least squares over a sliding window, blind to single wild stamps.
///
/// A pure value. Offsets are host time minus the nominal time of the device's own count; a device
/// that runs fast has a falling offset. The stamps of each tenth of a second are first reduced to
/// their median, then points far off the line are left out of a second fit.
struct DriftEstimator: Sendable {
    /// One reduced point.
    private struct Point: Sendable {
        /// Device time (seconds since the first frame by the device's own count).
        var x: Double
        /// Offset (seconds).
        var y: Double
    }

    /// A straight line of offset over device time.
    private struct Line: Sendable {
        var center: Double
        var mean: Double
        var slope: Double
        func offset(at x: Double) -> Double { mean + slope * (x - center) }
    }

    /// Nominal frames per second of the device (Hz; positive).
    let rate: Double
    /// Length of the window (seconds).
    let window: Double
    private let binLength = 0.1
    private var bin: [Point] = []
    private var points: [Point] = []
    private var line: Line?

    init(rate: Int, windowSeconds: Double = 20) {
        self.rate = Double(rate)
        window = windowSeconds
    }

    /// Rate of the device against the host clock (ppm; positive is fast); `nil` before the stamps
    /// span two seconds.
    var ppm: Double? {
        guard let line, span >= 2 else { return nil }
        // 0 minus, so that no drift is not minus zero
        return 0 - line.slope / (1 + line.slope) * 1e6
    }

    /// Seconds the window's points span.
    var span: Double {
        guard let first = points.first, let last = points.last else { return 0 }
        return last.x - first.x
    }

    /// Takes the stamp of one device frame.
    /// - Parameters:
    ///   - frame: the device's own count of the frame.
    ///   - offset: host time minus `frame / rate`, against any fixed origin (seconds).
    mutating func add(frame: Int64, offset: Double) {
        let x = Double(frame) / rate
        bin.append(Point(x: x, y: offset))
        guard let first = bin.first, x - first.x >= binLength else { return }
        points.append(reduced(bin))
        bin.removeAll(keepingCapacity: true)
        let oldest = x - window
        if let kept = points.firstIndex(where: { $0.x >= oldest }), kept > 0 {
            points.removeFirst(kept)
        }
        fit()
    }

    /// Host time minus `frame / rate` as the line has it (seconds); `nil` before the first stamp.
    func offset(at frame: Int64) -> Double? {
        let x = Double(frame) / rate
        if let line {
            // a slope from less than two seconds is noise
            return span >= 2 ? line.offset(at: x) : line.mean
        }
        return bin.isEmpty ? nil : reduced(bin).y
    }

    private func reduced(_ bin: [Point]) -> Point {
        bin.sorted { $0.y < $1.y }[bin.count / 2]
    }

    private mutating func fit() {
        var line = Self.line(through: points[...])
        let errors = points.map { abs($0.y - line.offset(at: $0.x)) }
        let limit = max(errors.sorted()[errors.count / 2] * 3, 0.000_5)
        let kept = zip(points, errors).filter { $0.1 <= limit }.map(\.0)
        if kept.count < points.count, kept.count >= 2 { line = Self.line(through: kept[...]) }
        self.line = line
    }

    private static func line(through points: ArraySlice<Point>) -> Line {
        let count = Double(points.count)
        let center = points.reduce(0) { $0 + $1.x } / count
        let mean = points.reduce(0) { $0 + $1.y } / count
        var xx = 0.0
        var xy = 0.0
        for point in points {
            xx += (point.x - center) * (point.x - center)
            xy += (point.x - center) * (point.y - mean)
        }
        return Line(center: center, mean: mean, slope: xx > 0 ? xy / xx : 0)
    }
}
