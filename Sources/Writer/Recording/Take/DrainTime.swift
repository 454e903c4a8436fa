/// How long a stop still waits for what is on its way. Only time in which this process ran is counted:
/// where it stood still, nothing could come.
///
/// A pure value.
struct DrainTime: Sendable {
    /// The most that one look counts (ns); looks come about every 100 ms.
    private static let longestStep: Int64 = 100_000_000
    /// (ns)
    private var left: Int64
    private var last: Int64

    /// - Parameters:
    ///   - limit: how long to wait (ns; 0 for not at all).
    ///   - now: host time (ns).
    init(_ limit: Int64, from now: Int64) {
        left = limit
        last = now
    }

    /// One look: whether the time is over.
    mutating func isOver(at now: Int64) -> Bool {
        left -= min(max(0, now - last), Self.longestStep)
        last = now
        return left <= 0
    }
}
