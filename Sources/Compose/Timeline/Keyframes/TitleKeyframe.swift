public import Media

/// Where a title lies, beside where its style puts it, and how opaque it is.
public struct TitlePlacement: Sendable, Hashable {
    /// To the right (fraction of the film's width; -4…4; default 0).
    public var x: Double
    /// Downwards (fraction of the film's height; -4…4; default 0).
    public var y: Double
    /// About its middle, of a lower third about its bar (factor; 0…10; default 1).
    public var scale: Double
    /// About the same (degrees, clockwise; default 0).
    public var rotation: Double
    /// 0…1 (default 1).
    public var opacity: Double

    /// A placement; without arguments the style's own.
    public init(
        x: Double = 0, y: Double = 0, scale: Double = 1, rotation: Double = 0, opacity: Double = 1
    ) {
        (self.x, self.y, self.scale, self.rotation) = (x, y, scale, rotation)
        self.opacity = opacity
    }
}

/// What a title is at an instant. What a key frame does not give continues between those that do; a title begins as it
/// is itself, and after the last key frame nothing changes any more but by its style.
public struct TitleKeyframe: Sendable, Hashable {
    /// From the title's beginning (seconds; not negative). Of two at one time the title comes to the first one and
    /// continues from the second.
    public var time: MediaTime
    /// How the title comes to it from the key frame before that gives the same (default linear).
    public var curve: TimingCurve
    /// As of `TitlePlacement`.
    public var x: Double?
    public var y: Double?
    public var scale: Double?
    public var rotation: Double?
    public var opacity: Double?

    /// A key frame, which gives nothing yet.
    public init(_ time: MediaTime, curve: TimingCurve = .linear) {
        (self.time, self.curve) = (time, curve)
    }

    /// Whether it gives nothing.
    var isEmpty: Bool { [x, y, scale, rotation, opacity].allSatisfy { $0 == nil } }
}
