/// What the numbers of a frame mean, in the code points of ITU-T H.273. 2 is "unspecified".
public struct ColorDescription: Sendable, Hashable, Codable {
    /// Colour primaries (H.273 table 2; 1 = BT.709, 5/6 = BT.601, 9 = BT.2020).
    public var primaries: UInt8
    /// Transfer characteristics (H.273 table 3; 1 = BT.709, 6 = BT.601, 13 = sRGB, 16 = PQ).
    public var transfer: UInt8
    /// Matrix coefficients (H.273 table 4; 0 = RGB, 1 = BT.709, 5/6 = BT.601, 9 = BT.2020).
    public var matrix: UInt8
    /// Whether the components use the full range of codes.
    public var range: Range

    public enum Range: String, Sendable, Hashable, Codable {
        /// 16…235 for luma at 8 bit.
        case limited
        /// 0…255 at 8 bit.
        case full
        case unspecified
    }

    public init(primaries: UInt8, transfer: UInt8, matrix: UInt8, range: Range) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.range = range
    }

    public static let unspecified = ColorDescription(
        primaries: 2, transfer: 2, matrix: 2, range: .unspecified)
    public static let bt709 = ColorDescription(
        primaries: 1, transfer: 1, matrix: 1, range: .limited)
    public static let bt601 = ColorDescription(
        primaries: 6, transfer: 6, matrix: 6, range: .limited)
    /// What MJPEG cameras deliver: sRGB primaries, BT.601 matrix, full range (JFIF).
    public static let jpeg = ColorDescription(primaries: 1, transfer: 13, matrix: 6, range: .full)
}
