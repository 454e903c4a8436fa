public import Media

/// A change of a layer's opacity over a span of the timeline.
public struct OpacityRamp: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// 0…1.
    public var start: Double
    public var end: Double
    /// How it goes from one to the other (default linear); it stays within 0…1 whatever the curve.
    public var curve: TimingCurve

    public init(
        timeRange: MediaTimeRange, from start: Double, to end: Double, curve: TimingCurve = .linear
    ) {
        self.timeRange = timeRange
        self.start = start
        self.end = end
        self.curve = curve
    }

    /// An opacity from an instant on.
    public init(_ opacity: Double, from time: MediaTime = .zero) {
        self.init(
            timeRange: MediaTimeRange(start: time, duration: .zero), from: opacity, to: opacity)
    }
}

extension OpacityRamp: Ramp {
    func value(progress: Double) -> Double {
        min(1, max(0, start + (end - start) * progress))
    }
}
