internal import Glibc
internal import Media

/// Where a layer's contents lie in the render area: whole pixels, and the rest.
struct Placement {
    /// All of it that changes the pixels drawn.
    struct Shape: Hashable {
        /// From the layer's coordinates to the tile's pixels.
        let map: Homography
        let width: Int
        let height: Int
    }

    /// Positions of letters between whole pixels (1/pixel): finer ones cannot be distinguished.
    private static let steps = 8.0

    /// Top left corner of the tile (pixels of the render area).
    let x: Int
    let y: Int
    let shape: Shape

    /// - Parameters:
    ///   - extent: what the drawing can touch (the layer's coordinates).
    /// - Returns: nil where nothing of it lies in the render area.
    init?(_ map: Homography, of extent: Rectangle, in size: PixelSize) {
        var map = map
        guard map.inverse != nil else { return nil }
        if let flat = map.affine(within: extent) { map = Self.stepped(flat) }
        guard let box = Self.box(map, extent, size) else { return nil }
        (x, y) = (box.left, box.top)
        shape = Shape(
            map: map.followed(by: .translation(-Double(box.left), -Double(box.top))),
            width: box.right - box.left, height: box.bottom - box.top)
    }

    private static func stepped(_ map: Transform2D) -> Homography {
        func fine(_ number: Double) -> Double { (number * 0x1p24).rounded() * 0x1p-24 }
        func place(_ number: Double) -> Double { (number * steps).rounded() / steps }
        return Homography([
            fine(map.a), fine(map.c), place(map.tx), fine(map.b), fine(map.d), place(map.ty), 0, 0,
            1,
        ])
    }

    private struct Box {
        var left: Int
        var top: Int
        var right: Int
        var bottom: Int
    }

    private static func box(
        _ map: Homography, _ extent: Rectangle, _ size: PixelSize
    ) -> Box? {
        let area = Box(left: 0, top: 0, right: size.width, bottom: size.height)
        let corners = extent.corners
        let behind = corners.filter { map.depth($0) <= 1e-6 }
        if behind.count == corners.count { return nil }
        guard behind.isEmpty else { return area }
        let points = corners.map(map.apply)
        guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
            let top = points.map(\.y).min(), let bottom = points.map(\.y).max(),
            right >= 0, bottom >= 0, left <= Double(size.width), top <= Double(size.height)
        else { return nil }
        // far beyond any picture: only what shows
        let reach = 1e6
        guard left > -reach, top > -reach, right < reach, bottom < reach else { return area }
        let whole = Box(
            left: Int(left.rounded(.down)), top: Int(top.rounded(.down)),
            right: max(Int(right.rounded(.up)), Int(left.rounded(.down)) + 1),
            bottom: max(Int(bottom.rounded(.up)), Int(top.rounded(.down)) + 1))
        let pixels = (whole.right - whole.left) * (whole.bottom - whole.top)
        guard
            pixels > 2 * size.width * size.height
                || max(whole.right - whole.left, whole.bottom - whole.top) > Canvas.maximumSide
        else { return whole }
        return Box(
            left: max(whole.left, 0), top: max(whole.top, 0), right: min(whole.right, size.width),
            bottom: min(whole.bottom, size.height))
    }
}
