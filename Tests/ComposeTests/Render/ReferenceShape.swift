import Compose
import Media

/// The rounded rectangle of a decorated layer, by its definition: what lies in it, and how far off its outline a
/// place is (all in pixels of the frame).
struct ReferenceShape {
    private let toUpright: Transform2D
    private let left: Double
    private let top: Double
    /// Along its own sides, as it is shown.
    private let width: Double
    private let height: Double
    private let scale: (x: Double, y: Double)
    private let radius: Double

    init?(_ layer: SceneLayer, inset: Double = 0) {
        guard let back = layer.transform.inverse else { return nil }
        toUpright = back
        let size = layer.format.uprightSize
        let crop = layer.crop ?? Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        let map = layer.transform
        scale = (
            (map.a * map.a + map.b * map.b).squareRoot(),
            (map.c * map.c + map.d * map.d).squareRoot()
        )
        (left, top) = (crop.x + inset / scale.x, crop.y + inset / scale.y)
        width = crop.width * scale.x - 2 * inset
        height = crop.height * scale.y - 2 * inset
        let outer = min(
            layer.decoration.cornerRadius, crop.width * scale.x / 2, crop.height * scale.y / 2)
        radius = max(0, outer - inset)
        if width <= 0 || height <= 0 { return nil }
    }

    private func local(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        let point = toUpright.apply(x: x, y: y)
        return ((point.x - left) * scale.x, (point.y - top) * scale.y)
    }

    func holds(_ x: Double, _ y: Double) -> Bool {
        let point = local(x, y)
        guard point.x >= 0, point.y >= 0, point.x < width, point.y < height else { return false }
        let across = min(point.x, width - point.x)
        let down = min(point.y, height - point.y)
        guard across < radius, down < radius else { return true }
        let (dx, dy) = (radius - across, radius - down)
        return dx * dx + dy * dy <= radius * radius
    }

    /// From the nearest point of its outline: the circle around the nearest point of what the corners leave.
    func distance(_ x: Double, _ y: Double) -> Double {
        let point = local(x, y)
        let nearest = (
            x: max(radius, min(width - radius, point.x)),
            y: max(radius, min(height - radius, point.y))
        )
        let (dx, dy) = (point.x - nearest.x, point.y - nearest.y)
        if dx != 0 || dy != 0 { return (dx * dx + dy * dy).squareRoot() - radius }
        return -min(point.x, width - point.x, point.y, height - point.y)
    }
}
