/// A value of a layer that can change over time, with its type.
public struct LayerKeyPath<Value: Animatable>: Sendable, Hashable {
    public let property: LayerProperty

    fileprivate init(_ property: LayerProperty) { self.property = property }
}

/// The values of a layer that can change over time.
public enum LayerProperty: String, Sendable, Hashable, CaseIterable, Codable {
    case opacity
    case position
    case positionX = "position.x"
    case positionY = "position.y"
    case scale
    case scaleX = "scale.x"
    case scaleY = "scale.y"
    case rotationX = "rotation.x"
    case rotationY = "rotation.y"
    case rotationZ = "rotation.z"
    case boundsSize = "bounds.size"
    case color
    case strokeColor = "stroke.color"
    case lineWidth = "stroke.width"
    case strokeStart = "stroke.start"
    case strokeEnd = "stroke.end"
    case textProgress = "text.progress"
}

extension LayerKeyPath where Value == Double {
    public static var opacity: Self { Self(.opacity) }
    public static var positionX: Self { Self(.positionX) }
    public static var positionY: Self { Self(.positionY) }
    public static var scaleX: Self { Self(.scaleX) }
    public static var scaleY: Self { Self(.scaleY) }
    /// Degrees.
    public static var rotationX: Self { Self(.rotationX) }
    /// Degrees.
    public static var rotationY: Self { Self(.rotationY) }
    /// Degrees.
    public static var rotationZ: Self { Self(.rotationZ) }
    /// A shape's stroke or a text's outline (pixels).
    public static var lineWidth: Self { Self(.lineWidth) }
    /// A shape's.
    public static var strokeStart: Self { Self(.strokeStart) }
    /// A shape's.
    public static var strokeEnd: Self { Self(.strokeEnd) }
    /// A text's, where it has one.
    public static var textProgress: Self { Self(.textProgress) }
}

extension LayerKeyPath where Value == Point {
    public static var position: Self { Self(.position) }
    public static var scale: Self { Self(.scale) }
}

extension LayerKeyPath where Value == Size {
    public static var boundsSize: Self { Self(.boundsSize) }
}

extension LayerKeyPath where Value == Color {
    /// A text's letters, a solid, a shape's inside.
    public static var color: Self { Self(.color) }
    /// A shape's stroke or a text's outline.
    public static var strokeColor: Self { Self(.strokeColor) }
}

/// A value that is made of numbers, each of which is interpolated by itself.
public protocol Animatable: Sendable, Hashable {
    var components: [Double] { get }
    /// - Parameter components: as many as `components` gives.
    init(components: [Double])
}

extension Double: Animatable {
    public var components: [Double] { [self] }
    public init(components: [Double]) { self = components[0] }
}

extension Point: Animatable {
    public var components: [Double] { [x, y] }
    public init(components: [Double]) { self.init(x: components[0], y: components[1]) }
}

extension Size: Animatable {
    public var components: [Double] { [width, height] }
    public init(components: [Double]) { self.init(width: components[0], height: components[1]) }
}

extension Color: Animatable {
    public var components: [Double] { [red, green, blue, alpha] }
    public init(components: [Double]) {
        self.init(
            red: components[0], green: components[1], blue: components[2], alpha: components[3])
    }
}
