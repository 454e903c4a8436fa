internal import Media

/// A place in an upright frame, in parts of it: 0, 0 is its top left corner, 1, 1 its bottom right one. So it stays
/// where it is when the frame is scaled.
public struct NormalizedPoint: Sendable, Hashable {
    /// From the left (parts of the width; a code that reaches over the edge may lie a little outside 0…1).
    public var x: Double
    /// From the top (parts of the height; as `x`).
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A part of an upright frame, in parts of it, from its top left corner.
public struct NormalizedRect: Sendable, Hashable {
    /// Of its left edge (parts of the frame's width).
    public var x: Double
    /// Of its upper edge (parts of the frame's height).
    public var y: Double
    /// (Parts of the frame's width.)
    public var width: Double
    /// (Parts of the frame's height.)
    public var height: Double

    /// All of a frame.
    public static let whole = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether it is a part of a frame: not empty and within it.
    public var isPart: Bool {
        [x, y, width, height].allSatisfy(\.isFinite) && x >= 0 && y >= 0 && width > 0 && height > 0
            && x + width <= 1 + 1e-9 && y + height <= 1 + 1e-9
    }

    /// - Throws: `invalidSetting` where it is no part of a frame that can be looked at.
    func requirePart() throws(MediaError) {
        guard isPart else {
            throw MediaError(
                code: .invalidSetting, subject: "rectOfInterest",
                message: "Cannot look at a rectangle that is not in the frame: its sides are parts "
                    + "of the frame's, from 0 to 1.")
        }
    }

    /// The smallest that holds all points; `whole` of none.
    init(around points: [NormalizedPoint]) {
        guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
            let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
        else {
            self = .whole
            return
        }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The pixels it covers of a frame, whole ones: a rectangle that is not empty where the frame is not.
    func pixels(width: Int, height: Int) -> (x: Range<Int>, y: Range<Int>) {
        func range(_ start: Double, _ length: Double, of size: Int) -> Range<Int> {
            let first = min(max(Int((start * Double(size)).rounded(.down)), 0), size - 1)
            let end = Int(((start + length) * Double(size)).rounded(.up))
            return first..<min(max(end, first + 1), size)
        }
        return (range(x, self.width, of: width), range(y, self.height, of: height))
    }
}
