public import Media

/// A change of an area of a layer's frame over a span of the timeline: each number goes from one to the other by the same
/// curve.
public struct AreaRamp: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    public var start: FrameArea
    /// Of the same kind: it has what the other one has, and only its numbers are others.
    public var end: FrameArea
    /// How it goes from one to the other (default linear).
    public var curve: TimingCurve

    public init(
        timeRange: MediaTimeRange, from start: FrameArea, to end: FrameArea,
        curve: TimingCurve = .linear
    ) {
        self.timeRange = timeRange
        self.start = start
        self.end = end
        self.curve = curve
    }

    /// An area from an instant on.
    public init(_ area: FrameArea, from time: MediaTime = .zero) {
        self.init(timeRange: MediaTimeRange(start: time, duration: .zero), from: area, to: area)
    }
}

extension AreaRamp: Ramp {
    func value(progress: Double) -> FrameArea { start.mixed(end, progress) }
}
