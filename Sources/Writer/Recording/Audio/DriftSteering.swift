/// Decides how much a resampler stretches, from how far the audio is off and how fast it moves away.
///
/// A pure value. Below `tolerance` nothing is touched, so that a device on the host's own clock
/// passes through bit-exactly; once engaged it stays engaged until the device is opened again.
struct DriftSteering: Sendable {
    /// Largest stretch (ppm).
    static let limit = 1_000.0
    /// Largest change of the stretch in one step (ppm), far below what can be heard.
    static let largestStep = 50.0
    /// Distance from the right place at which steering begins (seconds).
    static let tolerance = 0.002
    /// Time in which an error is to be taken back (seconds).
    private static let horizon = 8.0

    /// Whether the samples go through the resampler.
    private(set) var isEngaged = false
    /// What is asked of the resampler (ppm more output than input).
    private(set) var stretch = 0.0

    /// One step, about every half second.
    /// - Parameters:
    ///   - error: how much too late the next frame is in the movie (seconds).
    ///   - ppm: the device's measured rate against the host clock, when known.
    /// - Returns: the new stretch (ppm) once engaged, else `nil`.
    mutating func step(error: Double, ppm: Double?) -> Double? {
        if !isEngaged {
            guard abs(error) > Self.tolerance else { return nil }
            isEngaged = true
        }
        let wanted = -(ppm ?? 0) - error / Self.horizon * 1e6
        let bounded = min(max(wanted, -Self.limit), Self.limit)
        stretch += min(max(bounded - stretch, -Self.largestStep), Self.largestStep)
        return stretch
    }
}
