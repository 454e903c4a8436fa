public import Media

/// A change of a layer's colours over a span of the timeline: each number goes from one to the other by the same curve.
public struct GradeRamp: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    public var start: ColorGrade
    public var end: ColorGrade
    /// How it goes from one to the other (default linear).
    public var curve: TimingCurve

    /// A change from one grade to another.
    public init(
        timeRange: MediaTimeRange, from start: ColorGrade, to end: ColorGrade,
        curve: TimingCurve = .linear
    ) {
        self.timeRange = timeRange
        self.start = start
        self.end = end
        self.curve = curve
    }
}

extension GradeRamp: Ramp {
    func value(progress: Double) -> ColorGrade { start.mixed(end, progress) }
}
