internal import Media

/// What is drawn around a layer's frame.
extension LayerPlanner {
    /// The layer's operations, front first: border, frame, shadow.
    func operations(for given: SceneLayer) throws(MediaError) -> [FrameOperation] {
        let mask =
            try given.mask.map { mask throws(MediaError) in try masks.mask(mask) }
            ?? .everything
        if case .nothing = mask { return [] }
        let layer = try MovingStill(grid: grid, store: store).prepared(given)
        let own = try operation(for: layer, mask)
        guard !layer.decoration.isEmpty, layer.opacity > 0, let placement = LayerPlacement(layer),
            let shape = LayerShape(layer, placement)
        else { return own.map { [$0] } ?? [] }
        return [border(of: layer, shape, mask), own, shadow(of: layer, shape, mask)]
            .compactMap(\.self)
    }

    private func border(
        of layer: SceneLayer, _ shape: LayerShape, _ mask: FrameMask
    ) -> FrameOperation? {
        guard let border = layer.decoration.border, border.width > 0 else { return nil }
        let inner = shape.inset(by: border.width)
        return painted(border.color, layer.opacity, within: shape.bounds.grown(by: 1), mask) {
            plane in [shape.mask(plane, hole: inner)]
        }
    }

    private func shadow(
        of layer: SceneLayer, _ shape: LayerShape, _ mask: FrameMask
    ) -> FrameOperation? {
        guard let shadow = layer.decoration.shadow else { return nil }
        let cast = shape.moved(x: shadow.x, y: shadow.y)
        let area = cast.bounds.grown(by: shadow.blur + 1)
        return painted(shadow.color, layer.opacity, within: area, mask) { plane in
            [cast.mask(plane, blur: shadow.blur), shape.mask(plane, isOutside: true)]
        }
    }

    /// One colour where the masks leave something of an area of the frame.
    private func painted(
        _ color: Color, _ opacity: Double, within area: LayerPlacement.Bounds, _ mask: FrameMask,
        masks: (FrameGrid.Plane) -> [ShapeMask]
    ) -> FrameOperation? {
        let weight = BlendKernels.weight(color.alpha * opacity)
        guard weight > 0 else { return nil }
        let codes = ColorCodes(grid.format.color, depth: grid.pixels.bitDepth).codes(color)
        let nothing = PlacedImage(
            PixelBuffer(width: grid.stepX, height: grid.stepY, format: grid.pixels))
        let planes = grid.planes.enumerated().map { index, plane in
            let columns = samples(area.left, area.right, plane.across, plane.columns)
            let rows = samples(area.top, area.bottom, plane.down, plane.rows)
            let isEmpty = columns.isEmpty || rows.isEmpty
            return FrameOperation.Plane(
                columns: 0..<0, rows: 0..<0,
                samples: .placed(nothing.planes[index], column: 0, row: 0), alpha: nil,
                edges: Coverage([], columns: 0..<1, rows: 0..<1), fill: .code(codes[index]),
                outerColumns: isEmpty ? 0..<0 : columns, outerRows: isEmpty ? 0..<0 : rows,
                outerEdges: isEmpty
                    ? Coverage([], columns: 0..<1, rows: 0..<1)
                    : Coverage(
                        [], masks: masks(plane) + mask.rows(index), columns: columns, rows: rows))
        }
        guard planes.contains(where: { !$0.outerRows.isEmpty }) else { return nil }
        return FrameOperation(
            opacity: Float(weight) / Float(BlendKernels.one), planes: planes, holders: [nothing],
            isCovering: false)
    }

    /// The samples of a plane between two places of the frame (pixels).
    private func samples(
        _ low: Double, _ high: Double, _ covered: Int, _ count: Int
    ) -> Range<Int> {
        let limit = Double(count * covered)
        let first = Int((max(0, min(limit, low)) / Double(covered)).rounded(.down))
        let end = Int((max(0, min(limit, high)) / Double(covered)).rounded(.up))
        return first..<max(first, min(end, count))
    }
}
