/// A frame rate as an exact fraction of frames per second.
public struct FrameRate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Frames (count; positive).
    public let numerator: Int32
    /// Per this many seconds (seconds; positive).
    public let denominator: Int32

    /// - Precondition: both parts are positive.
    public init(_ numerator: Int32, per denominator: Int32 = 1) {
        precondition(numerator > 0 && denominator > 0, "a frame rate must be positive")
        let divisor = Int32(greatestCommonDivisor(UInt64(numerator), UInt64(denominator)))
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    /// The nominal length of a frame (seconds).
    public var frameDuration: MediaTime {
        MediaTime(value: Int64(denominator), timescale: numerator)
    }

    /// Frames per second, for printing only.
    public var approximate: Double { Double(numerator) / Double(denominator) }

    public static func < (left: FrameRate, right: FrameRate) -> Bool {
        Int64(left.numerator) * Int64(right.denominator)
            < Int64(right.numerator) * Int64(left.denominator)
    }

    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}
