internal import LibAV
internal import Media

/// Turns layers into operations: decides what is conformed, where it is placed and what covers what.
/// Thread-bound.
struct LayerPlanner {
    let grid: FrameGrid
    let store: ConformStore
    let masks: MaskStore
    let areas: AreaStore

    /// The layer's operation; nil where it shows nothing.
    /// - Parameter mask: what of the frame it may show.
    func operation(
        for layer: SceneLayer, _ mask: FrameMask = .everything
    ) throws(MediaError) -> FrameOperation? {
        let opacity = Float(BlendKernels.weight(layer.opacity)) / Float(BlendKernels.one)
        guard opacity > 0, layer.crop.map(Self.shows) ?? true else { return nil }
        guard layer.picture.width == layer.format.width,
            layer.picture.height == layer.format.height,
            layer.picture.format == layer.format.pixelFormat
        else {
            throw MediaError(
                code: .unsupported, subject: "a layer",
                message:
                    "Cannot compose a frame of \(layer.picture.width)x\(layer.picture.height)"
                    + " that is described as \(layer.format.width)x\(layer.format.height);"
                    + " describe the frame as it is.")
        }
        guard let placement = LayerPlacement(layer) else { return nil }
        let fill = try fill(of: layer)
        guard var source = try samples(of: layer, placement, fill) else { return nil }
        source.picture = try areas.changed(source.picture, work(on: layer, placement, source))
        var planes: [FrameOperation.Plane] = []
        for (index, plane) in grid.planes.enumerated() {
            planes.append(
                self.plane(
                    index, plane, layer, placement, source, fill?.rows(index), mask.rows(index)))
        }
        guard planes.contains(where: { !$0.rows.isEmpty || $0.fill != nil }) else { return nil }
        return finished(planes, layer, opacity, source, fill)
    }

    private func finished(
        _ planes: [FrameOperation.Plane], _ layer: SceneLayer, _ opacity: Float, _ source: Source,
        _ fill: LayerFill?
    ) -> FrameOperation {
        let isWhole = zip(planes, grid.planes).allSatisfy { work, plane in
            work.columns == 0..<plane.columns && work.rows == 0..<plane.rows && work.edges.isFull
                && work.alpha == nil
        }
        let isOuterWhole = planes.allSatisfy { $0.fill != nil && $0.outerEdges.isFull }
        var operation = FrameOperation(
            opacity: opacity, planes: planes,
            holders: [source.picture] + (fill?.picture.map { [$0] } ?? []),
            isCovering: opacity == 1 && (fill == nil ? isWhole : isOuterWhole))
        let frame = source.picture.picture
        if operation.isCovering, isWhole, source.map == nil, source.column == 0, source.row == 0,
            frame.width == grid.width, frame.height == grid.height
        {
            operation.whole = frame
        }
        return operation
    }

    /// A picture on the target's grid and how it lies in the frame.
    private struct Source {
        var picture: PlacedImage
        /// Where its upper left pixel lies (pixels of the frame), where `map` is nil.
        var column = 0
        var row = 0
        /// From the frame to the picture, where it must be sampled.
        var map: Transform2D?
    }

    /// What is done to areas of the picture.
    private func work(
        on layer: SceneLayer, _ placement: LayerPlacement, _ source: Source
    ) -> AreaStore.Work {
        let toFrame =
            source.map?.inverse
            ?? .translation(x: Double(source.column), y: Double(source.row))
        return work(
            on: layer, toUpright: toFrame.followed(by: placement.toUpright),
            shown: layer.shownArea)
    }

    private func work(
        on layer: SceneLayer, toUpright: Transform2D, shown: FrameArea?
    ) -> AreaStore.Work {
        AreaStore.Work(
            effects: layer.effects.filter { !($0.area?.isNothing ?? false) }, shown: shown,
            toUpright: toUpright, upright: layer.format.uprightSize)
    }

