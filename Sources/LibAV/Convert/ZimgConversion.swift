internal import Media

/// Computes frames of one raw format from another by zimg: size, matrix, range, depth and chroma grid. What it makes is
/// rotated as it is put together. Thread-bound.
///
/// Codes are rounded to nearest, without dither; chroma lies where the colours imply (`ChromaSiting`).
final class ZimgConversion {
    /// What is converted besides, and how sizes change.
    enum Manner {
        /// Primaries and transfer are left alone; bicubic; opacity is filtered beside the colours.
        case codes
        /// Primaries and transfer are converted; a triangle; what is invisible is not drawn in.
        case light
    }

    // immutable
    private let target: PixelFormat
    private let rotation: VideoOrientation
    private let colors: (source: ColorDescription, target: ColorDescription)
    /// What zimg reads, and what it makes.
    private let shape: PlanarFrame.Shape
    private let made: PlanarFrame.Shape
    private let opacity: PlanarFrame.Opacity
    private let graph: ZimgGraph
    /// Of colours with opacity multiplied in, and of opacity.
    private let multipliedGraph: ZimgGraph?
    private let opacityGraph: ZimgGraph?

    /// - Parameters:
    ///   - output: rotated already.
    ///   - colors: what the codes mean, nothing left open.
    ///   - region: what of the input fills the output; nil: all.
    init(
        from input: VideoFormat, _ source: PixelFormat, to output: VideoFormat,
        _ target: PixelFormat, colors: (source: ColorDescription, target: ColorDescription),
        _ manner: Manner, rotation: VideoOrientation = .upright,
        region: FrameConformer.Region? = nil
    ) throws(MediaError) {
        let swaps = rotation.swapsAxes
        shape = PlanarFrame.Shape(source, width: input.width, height: input.height)
        made = PlanarFrame.Shape(
            target, width: swaps ? output.height : output.width,
            height: swaps ? output.width : output.height, swapsAxes: swaps)
        let whole = FrameConformer.Region(width: input.width, height: input.height)
        let region = region ?? whole
        let isScaled =
            region != whole || made.width != input.width || made.height != input.height
        let kernel: ZimgGraph.Kernel = isScaled && manner == .codes ? .bicubic : .triangle
        let keepsOpacity = source.hasAlpha && target.hasAlpha
        opacity = !keepsOpacity ? .ignored : isScaled && manner == .light ? .multiplied : .apart
        (self.target, self.rotation, self.colors) = (target, rotation, colors)
        let sitings = (
            ChromaSiting(of: input.color.filled(from: colors.source)),
            ChromaSiting(of: output.color.filled(from: colors.target))
        )
        let isEven = made.width.isMultiple(of: 2) && made.height.isMultiple(of: 2)
        var own = shape.side(Self.zimgColor(colors.source, manner), sitings.0)
            .showing(region, made)
        var wanted = made.side(
            Self.zimgColor(colors.target, manner),
            (isEven ? sitings.1.before(rotation) : nil) ?? sitings.1)
        graph = try ZimgGraph(from: own, to: wanted, kernel: kernel)
        (own.depth, wanted.depth) = (16, 16)
        multipliedGraph =
            opacity == .multiplied ? try ZimgGraph(from: own, to: wanted, kernel: kernel) : nil
        opacityGraph =
            keepsOpacity
            ? try ZimgGraph(
                from: shape.opacitySide().showing(region, nil),
                to: made.opacitySide(depth: opacity == .multiplied ? 16 : nil), kernel: kernel)
            : nil
    }

    private static func zimgColor(_ color: ColorDescription, _ manner: Manner) -> ColorDescription {
        guard manner == .codes else { return color }
        let known: [UInt8: UInt8] = [1: 1, 4: 4, 5: 6, 6: 6, 7: 7, 8: 8, 9: 9, 10: 9]
        return ColorDescription(
            primaries: 2, transfer: 2, matrix: known[color.matrix] ?? 6, range: color.range)
    }

