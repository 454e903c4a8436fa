internal import Glibc

extension Rectangle {
    func union(_ other: Rectangle) -> Rectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Rectangle(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// Smaller by a distance on each side, larger for a negative one.
    func insetBy(_ distance: Double) -> Rectangle {
        Rectangle(
            x: x + distance, y: y + distance, width: max(0, width - 2 * distance),
            height: max(0, height - 2 * distance))
    }

    /// Top left, top right, bottom right, bottom left.
    var corners: [Point] {
        [
            Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height),
            Point(x: x, y: y + height),
        ]
    }

    /// A little larger, on a grid that sums of whole numbers do not leave.
    var onGrid: Rectangle {
        let (left, top) = ((x * 64).rounded(.down) / 64, (y * 64).rounded(.down) / 64)
        return Rectangle(
            x: left, y: top, width: ((x + width) * 64).rounded(.up) / 64 - left,
            height: ((y + height) * 64).rounded(.up) / 64 - top)
    }
}
