/// A rectangle, x right and y down (pixels, not necessarily whole).
public struct Rectangle: Sendable, Hashable, Codable {
    public var x: Double
    public var y: Double
    /// Not negative.
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}
