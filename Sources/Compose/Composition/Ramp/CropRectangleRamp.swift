public import Media

/// What of a frame shows.
public struct CropRectangle: Sendable, Hashable {
    /// In pixels of the upright frame. It may reach beyond the frame: an edge out there cuts nothing.
    public var rectangle: Rectangle
    /// Over how many pixels of the upright frame each edge goes from 1 to 0, inwards (not negative).
    public var softness: Double

    public init(_ rectangle: Rectangle, softness: Double = 0) {
        self.rectangle = rectangle
        self.softness = softness
    }
}

/// A change of what of a frame shows over a span of the timeline: each edge moves by the same curve.
public struct CropRectangleRamp: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// In pixels of the upright frame.
    public var start: Rectangle
    public var end: Rectangle
    /// See `CropRectangle`.
    public var softness: Double
    /// How it goes from one to the other (default linear).
    public var curve: TimingCurve

    public init(
        timeRange: MediaTimeRange, from start: Rectangle, to end: Rectangle, softness: Double = 0,
        curve: TimingCurve = .linear
    ) {
        self.timeRange = timeRange
        self.start = start
        self.end = end
        self.softness = softness
        self.curve = curve
    }

    /// A crop from an instant on.
    public init(_ crop: CropRectangle, from time: MediaTime = .zero) {
        self.init(
            timeRange: MediaTimeRange(start: time, duration: .zero), from: crop.rectangle,
            to: crop.rectangle, softness: crop.softness)
    }
}

extension CropRectangleRamp: Ramp {
    func value(progress: Double) -> CropRectangle {
        func between(_ number: (Rectangle) -> Double) -> Double {
            number(start) + (number(end) - number(start)) * progress
        }
        let rectangle = Rectangle(
            x: between(\.x), y: between(\.y), width: max(0, between(\.width)),
            height: max(0, between(\.height)))
        return CropRectangle(rectangle, softness: softness)
    }
}
