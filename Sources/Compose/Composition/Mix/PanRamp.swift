public import Media

/// A change of pan over a span of the timeline; before it the start pan holds, after it the end pan, each as far as the
/// next ramp.
public struct PanRamp: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// Left to right (−1…1).
    public var startPan: Double
    public var endPan: Double
    /// How progress in time becomes progress of the pan (default linear). A pan stays within −1…1 whatever the curve.
    public var curve: TimingCurve

    public init(
        timeRange: MediaTimeRange, from startPan: Double, to endPan: Double,
        curve: TimingCurve = .linear
    ) {
        (self.timeRange, self.startPan, self.endPan) = (timeRange, startPan, endPan)
        self.curve = curve
    }

    /// The pan after a part of the ramp.
    /// - Parameter progress: 0 at the ramp's start, 1 at its end; held outside.
    public func pan(progress: Double) -> Double {
        min(1, max(-1, startPan.mixed(endPan, curve.value(at: progress))))
    }
}