    private func samples(
        of layer: SceneLayer, _ placement: LayerPlacement, _ fill: LayerFill?
    ) throws(MediaError) -> Source? {
        let isPlain = FrameConformer.changesNothing(from: layer.format, to: grid.format)
        guard let orientation = placement.orientation else {
            return try sheared(layer, placement, isPlain: isPlain)
        }
        let bounds = placement.bounds
        let isInside =
            bounds.right > 0 && bounds.bottom > 0 && bounds.left < Double(grid.width)
            && bounds.top < Double(grid.height)
        guard isInside else {
            // nothing of it is sampled, but its fill shows
            let nothing = PixelBuffer(width: grid.stepX, height: grid.stepY, format: grid.pixels)
            return fill == nil ? nil : Source(picture: PlacedImage(nothing))
        }
        if isPlain, orientation == .upright, let place = wholePlace(bounds, layer) {
            return Source(picture: try store.own(layer), column: place.x, row: place.y)
        }
        let area = conformedArea(bounds)
        guard let region = region(area, layer, placement) else { return nil }
        let request = ConformStore.Request(
            format: layer.format, width: Int(area.right - area.left),
            height: Int(area.bottom - area.top),
            region: FrameConformer.Region(
                left: region.left, top: region.top, width: region.right - region.left,
                height: region.bottom - region.top), orientation: orientation)
        return Source(
            picture: try store.picture(of: layer, request), column: Int(area.left),
            row: Int(area.top))
    }

    /// Where a frame of the target's own format lies if no sample must be computed.
    private func wholePlace(
        _ bounds: LayerPlacement.Bounds, _ layer: SceneLayer
    ) -> (x: Int, y: Int)? {
        let (x, y) = (bounds.left, bounds.top)
        guard bounds.right - x == Double(layer.format.width),
            bounds.bottom - y == Double(layer.format.height), x == x.rounded(), y == y.rounded(),
            Int(x) % grid.stepX == 0, Int(y) % grid.stepY == 0
        else { return nil }
        return (Int(x), Int(y))
    }

    /// The rectangle of the frame, in whole steps of the chroma grid, for which a picture is conformed: all
    /// of it, so that moving it by whole pixels needs no other, or what is in sight where it is much larger.
    private func conformedArea(_ bounds: LayerPlacement.Bounds) -> LayerPlacement.Bounds {
        var area = bounds
        let size = (bounds.right - bounds.left) * (bounds.bottom - bounds.top)
        if size > 2 * Double(grid.width * grid.height) || bounds.right - bounds.left > 16_000
            || bounds.bottom - bounds.top > 16_000
        {
            area.left = max(area.left, 0)
            area.top = max(area.top, 0)
            area.right = min(area.right, Double(grid.width))
            area.bottom = min(area.bottom, Double(grid.height))
        }
        let (x, y) = (Double(grid.stepX), Double(grid.stepY))
        area.left = (area.left / x).rounded(.down) * x
        area.top = (area.top / y).rounded(.down) * y
        area.right = (area.right / x).rounded(.up) * x
        area.bottom = (area.bottom / y).rounded(.up) * y
        return area
    }

    /// What of the stored picture fills an area of the frame. A picture thinner than a sample is all in it:
    /// what lies beside it would be far outside.
    private func region(
        _ area: LayerPlacement.Bounds, _ layer: SceneLayer, _ placement: LayerPlacement
    ) -> LayerPlacement.Bounds? {
        guard let back = placement.map.inverse else { return nil }
        let bounds = placement.bounds
        var result = LayerPlacement.bounds(of: area, back)
        let isThin = (
            bounds.right - bounds.left < Double(grid.stepX),
            bounds.bottom - bounds.top < Double(grid.stepY)
        )
        let swaps = placement.orientation?.swapsAxes ?? false
        if swaps ? isThin.1 : isThin.0 {
            (result.left, result.right) = (0, Double(layer.format.width))
        }
        if swaps ? isThin.0 : isThin.1 {
            (result.top, result.bottom) = (0, Double(layer.format.height))
        }
        return result
    }

    private static func shows(_ crop: Rectangle) -> Bool {
        crop.width > 0 && crop.height > 0
            && [crop.x, crop.y, crop.width, crop.height].allSatisfy { $0.magnitude < 1e9 }
    }

