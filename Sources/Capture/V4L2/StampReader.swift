/// Brings a driver's stamps onto the host clock.
///
/// Monotonic stamps are taken as they are, up to `ahead` before now: after a stall they can lie
/// 29 ms ahead (measured, vivid on Linux 6.1). Others (copied from a feeder, unknown, wrapped) only
/// state distances: they are anchored at the arrival, and again wherever the two disagree.
struct StampReader: Sendable, Equatable {
    enum Kind: Sendable {
        case monotonic, copied, unknown
    }

    /// How far a true stamp may lie in the future (ns).
    static let ahead: Int64 = 100_000_000
    /// How far it may lie in the past (ns) by itself: a buffer waited for us that long. One that
    /// follows the last true stamp in an unbroken sequence may be older: then we were late, and the
    /// clock was not set.
    static let behind: Int64 = 5_000_000_000
    /// How far anchored stamps may part from arrival before they are anchored again (ns).
    static let tolerance: Int64 = 200_000_000

    private var anchor: Anchor?
    /// The last stamp taken as it was.
    private var trusted: Int64?

    private struct Anchor: Sendable, Equatable {
        let stamp: Int64
        let host: Int64
    }

    /// Host time of a stamp; all in nanoseconds.
    /// - Parameter isNext: whether the driver's numbers say that it follows the one before directly.
    mutating func hostTime(
        stamp: Int64, kind: Kind, arrival: Int64, isNext: Bool = false
    ) -> Int64 {
        if kind != .unknown, stamp <= arrival + Self.ahead,
            arrival - Self.behind <= stamp || (isNext && trusted.map { stamp > $0 } ?? false)
        {
            anchor = nil
            trusted = stamp
            return stamp
        }
        trusted = nil
        guard stamp != 0 else { return arrival }
        if let anchor {
            let (elapsed, overflow) = stamp.subtractingReportingOverflow(anchor.stamp)
            // an elapsed time out of range of the arrival is a wrap or a jump
            if !overflow, (-Self.behind...(Int64.max / 2)).contains(elapsed) {
                let (host, isOver) = anchor.host.addingReportingOverflow(elapsed)
                if !isOver,
                    abs(host.subtractingReportingOverflow(arrival).partialValue)
                        <= Self.tolerance
                {
                    return host
                }
            }
        }
        anchor = Anchor(stamp: stamp, host: arrival)
        return arrival
    }
}
