/// Width and height of a frame (pixels).
public struct PixelSize: Sendable, Hashable, Codable, CustomStringConvertible {
    public var width: Int
    public var height: Int

    public init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

    public init(width: Int, height: Int) { self.init(width, height) }

    public var description: String { "\(width)x\(height)" }
    public var area: Int { width * height }
}
