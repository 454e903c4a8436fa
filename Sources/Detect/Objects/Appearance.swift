internal import Media

/// What something looks like, so that it is not taken for another that is near: how luma is distributed in each third of
/// its height. A value.
struct Appearance: Sendable, Equatable {
    private static let bands = 3
    private static let levels = 16
    /// Points that are looked at, across and down (count).
    private static let grid = 24

    /// Parts of each band's points, by luma; those of a band are 1 together.
    private(set) var parts: [Double]

    /// - Parameter parts: of each band and level, as this value has them.
    init(parts: [Double]) { self.parts = parts }

    /// - Parameters:
    ///   - plane: luma.
    ///   - x: the columns of the box around it.
    ///   - y: the rows.
    init(of plane: PixelPlane, x: Range<Int>, y: Range<Int>) {
        parts = [Double](repeating: 0, count: Self.bands * Self.levels)
        let (grid, levels) = (Self.grid, Self.levels)
        let share = Double(Self.bands) / Double(grid * grid)
        for row in 0..<grid {
            // the corners of a box show what lies behind it
            let line = plane.row(Self.place(row, of: y))
            let band = row * Self.bands / grid * levels
            for column in 0..<grid {
                let level =
                    Double(line[Self.place(column, of: x)]) * Double(levels - 1) / 255
                let lower = min(Int(level), levels - 2)
                let part = level - Double(lower)
                parts[band + lower] += share * (1 - part)
                parts[band + lower + 1] += share * part
            }
        }
    }

    /// The middle four fifths of a side.
    private static func place(_ step: Int, of range: Range<Int>) -> Int {
        let part = 0.1 + 0.8 * (Double(step) + 0.5) / Double(grid)
        return range.lowerBound + min(Int(part * Double(range.count)), range.count - 1)
    }

    /// How much of one does not look like the other (0 to 1).
    func difference(from other: Appearance) -> Double {
        let sum = zip(parts, other.parts).reduce(0) { $0 + abs($1.0 - $1.1) }
        return sum / Double(2 * Self.bands)
    }

    /// Becomes more like what is seen now: light changes slowly.
    mutating func follow(_ other: Appearance, by share: Double) {
        parts = zip(parts, other.parts).map { $0 + ($1 - $0) * share }
    }
}
