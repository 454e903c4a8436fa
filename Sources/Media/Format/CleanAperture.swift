/// The part of the stored frame that is meant to be seen; what is around it may be an edge's noise.
///
/// Source: ISO/IEC 14496-12, 12.1.4.
public struct CleanAperture: Sendable, Hashable {
    /// Size of the part (pixels; positive, within the stored frame).
    public var width: Int
    public var height: Int
    /// How far the part's middle is from the frame's (pixels; positive: to the right, down).
    public var horizontalOffset: Double
    public var verticalOffset: Double

    public init(
        width: Int, height: Int, horizontalOffset: Double = 0, verticalOffset: Double = 0
    ) {
        self.width = width
        self.height = height
        self.horizontalOffset = horizontalOffset
        self.verticalOffset = verticalOffset
    }

    /// Whether the part lies within a frame.
    package func fits(width: Int, height: Int) -> Bool {
        self.width > 0 && self.height > 0 && horizontalOffset.isFinite && verticalOffset.isFinite
            && Double(self.width) / 2 + horizontalOffset.magnitude <= Double(width) / 2
            && Double(self.height) / 2 + verticalOffset.magnitude <= Double(height) / 2
    }
}
