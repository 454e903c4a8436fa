/// A part of a clip's upright frame, wherever that lies in the film: what a shape, the luma of a picture and the clip's
/// own luma have in common of those that are given. Without any it is all of the frame.
public struct FrameArea: Sendable, Hashable {
    public enum Shape: String, Sendable, Hashable, CaseIterable {
        case rectangle, ellipse
    }

    /// Default none.
    public var shape: Shape?
    /// Where the shape's middle lies (fraction of the frame's width; -4…4; default 0.5).
    public var x = 0.5
    /// Where the shape's middle lies (fraction of the frame's height; -4…4; default 0.5).
    public var y = 0.5
    /// Of the shape (fraction of the frame's width; 0…4; default 0.5).
    public var width = 0.5
    /// Of the shape (fraction of the frame's height; 0…4; default 0.5).
    public var height = 0.5
    /// Of the shape about its middle (degrees, clockwise; default 0).
    public var rotation = 0.0
    /// Of a rectangle (fraction of its shorter side; 0…0.5; default 0).
    public var cornerRadius = 0.0
    /// Over how much of the way from the shape's edge to its middle it comes (0…1; default 0).
    public var softness = 0.0
    /// A picture file, stretched to the frame, whose luma says how much of a place belongs to the area: white all, black
    /// and what is transparent nothing (default none).
    public var picture: String?
    /// Where the clip's own luma is above it (0 black, 1 white; default none).
    public var above: Double?
    /// Where the clip's own luma is below it (0 black, 1 white; default none).
    public var below: Double?
    /// Over how much luma it comes and goes there (0…1; default 0.05).
    public var lumaSoftness = 0.05
    /// Whether it is everything else (default no).
    public var isInverted = false

    /// All of the frame.
    public init() {}

    /// A shape.
    /// - Parameters:
    ///   - shape: which one.
    ///   - x: of its middle (fraction of the frame's width).
    ///   - y: of its middle (fraction of the frame's height).
    ///   - width: fraction of the frame's width.
    ///   - height: fraction of the frame's height.
    ///   - softness: over how much of the way from its edge to its middle it comes (0…1).
    public init(
        _ shape: Shape, x: Double = 0.5, y: Double = 0.5, width: Double = 0.5,
        height: Double = 0.5, softness: Double = 0
    ) {
        self.shape = shape
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
        self.softness = softness
    }

    /// The luma of a picture file.
    public init(picture: String) { self.picture = picture }
}

extension FrameArea {
    /// What holds nothing.
    static let nothing = FrameArea(.rectangle, width: 0, height: 0)

    /// Whether it holds nothing of any frame, because of its shape.
    var isNothing: Bool {
        guard shape != nil, !isInverted else { return false }
        // turned it reaches as far as its diagonal in pixels, which a frame's shape may double and more
        let reach = 4 * (width * width + height * height).squareRoot()
        let (across, down) = rotation == 0 ? (width / 2, height / 2) : (reach, reach)
        return width <= 0 || height <= 0 || x + across <= 0 || x - across >= 1
            || y + down <= 0 || y - down >= 1
    }

    /// Why it holds nothing, a clause.
    var whyNothing: String {
        width <= 0 || height <= 0
            ? "its area has no size" : "its area lies outside of the frame"
    }

    /// Whether it has the clip's own luma to go by.
    var usesLuma: Bool { above != nil || below != nil }

    /// Whether it says nothing, and so is all of the frame.
    var isWhole: Bool { shape == nil && picture == nil && !usesLuma }

    /// Whether a ramp may lead from one to the other: only numbers differ.
    func isLike(_ other: FrameArea) -> Bool {
        shape == other.shape && picture == other.picture && isInverted == other.isInverted
            && (above == nil) == (other.above == nil) && (below == nil) == (other.below == nil)
    }

    /// Between it and one that is like it. A curve may lead beyond both: no number leaves its range.
    func mixed(_ other: FrameArea, _ part: Double) -> FrameArea {
        guard part != 0 else { return self }
        guard part != 1, isLike(other) else { return other }
        func number(_ path: KeyPath<FrameArea, Double>, _ most: Double) -> Double {
            min(most, max(0, self[keyPath: path].mixed(other[keyPath: path], part)))
        }
        var result = self
        result.x = x.mixed(other.x, part)
        result.y = y.mixed(other.y, part)
        result.width = number(\.width, 4)
        result.height = number(\.height, 4)
        result.rotation = rotation.mixed(other.rotation, part)
        result.cornerRadius = number(\.cornerRadius, 0.5)
        result.softness = number(\.softness, 1)
        result.lumaSoftness = number(\.lumaSoftness, 1)
        if let above, let theirs = other.above { result.above = above.mixed(theirs, part) }
        if let below, let theirs = other.below { result.below = below.mixed(theirs, part) }
        return result
    }
}

extension FrameArea: Rampable {
    static func between(_ from: FrameArea, _ to: FrameArea, _ part: Double) -> FrameArea {
        from.mixed(to, part)
    }

    /// A sixteenth of a pixel of 1080p, and half a step of eight bits.
    func isNear(_ other: FrameArea) -> Bool {
        let lengths = [\FrameArea.x, \.y, \.width, \.height].allSatisfy {
            (self[keyPath: $0] - other[keyPath: $0]).magnitude < 3e-5
        }
        let shares = [\FrameArea.cornerRadius, \.softness, \.lumaSoftness].allSatisfy {
            (self[keyPath: $0] - other[keyPath: $0]).magnitude < 1.0 / 2048
        }
        return lengths && shares && (rotation - other.rotation).magnitude < 0.01
            && ((above ?? 0) - (other.above ?? 0)).magnitude < 1.0 / 2048
            && ((below ?? 0) - (other.below ?? 0)).magnitude < 1.0 / 2048
    }
}
