/// A point of the plane, x right and y down (pixels, not necessarily whole).
public struct Point: Sendable, Hashable, Codable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        (self.x, self.y) = (x, y)
    }

    public static let zero = Point(x: 0, y: 0)
}

/// A width and a height (pixels, not necessarily whole).
public struct Size: Sendable, Hashable, Codable {
    /// Not negative.
    public var width: Double
    public var height: Double

    public init(width: Double, height: Double) {
        (self.width, self.height) = (width, height)
    }
}
