public import Media

/// A change of a layer's transform over a span of the timeline: each of the six numbers goes from one
/// to the other by the same curve.
public struct TransformRamp: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// From the upright frame (square pixels, origin top left) to the render area.
    public var start: Transform2D
    public var end: Transform2D
    /// How it goes from one to the other (default linear).
    public var curve: TimingCurve

    public init(
        timeRange: MediaTimeRange, from start: Transform2D, to end: Transform2D,
        curve: TimingCurve = .linear
    ) {
        self.timeRange = timeRange
        self.start = start
        self.end = end
        self.curve = curve
    }

    /// A transform from an instant on.
    public init(_ transform: Transform2D, from time: MediaTime = .zero) {
        self.init(
            timeRange: MediaTimeRange(start: time, duration: .zero), from: transform, to: transform)
    }
}

extension TransformRamp: Ramp {
    func value(progress: Double) -> Transform2D {
        func between(_ number: (Transform2D) -> Double) -> Double {
            number(start) + (number(end) - number(start)) * progress
        }
        return Transform2D(
            a: between(\.a), b: between(\.b), c: between(\.c), d: between(\.d),
            tx: between(\.tx), ty: between(\.ty))
    }
}
