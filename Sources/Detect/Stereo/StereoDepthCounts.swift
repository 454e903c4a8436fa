/// What became of the moments of a pair of cameras. Each frame of the left camera, and each that it lost, is one.
public struct StereoDepthCounts: Sendable, Hashable {
    /// Pairs that have a map (pairs).
    public var matched = 0
    /// Pairs that came while an earlier one was being matched (pairs).
    public var busy = 0
    /// Moments of which one of the cameras lost its frame, or delivered it damaged (moments).
    public var lost = 0
    /// Moments of which a frame did not come in time (moments).
    public var late = 0
    /// Moments of which the right camera had no frame, because it is slower or away (moments).
    public var unpaired = 0
    /// Pairs that could not be matched (pairs).
    public var failed = 0

    public init() {}
}
