/// Decides when a camera's last frame is written again because no new one comes.
///
/// A pure value. Times are host nanoseconds. Repeats lie on a grid of `interval` after the last
/// frame and are written half a second late, so that a frame that is only late still finds its
/// place; while frames come, however late, nothing is repeated.
struct FrameHold: Sendable {
    let interval: Int64
    private static let timeout: Int64 = 500_000_000
    /// Stamp of the last frame that was written, repeats included.
    private(set) var last: Int64?

    /// - Parameters:
    ///   - interval: distance of repeats (ns; positive).
    ///   - frameDuration: nominal distance of frames (ns), when known: a slow camera is no gap.
    init(interval: Int64, frameDuration: Int64?) {
        self.interval = max(interval, 4 * (frameDuration ?? 0))
    }

    mutating func wrote(at stamp: Int64) { last = stamp }

    /// The stamp of the repeat that is due now, if one is.
    /// - Parameter arrival: when the last frame came; `nil`: with its stamp.
    func due(at now: Int64, lastArrival arrival: Int64? = nil) -> Int64? {
        guard let last, now - Self.timeout >= max(last, arrival ?? .min) + interval else {
            return nil
        }
        return last + interval
    }

    /// Whether a frame at `stamp` would come after the last one.
    func accepts(_ stamp: Int64) -> Bool { last.map { stamp > $0 } ?? true }
}
