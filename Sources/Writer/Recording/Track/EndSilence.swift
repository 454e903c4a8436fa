/// Decides whether a camera that nobody has reported as silent lacks frames before the movie's end.
///
/// A pure value. Times are host nanoseconds.
struct EndSilence: Sendable {
    /// Stamp of its last frame in the movie.
    let last: Int64
    /// How far apart its frames come, where that is known.
    let period: Int64?

    /// What no rate explains, and the most that a fast camera may be silent without it (ns).
    static let limit: Int64 = 500_000_000
    /// A shorter silence is jitter, however fast the camera (ns).
    private static let shortest: Int64 = 100_000_000

    /// How long it may be silent: five frames, of a slow camera half a second, but never less than two frames.
    private var tolerated: Int64 {
        guard let period else { return Self.limit }
        return max(2 * period, min(max(5 * period, Self.shortest), Self.limit))
    }

    /// - Parameters:
    ///   - end: the movie's.
    ///   - time: until when it was silent: its next frame's stamp, or the moment from which nobody waited for one.
    /// - Returns: whether a frame that was due before the end has not come.
    func lacksFrames(before end: Int64, silentUntil time: Int64) -> Bool {
        guard let period else { return end - last > Self.limit }
        return end - last > period + period / 2 && time - last > tolerated
    }
}
