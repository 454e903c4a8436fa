/// Measures the rate of a camera from its stamps: over the last two seconds, and over all but gaps.
///
/// A pure value. Times are host nanoseconds.
struct RateMeter: Sendable {
    private static let window: Int64 = 2_000_000_000
    private let longest: Int64
    private var recent: [Int64] = []
    /// The last two, whatever they were.
    private var distances: [Int64] = []
    private var intervals = 0
    private var total: Int64 = 0

    /// - Parameter frameDuration: nominal distance of frames (ns), when known.
    init(frameDuration: Int64?) { longest = max(500_000_000, 4 * (frameDuration ?? 0)) }

    mutating func add(_ stamp: Int64) {
        if let last = recent.last, stamp > last {
            distances = distances.suffix(1) + [stamp - last]
            if stamp - last <= longest {
                intervals += 1
                total += stamp - last
            } else {
                recent.removeAll(keepingCapacity: true)
            }
        }
        recent.append(stamp)
        if let kept = recent.firstIndex(where: { $0 >= stamp - Self.window }), kept > 16 {
            recent.removeFirst(kept)
        }
    }

    /// Frames per second over the last two seconds; `nil` before four frames.
    var current: Double? {
        guard let last = recent.last else { return nil }
        let inside = recent.filter { $0 >= last - Self.window }
        guard inside.count >= 4, let first = inside.first, last > first else { return nil }
        return Double(inside.count - 1) * 1e9 / Double(last - first)
    }

    /// How far apart frames come now (ns): by the current rate, or, of a camera too slow to have one, the shorter
    /// of its last two distances, of which one may be a gap. `nil` before three frames.
    var period: Int64? {
        if let current { return Int64((1e9 / current).rounded()) }
        return distances.count == 2 ? distances.min() : nil
    }

    /// Frames per second over everything but gaps.
    var overall: Double? {
        intervals >= 3 ? Double(intervals) * 1e9 / Double(total) : nil
    }
}