    /// A rotated or sheared frame: conformed at its own size, or smaller where it is shown smaller, and
    /// sampled from there.
    private func sheared(
        _ layer: SceneLayer, _ placement: LayerPlacement, isPlain: Bool
    ) throws(MediaError) -> Source? {
        let map = placement.map
        // at least one sample of each plane is left
        let least = (
            Double(grid.stepX) / Double(layer.format.width),
            Double(grid.stepY) / Double(layer.format.height)
        )
        let across = min(1, max(least.0, (map.a * map.a + map.b * map.b).squareRoot()))
        let down = min(1, max(least.1, (map.c * map.c + map.d * map.d).squareRoot()))
        let shrunk = Transform2D.scale(x: across, y: down)
        guard let back = map.inverse?.followed(by: shrunk) else { return nil }
        if isPlain, across == 1, down == 1 {
            return Source(picture: try store.own(layer), map: back)
        }
        func even(_ value: Double, _ step: Int) -> Int {
            max(1, Int((value / Double(step) - 1e-6).rounded(.up))) * step
        }
        let width = even(Double(layer.format.width) * across, grid.stepX)
        let height = even(Double(layer.format.height) * down, grid.stepY)
        let request = ConformStore.Request(
            format: layer.format, width: width, height: height,
            region: FrameConformer.Region(
                left: 0, top: 0, width: Double(width) / across, height: Double(height) / down))
        return Source(picture: try store.picture(of: layer, request), map: back)
    }

    /// What lies under the layer, over the whole frame.
    private func fill(of layer: SceneLayer) throws(MediaError) -> LayerFill? {
        switch layer.fill {
        case .none: return nil
        case .color(let color):
            let codes = ColorCodes(grid.format.color, depth: grid.pixels.bitDepth)
            return .color(codes.codes(color))
        case .blurred(let radius):
            return try blurred(layer, radius).map { .picture($0) }
        }
    }

    private func blurred(
        _ layer: SceneLayer, _ radius: Double
    ) throws(MediaError) -> PlacedImage? {
        guard radius.isFinite, radius > 0 else {
            throw MediaError(
                code: .invalidSetting, subject: "a blurred fill",
                message: "Cannot blur by \(radius) pixels; give a positive radius.")
        }
        let size = layer.format.uprightSize
        // a whole step of the chroma grid, a little past an odd edge
        let width = (grid.width + grid.stepX - 1) / grid.stepX * grid.stepX
        let height = (grid.height + grid.stepY - 1) / grid.stepY * grid.stepY
        let scale = max(Double(grid.width) / size.width, Double(grid.height) / size.height)
        let shift = (
            (Double(grid.width) - size.width * scale) / 2,
            (Double(grid.height) - size.height * scale) / 2
        )
        let cover = Transform2D(a: scale, b: 0, c: 0, d: scale, tx: shift.0, ty: shift.1)
        let map = layer.format.uprightTransform.followed(by: cover)
        guard let back = map.inverse else { return nil }
        let region = LayerPlacement.bounds(
            of: .init(left: 0, top: 0, right: Double(width), bottom: Double(height)), back)
        let picture = try store.picture(
            of: layer,
            ConformStore.Request(
                format: layer.format, width: width, height: height,
                region: FrameConformer.Region(
                    left: region.left, top: region.top, width: region.right - region.left,
                    height: region.bottom - region.top),
                orientation: layer.format.orientation, blur: min(radius, 1_000)))
        guard let toUpright = cover.inverse else { return picture }
        // what is hidden in the frame is not seen in its bars
        return try areas.changed(
            picture, work(on: layer, toUpright: toUpright, shown: nil))
    }
}

/// What lies under a layer's frame.
enum LayerFill {
    case picture(PlacedImage)
    case color([Int])

    var picture: PlacedImage? {
        if case .picture(let picture) = self { picture } else { nil }
    }

