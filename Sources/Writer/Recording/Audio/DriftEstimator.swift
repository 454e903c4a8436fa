/// Where a device's audio frames lie on the host clock, by a straight line through what its stamps
/// say: least squares over a sliding window, blind to single wild stamps and to lost time.
///
/// A pure value. Offsets are host time minus the nominal time of the device's own count; a device
/// that runs fast has a falling offset. The stamps of each tenth of a second are first reduced to
/// their median, then points far off the line are left out of a second fit.
///
/// Time that is lost or comes twice (an overrun whose length is a guess, a machine that stood still) is a
/// step of the offset and no drift: the line is broken there, its parts share one slope, and each has a
/// height of its own. Steps nobody announced are found.
struct DriftEstimator {
    /// One reduced point.
    private struct Point: Sendable {
        /// Device time (seconds since the first frame by the device's own count).
        var x: Double
        /// Offset (seconds).
        var y: Double
        /// The part of the line it is on.
        var part = 0
    }

    /// Nominal frames per second of the device (Hz; positive).
    let rate: Double
    /// Length of the window (seconds of audio).
    let window: Double
    private let binLength = 0.1
    private var bin: [Point] = []
    private var points: [Point] = []
    private var part = 0
    private var line: BrokenLine?
    /// The slope as it was last known well.
    private var knownSlope: Double?

    /// Points on either side of a step.
    private static let stepPoints = 5
    /// Smallest step that is looked for (seconds): what drifts goes by a quarter of it in half a second.
    private static let smallestStep = 0.002

    init(rate: Int, windowSeconds: Double = 20) {
        self.rate = Double(rate)
        window = windowSeconds
    }

    /// Rate of the device against the host clock (ppm; positive is fast); `nil` before the stamps
    /// span two seconds.
    var ppm: Double? {
        // 0 minus, so that no drift is not minus zero
        knownSlope.map { 0 - $0 / (1 + $0) * 1e6 }
    }

    /// Takes the stamp of one device frame.
    /// - Parameters:
    ///   - frame: the device's own count of the frame.
    ///   - offset: host time minus `frame / rate`, against any fixed origin (seconds).
    mutating func add(frame: Int64, offset: Double) {
        let x = Double(frame) / rate
        bin.append(Point(x: x, y: offset, part: part))
        guard let first = bin.first, x - first.x >= binLength else { return }
        points.append(reduced(bin))
        bin.removeAll(keepingCapacity: true)
        let most = Int(window / binLength)
        if points.count > most { points.removeFirst(points.count - most) }
        fit()
        if breakAtStep() { fit() }
    }

    /// Time was lost or came twice before the next frame: its place says nothing about the rate.
    mutating func breakOff() {
        part += 1
        bin.removeAll(keepingCapacity: true)
    }

    /// Host time minus `frame / rate` as the line has it (seconds); `nil` before the first stamp.
    func offset(at frame: Int64) -> Double? {
        let x = Double(frame) / rate
        if let line, line.lastPart == part || bin.isEmpty { return line.offset(at: x, knownSlope) }
        guard !bin.isEmpty else { return nil }
        // a part that has just begun
        let here = reduced(bin)
        return here.y + (knownSlope ?? 0) * (x - here.x)
    }

    private func reduced(_ bin: [Point]) -> Point {
        bin.sorted { $0.y < $1.y }[bin.count / 2]
    }

    private mutating func fit() {
        var line = BrokenLine(points.map { (x: $0.x, y: $0.y, part: $0.part) })
        let errors = points.map { abs(line.error(x: $0.x, y: $0.y, part: $0.part)) }
        let limit = max(Self.median(errors) * 3, 0.000_5)
        let kept = zip(points, errors).filter { $0.1 <= limit }.map(\.0)
        if kept.count < points.count, kept.last?.part == points.last?.part, kept.count >= 2 {
            line = BrokenLine(kept.map { (x: $0.x, y: $0.y, part: $0.part) })
        }
        self.line = line
        // a slope from less than two seconds is noise
        if line.span >= 2 { knownSlope = line.slope }
    }

    /// Breaks the line where the last half second lies at another height than the one before.
    private mutating func breakAtStep() -> Bool {
        let count = Self.stepPoints
        let recent = Array(points.suffix(2 * count))
        guard recent.count == 2 * count, recent.allSatisfy({ $0.part == part }) else {
            return false
        }
        let slope = knownSlope ?? 0
        let heights = recent.map { $0.y - slope * $0.x }
        let (before, after) = (Array(heights.prefix(count)), Array(heights.suffix(count)))
        let step = abs(Self.median(after) - Self.median(before))
        let isClear = [before, after].allSatisfy { heights in
            (heights.max() ?? 0) - (heights.min() ?? 0) < step / 2
        }
        guard isClear, step > Self.smallestStep else { return false }
        part += 1
        for index in points.count - count..<points.count { points[index].part = part }
        return true
    }

    private static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }
}
