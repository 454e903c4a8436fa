internal import Media

/// The rectangle of a layer with its round corners, somewhere in the frame.
struct LayerShape {
    /// From the frame to the shape: pixels from its middle, along its sides.
    private let map: Transform2D
    private let halfWidth: Double
    private let halfHeight: Double
    private let radius: Double
    /// The smallest rectangle of the frame that holds it.
    let bounds: LayerPlacement.Bounds

    /// Nil where nothing of the frame is left.
    init?(_ layer: SceneLayer, _ placement: LayerPlacement) {
        let size = layer.format.uprightSize
        let crop = layer.crop ?? Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        let (left, top) = (max(0, crop.x), max(0, crop.y))
        let right = min(size.width, crop.x + crop.width)
        let bottom = min(size.height, crop.y + crop.height)
        guard left < right, top < bottom else { return nil }
        let transform = layer.transform
        let across = (transform.a * transform.a + transform.b * transform.b).squareRoot()
        let down = (transform.c * transform.c + transform.d * transform.d).squareRoot()
        map = placement.toUpright
            .followed(by: .translation(x: -(left + right) / 2, y: -(top + bottom) / 2))
            .followed(by: .scale(x: across, y: down))
        halfWidth = (right - left) / 2 * across
        halfHeight = (bottom - top) / 2 * down
        radius = max(0, min(layer.decoration.cornerRadius, halfWidth, halfHeight))
        bounds = LayerPlacement.bounds(
            of: .init(left: left, top: top, right: right, bottom: bottom), transform)
    }

    /// A rectangle of the frame with round corners (pixels); nil where it has no size.
    init?(_ rectangle: Rectangle, cornerRadius: Double) {
        guard rectangle.width > 0, rectangle.height > 0 else { return nil }
        (halfWidth, halfHeight) = (rectangle.width / 2, rectangle.height / 2)
        map = .translation(x: -rectangle.x - halfWidth, y: -rectangle.y - halfHeight)
        radius = max(0, min(cornerRadius, halfWidth, halfHeight))
        bounds = .init(
            left: rectangle.x, top: rectangle.y, right: rectangle.x + rectangle.width,
            bottom: rectangle.y + rectangle.height)
    }

    /// - Parameter map: from the frame to the shape: pixels from its middle, along its sides.
    init(
        map: Transform2D, halfWidth: Double, halfHeight: Double, radius: Double,
        bounds: LayerPlacement.Bounds
    ) {
        (self.map, self.halfWidth, self.halfHeight) = (map, halfWidth, halfHeight)
        (self.radius, self.bounds) = (radius, bounds)
    }

    /// From its edge to its middle, the shorter way (pixels).
    var reach: Double { min(halfWidth, halfHeight) }

    /// Without a margin inside its edge; nil: nothing is left of it.
    func inset(by margin: Double) -> LayerShape? {
        guard margin < min(halfWidth, halfHeight) else { return nil }
        return LayerShape(
            map: map, halfWidth: halfWidth - margin, halfHeight: halfHeight - margin,
            radius: max(0, radius - margin), bounds: bounds)
    }

    /// The same shape elsewhere in the frame (pixels).
    func moved(x: Double, y: Double) -> LayerShape {
        LayerShape(
            map: Transform2D.translation(x: -x, y: -y).followed(by: map), halfWidth: halfWidth,
            halfHeight: halfHeight, radius: radius, bounds: bounds.moved(x: x, y: y))
    }

    /// Whether all of a rectangle from the frame's corner on lies in it, and out of its soft edge.
    func holds(width: Int, height: Int, softness: Double) -> Bool {
        [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].allSatisfy { corner in
            let place = map.apply(x: corner.0 * Double(width), y: corner.1 * Double(height))
            // a thousandth of a pixel is the noise of arithmetic
            return Double(outline.distance(Float(place.x), Float(place.y)).value) <= 1e-3 - softness
        }
    }

    /// How much of a plane's samples lies in it.
    /// - Parameters:
    ///   - blur: how far the edge fades to either side (pixels of the frame).
    ///   - softness: over how much the edge goes from 1 to 0, inwards, in the place of a blur (pixels).
    ///   - isOutside: what lies outside of it instead.
    ///   - hole: a shape inside of it that is left out.
    func mask(
        _ plane: FrameGrid.Plane, blur: Double = 0, softness: Double = 0, isOutside: Bool = false,
        hole: LayerShape? = nil
    ) -> ShapeMask {
        let (across, down) = (Double(plane.across), Double(plane.down))
        // the middle of what a sample covers, as of the edges of other layers
        let samples = Transform2D(
            a: across, b: 0, c: 0, d: down, tx: across / 2, ty: down / 2
        ).followed(by: map)
        let footprint = max(
            samples.a.magnitude + samples.c.magnitude, samples.b.magnitude + samples.d.magnitude)
        return ShapeMask(
            samples: samples, outline: outline, hole: hole?.outline,
            blur: 2 * blur > footprint ? Float(blur) : 0,
            softness: softness > footprint ? Float(softness) : 0, reach: Float(footprint),
            isOutside: isOutside)
    }