    /// - Parameters:
    ///   - result: of the target's format, and at least of the output's size.
    ///   - column, row: where in it the output begins (pixels; 0 where chroma is halved).
    func convert(
        _ frame: PixelBuffer, into result: inout PixelBuffer, column: Int = 0, row: Int = 0
    ) throws(MediaError) {
        let planar = PlanarFrame(frame, shape: shape, color: colors.source, opacity: opacity)
        defer { withExtendedLifetime(planar) {} }
        var alpha: PixelBuffer?
        if let plane = planar.alpha, let opacityGraph {
            alpha = try filtered(plane, opacityGraph)
        }
        let isMultiplied = opacity == .multiplied && alpha != nil
        let graph = (isMultiplied ? multipliedGraph : nil) ?? graph
        var middle = PixelBuffer(
            width: made.paddedWidth, height: made.paddedHeight,
            format: made.container(depth: isMultiplied ? 16 : nil))
        let moves = moves(bytes: isMultiplied || made.depth > 8 ? 2 : 1, hasAlpha: alpha != nil)
        let isWhole = result.width == made.width && result.height == made.height
        let layouts = target.layout.planes
        try result.withMutablePlanes { planes throws(MediaError) in
            let targets = zip(planes, layouts).map { $0.from(row: row, column: column, $1) }
            // what zimg can write where it belongs, it does
            let own = moves.prefix(ComponentReading.colors(of: target).count).map {
                isWhole && !isMultiplied ? writable($0, targets) : nil
            }
            try middle.withMutablePlanes { spare throws(MediaError) in
                try graph.run(
                    planar.planes,
                    spare.enumerated().map { ($0 < own.count ? own[$0] : nil) ?? $1 })
            }
            if isMultiplied { straighten(&middle, &alpha) }
            let sources =
                middle.withPlanes { $0 } + (alpha.map { [$0.withPlane(0) { $0 }] } ?? [])
            ComponentMove.run(
                moves.indices.filter { $0 >= own.count || own[$0] == nil }.map { moves[$0] },
                sources, targets, PixelSize(made.width, made.height), rotation,
                isWide: made.depth > 8)
            withExtendedLifetime((middle, alpha)) {}
        }
    }

    /// From the planes zimg makes, and the opacity's behind them.
    private func moves(bytes: Int, hasAlpha: Bool) -> [ComponentMove] {
        let moves = ComponentMove.moves(
            ComponentReading.planar(bytes), hasAlpha ? ComponentReading(3, 0, bytes) : nil,
            chroma: (made.halvesColumns ? 2 : 1, made.halvesRows ? 2 : 1), to: target,
            swapsAxes: rotation.swapsAxes)
        guard let moves else { preconditionFailure("chroma is made as the target has it") }
        return moves
    }

    private func writable(
        _ move: ComponentMove, _ targets: [MutablePixelPlane]
    ) -> MutablePixelPlane? {
        let plane = targets[move.target.plane]
        let isWritable =
            rotation == .upright && !made.isPadded
            && move.target.isPlain(isWide: made.depth > 8)
            && ZimgGraph.isAligned(plane.base, plane.bytesPerRow)
        return isWritable ? plane : nil
    }

    private func straighten(_ colors: inout PixelBuffer, _ alpha: inout PixelBuffer?) {
        let isFull = target.isRGB || self.colors.target.range == .full
        colors.withMutablePlanes { colors in
            alpha?.withMutablePlanes { alpha in
                Premultiplication.undo(
                    colors, alpha[0], columns: made.width, as: target, isFull: isFull)
            }
        }
    }

    private func filtered(_ plane: PixelPlane, _ graph: ZimgGraph) throws(MediaError) -> PixelBuffer
    {
        var result = PixelBuffer(
            width: made.width, height: made.height,
            format: opacity == .multiplied || made.depth > 8 ? .gray16le : .gray)
        try result.withMutablePlanes { planes throws(MediaError) in
            try graph.run([plane], planes)
        }
        return result
    }
}

extension ZimgGraph.Side {
    /// With a region, where it is not all of the side.
    /// - Parameter made: what is made of it: padded, it takes so much more.
    fileprivate func showing(
        _ region: FrameConformer.Region, _ made: PlanarFrame.Shape?
    ) -> ZimgGraph.Side {
        var (result, width, height) = (self, region.width, region.height)
        if let made {
            width = width * Double(made.paddedWidth) / Double(made.width)
            height = height * Double(made.paddedHeight) / Double(made.height)
        }
        let isAll =
            region.left == 0 && region.top == 0 && width == Double(self.width)
            && height == Double(self.height)
        if !isAll { result.region = (region.left, region.top, width, height) }
        return result
    }
}

extension MutablePixelPlane {
    fileprivate func from(row: Int, column: Int, _ layout: PixelLayout.Plane) -> MutablePixelPlane {
        MutablePixelPlane(
            base: base + row / layout.rowsPerRow * bytesPerRow
                + column / layout.pixelsPerGroup * layout.bytesPerGroup,
            bytesPerRow: bytesPerRow, rows: rows - row / layout.rowsPerRow)
    }
}
