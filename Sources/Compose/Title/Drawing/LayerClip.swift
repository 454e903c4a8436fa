internal import Media

/// The bounds of a layer that cuts off what lies outside of them.
struct LayerClip {
    let bounds: Rectangle
    /// From the layer's coordinates to the render area's.
    let map: Homography

    /// Edges between whole pixels (1/pixel), as letters are placed.
    private static let steps = 8.0

    /// Its corners in the render area (pixels); nil where one lies behind the eye: nothing is cut off then.
    var corners: [Point]? {
        let corners = bounds.corners
        guard corners.allSatisfy({ map.depth($0) > 1e-6 }) else { return nil }
        return corners.map(map.apply).map {
            Point(
                x: ($0.x * Self.steps).rounded() / Self.steps,
                y: ($0.y * Self.steps).rounded() / Self.steps)
        }
    }
}

/// What is left of a drawn tile by the layers that cut it.
struct TileClip: Hashable {
    /// Each in pixels of the part that is left.
    let areas: [[Point]]
    /// The part that is left (pixels of the tile).
    let x: Int
    let y: Int
    let width: Int
    let height: Int

    /// What is left of a tile.
    enum Outcome {
        case whole
        case nothing
        case part(TileClip)
    }

    static func outcome(_ clips: [LayerClip], of tile: OverlayTile) -> Outcome {
        let whole = Rectangle(
            x: Double(tile.x), y: Double(tile.y), width: Double(tile.image.width),
            height: Double(tile.image.height))
        var left = whole
        var cutting: [[Point]] = []
        for corners in clips.compactMap(\.corners) {
            let box = Rectangle(holding: corners)
            if box.isUpright(corners), box.contains(whole) { continue }
            left = left.common(with: box)
            cutting.append(corners)
        }
        guard !cutting.isEmpty else { return .whole }
        guard left.width > 0, left.height > 0 else { return .nothing }
        let (x, y) = (Int(left.x.rounded(.down)), Int(left.y.rounded(.down)))
        let right = Int((left.x + left.width).rounded(.up))
        let bottom = Int((left.y + left.height).rounded(.up))
        return .part(
            TileClip(
                areas: cutting.map { area in
                    area.map { Point(x: $0.x - Double(x), y: $0.y - Double(y)) }
                }, x: x - tile.x, y: y - tile.y, width: right - x, height: bottom - y))
    }
}

extension Rectangle {
    /// The smallest upright one around points.
    fileprivate init(holding points: [Point]) {
        let (x, y) = (points.map(\.x), points.map(\.y))
        let (left, top) = (x.min() ?? 0, y.min() ?? 0)
        self.init(x: left, y: top, width: (x.max() ?? 0) - left, height: (y.max() ?? 0) - top)
    }

    /// Whether the points are its own corners.
    fileprivate func isUpright(_ points: [Point]) -> Bool {
        points.allSatisfy {
            ($0.x == x || $0.x == x + width) && ($0.y == y || $0.y == y + height)
        }
    }

    fileprivate func contains(_ other: Rectangle) -> Bool {
        other.x >= x && other.y >= y && other.x + other.width <= x + width
            && other.y + other.height <= y + height
    }

    fileprivate func common(with other: Rectangle) -> Rectangle {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return Rectangle(
            x: left, y: top, width: max(0, min(x + width, other.x + other.width) - left),
            height: max(0, min(y + height, other.y + other.height) - top))
    }
}
