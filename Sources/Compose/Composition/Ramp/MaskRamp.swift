public import Media

/// A change of a layer's mask over a span of the timeline: each number goes from one to the other by the same curve.
public struct MaskRamp: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// In pixels of the render area.
    public var start: LayerMask
    /// Of the same kind: both shapes, or the same picture, and both inverted or not.
    public var end: LayerMask
    /// How it goes from one to the other (default linear).
    public var curve: TimingCurve

    public init(
        timeRange: MediaTimeRange, from start: LayerMask, to end: LayerMask,
        curve: TimingCurve = .linear
    ) {
        self.timeRange = timeRange
        self.start = start
        self.end = end
        self.curve = curve
    }

    /// A mask from an instant on.
    public init(_ mask: LayerMask, from time: MediaTime = .zero) {
        self.init(
            timeRange: MediaTimeRange(start: time, duration: .zero), from: mask, to: mask)
    }
}

extension MaskRamp: Ramp {
    func value(progress: Double) -> LayerMask { start.mixed(end, progress) }
}
