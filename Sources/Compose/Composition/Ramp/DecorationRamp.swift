public import Media

/// A change of a layer's round corners, border and shadow over a span of the timeline: each number goes from one to the
/// other by the same curve. What only one of both has grows out of nothing, or goes.
public struct DecorationRamp: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// In pixels of the render area.
    public var start: LayerDecoration
    public var end: LayerDecoration
    /// How it goes from one to the other (default linear).
    public var curve: TimingCurve

    /// A change from one decoration to another.
    public init(
        timeRange: MediaTimeRange, from start: LayerDecoration, to end: LayerDecoration,
        curve: TimingCurve = .linear
    ) {
        self.timeRange = timeRange
        self.start = start
        self.end = end
        self.curve = curve
    }
}

extension DecorationRamp: Ramp {
    func value(progress: Double) -> LayerDecoration { start.mixed(end, progress) }
}

extension LayerDecoration {
    /// - Parameter part: a curve may lead beyond 0…1; no length falls below zero.
    func mixed(_ other: LayerDecoration, _ part: Double) -> LayerDecoration {
        if part == 0 { return self }
        if part == 1 { return other }
        var border: Border?
        if let from = self.border ?? other.border, let to = other.border ?? self.border {
            let ends = (self.border == nil ? 0 : from.width, other.border == nil ? 0 : to.width)
            let width = max(0, ends.0.mixed(ends.1, part))
            if width > 0 { border = Border(width: width, color: from.color.mixed(to.color, part)) }
        }
        var shadow: Shadow?
        if var from = self.shadow ?? other.shadow, var to = other.shadow ?? self.shadow {
            if self.shadow == nil { from.color.alpha = 0 }
            if other.shadow == nil { to.color.alpha = 0 }
            shadow = Shadow(
                color: from.color.mixed(to.color, part),
                blur: max(0, from.blur.mixed(to.blur, part)), x: from.x.mixed(to.x, part),
                y: from.y.mixed(to.y, part))
        }
        return LayerDecoration(
            cornerRadius: max(0, cornerRadius.mixed(other.cornerRadius, part)), border: border,
            shadow: shadow)
    }
}