    private var outline: ShapeMask.Outline {
        ShapeMask.Outline(
            innerX: Float(halfWidth - radius), innerY: Float(halfHeight - radius),
            radius: Float(radius))
    }
}

/// How much of each sample of a plane lies in a shape, or outside of it.
struct ShapeMask: RowMask {
    /// Around the middle (pixels): what is left without the corners' circles, and their radius.
    struct Outline {
        let innerX: Float
        let innerY: Float
        let radius: Float

        var isCircle: Bool { innerX == 0 && innerY == 0 }

        /// How far outside of it a point is, and which way that grows.
        @inline(__always)
        func distance(_ u: Float, _ v: Float) -> (value: Float, alongU: Float, alongV: Float) {
            let (qx, qy) = (u.magnitude - innerX, v.magnitude - innerY)
            if qx > 0, qy > 0 {
                let length = (qx * qx + qy * qy).squareRoot()
                return (
                    length - radius, u < 0 ? -qx / length : qx / length,
                    v < 0 ? -qy / length : qy / length
                )
            }
            return qx > qy ? (qx - radius, 1, 0) : (qy - radius, 0, 1)
        }
    }

    /// From a sample's column and row to the shape.
    let samples: Transform2D
    let outline: Outline
    let hole: Outline?
    /// How far the edge fades to either side, like a shadow, without a bend at either end; 0: it is sharp (pixels).
    let blur: Float
    /// Over how much the edge goes from 1 to 0, inwards, in equal steps; 0: it does not (pixels).
    let softness: Float
    /// How far from an edge it touches a sample at most (pixels).
    let reach: Float
    let isOutside: Bool

    /// Multiplies the weights of a row's samples.
    func cut(_ weights: UnsafeMutablePointer<UInt16>, row: Int, columns: Range<Int>) {
        let start = samples.apply(x: Double(columns.lowerBound), y: Double(row))
        let (u0, v0) = (Float(start.x), Float(start.y))
        let (du, dv) = (Float(samples.a), Float(samples.b))
        let (eu, ev) = (Float(samples.c), Float(samples.d))
        if softness > 0, outline.isCircle, hole == nil, dv == 0 {
            return cutCircle(weights, columns.count, u0, v0, du)
        }
        for x in 0..<columns.count {
            let (u, v) = (u0 + du * Float(x), v0 + dv * Float(x))
            var share = share(outline, u, v, du, dv, eu, ev)
            if let hole { share -= self.share(hole, u, v, du, dv, eu, ev) }
            if isOutside { share = 1 - share }
            weights[x] = UInt16(Float(weights[x]) * max(0, share) + 0.5)
        }
    }

    /// The same of a soft circle, whose samples need no case of their own.
    private func cutCircle(
        _ weights: UnsafeMutablePointer<UInt16>, _ count: Int, _ u0: Float, _ v0: Float,
        _ du: Float
    ) {
        let (radius, scale, square) = (outline.radius, 1 / softness, v0 * v0)
        let (base, sign): (Float, Float) = isOutside ? (1, -1) : (0, 1)
        for x in 0..<count {
            let u = u0 + du * Float(x)
            let value = (radius - (u * u + square).squareRoot()) * scale
            let share: Float = value > 0 ? (value < 1 ? value : 1) : 0
            weights[x] = BlendKernels.whole(Float(weights[x]) * (base + sign * share))
        }
    }

    /// - Parameters:
    ///   - du: how far the next sample to the right lies along the shape's sides (pixels), with `dv`.
    ///   - eu: the same of the next one below, with `ev`.
    @inline(__always)
    private func share(
        _ outline: Outline, _ u: Float, _ v: Float, _ du: Float, _ dv: Float, _ eu: Float,
        _ ev: Float
    ) -> Float {
        let (distance, alongU, alongV) = outline.distance(u, v)
        if blur > 0 {
            let part = max(0, min(1, 0.5 - distance / (2 * blur)))
            return part * part * (3 - 2 * part)
        }
        if softness > 0 { return max(0, min(1, -distance / softness)) }
        if distance <= -reach { return 1 }
        if distance >= reach { return 0 }
        // the part of a rectangle that a straight edge leaves
        let across = (alongU * du + alongV * dv).magnitude
        let down = (alongU * eu + alongV * ev).magnitude
        let (wide, narrow) = (max(across, down), min(across, down))
        let off = distance.magnitude
        if off >= (wide + narrow) / 2 { return distance < 0 ? 1 : 0 }
        if off <= (wide - narrow) / 2 { return 0.5 - distance / wide }
        let rest = (wide + narrow) / 2 - off
        let corner = rest * rest / (2 * wide * narrow)
        return distance < 0 ? 1 - corner : corner
    }
}

extension LayerPlacement.Bounds {
    func moved(x: Double, y: Double) -> Self {
        Self(left: left + x, top: top + y, right: right + x, bottom: bottom + y)
    }

    func grown(by margin: Double) -> Self {
        Self(
            left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }
}