    func rows(_ index: Int) -> FillRows {
        switch self {
        case .picture(let picture): .picture(picture.planes[index])
        case .color(let codes): .code(codes[index])
        }
    }
}

extension LayerPlanner {
    private func plane(
        _ index: Int, _ plane: FrameGrid.Plane, _ layer: SceneLayer, _ placement: LayerPlacement,
        _ source: Source, _ fill: FillRows?, _ cuts: [any RowMask]
    ) -> FrameOperation.Plane {
        let edges = LayerEdges(plane)
        let crop = edges.crop(layer, placement)
        let area = area(plane, placement, layer, source)
        let outer = (columns: 0..<plane.columns, rows: 0..<plane.rows)
        // a decorated frame has the edges of its shape
        let shape = layer.decoration.isEmpty ? nil : LayerShape(layer, placement)
        let own =
            shape == nil ? edges.picture(placement, layer.format) + (fill == nil ? crop : []) : []
        return FrameOperation.Plane(
            columns: area.columns, rows: area.rows,
            samples: rows(source.picture.planes[index], plane, source),
            alpha: source.picture.alphaPlanes.isEmpty
                ? nil : rows(source.picture.alphaPlanes[index], plane, source),
            edges: area.rows.isEmpty
                ? Coverage([], columns: 0..<1, rows: 0..<1)
                : Coverage(
                    own, masks: (shape.map { [$0.mask(plane)] } ?? []) + (fill == nil ? cuts : []),
                    columns: area.columns, rows: area.rows),
            fill: fill, outerColumns: outer.columns, outerRows: outer.rows,
            outerEdges: fill == nil
                ? Coverage([], columns: 0..<1, rows: 0..<1)
                : Coverage(crop, masks: cuts, columns: outer.columns, rows: outer.rows))
    }

    /// The samples of the plane that the frame can touch.
    private func area(
        _ plane: FrameGrid.Plane, _ placement: LayerPlacement, _ layer: SceneLayer, _ source: Source
    ) -> (columns: Range<Int>, rows: Range<Int>) {
        var bounds = placement.bounds
        if let crop = layer.crop, layer.fill == .none {
            let cut = LayerPlacement.bounds(
                of: .init(
                    left: crop.x, top: crop.y, right: crop.x + crop.width,
                    bottom: crop.y + crop.height), layer.transform)
            bounds.left = max(bounds.left, cut.left)
            bounds.top = max(bounds.top, cut.top)
            bounds.right = min(bounds.right, cut.right)
            bounds.bottom = min(bounds.bottom, cut.bottom)
        }
        // slanted edges reach half a sample further out
        let reach = placement.orientation == nil ? 1.0 : 0
        func range(_ low: Double, _ high: Double, _ covers: Int, _ count: Int) -> Range<Int> {
            let limit = Double(count * covers)
            let first = Int(((max(0, min(limit, low - reach))) / Double(covers)).rounded(.down))
            let end = Int(((max(0, min(limit, high + reach))) / Double(covers)).rounded(.up))
            return first..<max(first, min(end, count))
        }
        let columns = range(bounds.left, bounds.right, plane.across, plane.columns)
        let rows = range(bounds.top, bounds.bottom, plane.down, plane.rows)
        guard !columns.isEmpty, !rows.isEmpty else { return (0..<0, 0..<0) }
        return (columns, rows)
    }

    private func rows(
        _ samples: PixelPlane, _ plane: FrameGrid.Plane, _ source: Source
    ) -> SampleRows {
        guard let map = source.map else {
            return .placed(
                samples, column: source.column / plane.across, row: source.row / plane.down)
        }
        let frame = source.picture.picture
        let out = Transform2D(
            a: Double(plane.across), b: 0, c: 0, d: Double(plane.down), tx: plane.originX,
            ty: plane.originY)
        let back = out.inverse ?? .identity
        return .sampled(
            AffineSampler(
                samples, columns: (frame.width + plane.across - 1) / plane.across,
                rows: (frame.height + plane.down - 1) / plane.down,
                map: out.followed(by: map).followed(by: back)))
    }
}
