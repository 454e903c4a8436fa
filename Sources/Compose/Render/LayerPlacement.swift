internal import LibAV
internal import Media

/// How a stored picture lies in the frame.
struct LayerPlacement {
    /// From the stored picture to the frame.
    let map: Transform2D
    /// From the frame to the upright picture, where the crop is measured.
    let toUpright: Transform2D
    /// The picture's corners in the frame: the smallest rectangle that holds them.
    let bounds: Bounds
    /// Set where the frame is only scaled, shifted, mirrored or rotated by quarters.
    let orientation: VideoOrientation?

    struct Bounds {
        var left: Double
        var top: Double
        var right: Double
        var bottom: Double
    }

    /// Nil where nothing can be seen: a map that flattens the plane, or numbers past all sense.
    init?(_ layer: SceneLayer) {
        let map = layer.format.uprightTransform.followed(by: layer.transform)
        let numbers = [map.a, map.b, map.c, map.d, map.tx, map.ty]
        guard numbers.allSatisfy({ $0.isFinite && $0.magnitude < 1e6 }),
            let toUpright = layer.transform.inverse, map.inverse != nil
        else { return nil }
        self.map = map
        self.toUpright = toUpright
        orientation = map.orientation
        bounds = Self.bounds(
            of: Bounds(
                left: 0, top: 0, right: Double(layer.format.width),
                bottom: Double(layer.format.height)), map)
    }

    static func bounds(of area: Bounds, _ map: Transform2D) -> Bounds {
        let corners = [
            map.apply(x: area.left, y: area.top), map.apply(x: area.right, y: area.top),
            map.apply(x: area.left, y: area.bottom), map.apply(x: area.right, y: area.bottom),
        ]
        var result = Bounds(
            left: corners[0].x, top: corners[0].y, right: corners[0].x, bottom: corners[0].y)
        for corner in corners.dropFirst() {
            result.left = min(result.left, corner.x)
            result.top = min(result.top, corner.y)
            result.right = max(result.right, corner.x)
            result.bottom = max(result.bottom, corner.y)
        }
        // a millionth of a pixel is the noise of arithmetic
        func snapped(_ value: Double) -> Double {
            (value - value.rounded()).magnitude < 1e-6 ? value.rounded() : value
        }
        return Bounds(
            left: snapped(result.left), top: snapped(result.top), right: snapped(result.right),
            bottom: snapped(result.bottom))
    }
}

/// The edges of a layer as ramps over a plane's samples.
struct LayerEdges {
    private let plane: FrameGrid.Plane

    init(_ plane: FrameGrid.Plane) { self.plane = plane }

    /// The ramps at the edges of a stored frame.
    func picture(_ placement: LayerPlacement, _ format: VideoFormat) -> [Coverage.Ramp] {
        guard placement.orientation == nil, let back = placement.map.inverse else {
            let bounds = placement.bounds
            return [
                edge(1, 0, -bounds.left, softness: 0), edge(-1, 0, bounds.right, softness: 0),
                edge(0, 1, -bounds.top, softness: 0), edge(0, -1, bounds.bottom, softness: 0),
            ]
        }
        let (width, height) = (Double(format.width), Double(format.height))
        return [
            edge(back.a, back.c, back.tx, softness: 0),
            edge(-back.a, -back.c, width - back.tx, softness: 0),
            edge(back.b, back.d, back.ty, softness: 0),
            edge(-back.b, -back.d, height - back.ty, softness: 0),
        ]
    }

    /// The ramps of a crop. An edge that lies on the frame's own cuts nothing of the frame and is not
    /// soft; it does cut the layer's fill.
    func crop(_ layer: SceneLayer, _ placement: LayerPlacement) -> [Coverage.Ramp] {
        guard let crop = layer.crop else { return [] }
        let size = layer.format.uprightSize
        let up = placement.toUpright
        let (right, bottom) = (crop.x + crop.width, crop.y + crop.height)
        func ramp(_ ax: Double, _ ay: Double, _ offset: Double, isOwn: Bool) -> [Coverage.Ramp] {
            if isOwn && layer.fill == .none { return [] }
            return [edge(ax, ay, offset, softness: isOwn ? 0 : max(0, layer.softness))]
        }
        return ramp(up.a, up.c, up.tx - crop.x, isOwn: crop.x == 0)
            + ramp(-up.a, -up.c, right - up.tx, isOwn: right == size.width)
            + ramp(up.b, up.d, up.ty - crop.y, isOwn: crop.y == 0)
            + ramp(-up.b, -up.d, bottom - up.ty, isOwn: bottom == size.height)
    }

    /// The ramp of the half plane where `ax·x + ay·y + offset`, a distance in the frame, is positive.
    ///
    /// A soft edge rises over `softness` of that distance; a hard one, or one softer than nothing a
    /// sample can show, over the sample's own width with its middle on the edge.
    private func edge(_ ax: Double, _ ay: Double, _ offset: Double, softness: Double)
        -> Coverage.Ramp
    {
        let (across, down) = (Double(plane.across), Double(plane.down))
        // the distance at the middle of what sample (0, 0) covers, and its steps by column and row
        var k0 = offset + ax * across / 2 + ay * down / 2
        var (kx, ky) = (ax * across, ay * down)
        let footprint = kx.magnitude + ky.magnitude
        guard footprint > 0 else { return Coverage.Ramp(k0: k0 > 0 ? 1 : 0, kx: 0, ky: 0) }
        let width = max(softness, footprint)
        (k0, kx, ky) = (k0 / width, kx / width, ky / width)
        if softness < footprint { k0 += 0.5 }
        return Coverage.Ramp(k0: k0, kx: kx, ky: ky)
    }
}
