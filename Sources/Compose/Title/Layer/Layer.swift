public import Media

/// A rectangle of text, picture, shape or colour over a film's frames, with layers of its own in it.
///
/// The model is that of a layer tree: every layer has a coordinate system of its own (`bounds`; x
/// right, y down, in pixels), and lies in its parent's by its `position`, which is where its `anchor` goes.
/// The outermost layer lies in the render area, whose origin is the top left corner. A layer is
/// scaled and rotated about its anchor, then flattened into its parent. An immutable description: what it
/// looks like at an instant is a function of that instant alone. Reentrant.
public struct Layer: Sendable, Hashable {
    /// What a layer shows besides its sublayers.
    public enum Contents: Sendable, Hashable {
        case none
        case text(TextContents)
        case image(ImageContents)
        case shape(ShapeContents)
        /// The bounds filled with one colour.
        case solid(Color)
    }

    /// Named by errors and warnings; need not be unique.
    public var name: String
    public var contents: Contents
    /// Where the anchor lies (pixels of the parent's coordinates).
    public var position: Point
    /// The point of the bounds that `position` places and that scale and rotations leave alone (fractions of
    /// the bounds; 0, 0 = top left; default 0.5, 0.5).
    public var anchor: Point
    /// The layer's own coordinates: origin and size (pixels).
    public var bounds: Rectangle
    /// Of the layer with all in it (0…1; values outside are clamped; default 1).
    public var opacity: Double
    /// Factors in x and y about the anchor (default 1, 1).
    public var scale: Point
    /// Turns about the anchor, after the scale (degrees): z first, clockwise as seen; then x, then y.
    public var rotation: Rotation3D
    /// Applied after scale and rotations, about the anchor: `Transform3D.perspective` belongs here.
    public var transform: Transform3D
    /// Drawn over the layer's own contents: by `zOrder`, equal ones in the order of the list.
    public var sublayers: [Layer]
    /// Whether the layer and all in it show within its bounds only (default no).
    public var clipsToBounds: Bool
    /// Place among the layers of the same parent; higher is nearer (default 0).
    public var zOrder: Int
    /// When the layer shows, with all in it (timeline time); nil: always.
    public var timeRange: MediaTimeRange?
    /// What changes over time (timeline time).
    public var animations: [LayerAnimation]

    public init(
        name: String = "", contents: Contents = .none, position: Point = .zero,
        anchor: Point = Point(x: 0.5, y: 0.5), bounds: Rectangle, opacity: Double = 1,
        scale: Point = Point(x: 1, y: 1), rotation: Rotation3D = .none,
        transform: Transform3D = .identity, sublayers: [Layer] = [], zOrder: Int = 0,
        timeRange: MediaTimeRange? = nil, animations: [LayerAnimation] = [],
        clipsToBounds: Bool = false
    ) {
        self.name = name
        self.contents = contents
        self.position = position
        self.anchor = anchor
        self.bounds = bounds
        self.opacity = opacity
        self.scale = scale
        self.rotation = rotation
        self.transform = transform
        self.sublayers = sublayers
        self.zOrder = zOrder
        self.timeRange = timeRange
        self.animations = animations
        self.clipsToBounds = clipsToBounds
    }

    /// A layer whose top left corner lies at a place of its parent.
    /// - Parameters:
    ///   - name: for errors and warnings.
    ///   - contents: what it shows besides its sublayers.
    ///   - frame: in the parent's coordinates (pixels).
    ///   - sublayers: drawn over its contents.
    public init(
        name: String = "", contents: Contents = .none, frame: Rectangle, sublayers: [Layer] = []
    ) {
        self.init(
            name: name, contents: contents,
            position: Point(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2),
            bounds: Rectangle(x: 0, y: 0, width: frame.width, height: frame.height),
            sublayers: sublayers)
    }

    /// A layer as large as the render area, to hold others.
    public init(name: String = "", covering size: PixelSize, sublayers: [Layer] = []) {
        let (width, height) = (Double(size.width), Double(size.height))
        self.init(
            name: name, frame: Rectangle(x: 0, y: 0, width: width, height: height),
            sublayers: sublayers)
    }
}

/// Turns about the three axes (degrees; any number).
public struct Rotation3D: Sendable, Hashable, Codable {
    /// About the horizontal axis; positive takes the upper edge away from the viewer.
    public var x: Double
    /// About the vertical axis; positive takes the right edge away from the viewer.
    public var y: Double
    /// In the plane; positive is clockwise.
    public var z: Double

    public init(x: Double = 0, y: Double = 0, z: Double = 0) {
        (self.x, self.y, self.z) = (x, y, z)
    }

    public static let none = Rotation3D()
}
