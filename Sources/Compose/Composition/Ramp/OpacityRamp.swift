public import Media

/// A change of a layer's opacity over a span of the timeline, linear in time.
public struct OpacityRamp: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// 0…1.
    public var start: Double
    public var end: Double

    public init(timeRange: MediaTimeRange, from start: Double, to end: Double) {
        self.timeRange = timeRange
        self.start = start
        self.end = end
    }

    /// An opacity from an instant on.
    public init(_ opacity: Double, from time: MediaTime = .zero) {
        self.init(
            timeRange: MediaTimeRange(start: time, duration: .zero), from: opacity, to: opacity)
    }
}

extension OpacityRamp: Ramp {
    func value(progress: Double) -> Double { start + (end - start) * progress }
}
