package import Media

/// Brings pictures of any raw format to planar YUV of another matrix, range, depth, chroma grid and
/// size in one step. Thread-bound but for `convert(_:strip:…)`.
///
/// Filtering is linear: a triangle as wide as one sample of the coarser side, so that smaller pictures
/// do not shimmer; edges are mirrored. Codes are rounded to nearest, without dither. What codes mean
/// where a side does not tell: `ConformColors`.
///
/// Source: libzimg; libswscale for rgb565.
// because its owner serialises its calls
package final class PictureConformer: @unchecked Sendable {
    /// A part of a picture (pixels of it, not necessarily whole; may pass the edges by a few).
    package struct Region: Sendable, Hashable {
        package var left: Double
        package var top: Double
        package var width: Double
        package var height: Double

        package init(left: Double, top: Double, width: Double, height: Double) {
            (self.left, self.top, self.width, self.height) = (left, top, width, height)
        }
    }

    /// A picture made ready for conversion.
    package struct Prepared: Sendable {
        let planar: PlanarPicture
        let graphs: [StripGraph]
        let alphaGraphs: [StripGraph]
        /// Rows that differ from those of the picture prepared before; nil: all may.
        var changedRows: IndexSpans?
        /// Whether the result comes with opacity; its colours are then premultiplied:
        /// `black + opacity · (code − black)`.
        package var hasAlpha: Bool { planar.alpha != nil }
    }

    // immutable
    package let input: VideoFormat
    /// The wanted format with its colour filled in.
    package let output: VideoFormat
    /// The output's rows are made in strips, always the same ones, on any thread.
    package private(set) var strips: [Range<Int>]
    private let region: Region
    private let siting: ChromaSiting
    private let colors: ConformColors
    private let shape: PlanarPicture.Shape
    private let outputPixels: PixelFormat
    /// Makes rgb24 of what has no components in whole bytes.
    private let unpacker: PixelConverter?
    // owned by the caller's thread
    private var opaqueGraphs: [StripGraph] = []
    private var premultipliedGraphs: [StripGraph] = []
    private var alphaGraphs: [StripGraph] = []
    private var hasPrepared = false
    /// From the second picture on: each view of one that moves has a conformer of its own, which keeps nothing.
    private var steady: SteadyComponents?

    /// - Parameters:
    ///   - output: planar YUV of 8 or 10 bits, of even size where chroma is halved.
    ///   - region: what of the input fills the output; nil: all.
    ///   - siting: where the output's chroma lies; nil: as its colours imply.
    package init(
        from input: VideoFormat, to output: VideoFormat, region: Region? = nil,
        siting: ChromaSiting? = nil
    ) throws(LibAVError) {
        guard let source = input.pixelFormat, let target = output.pixelFormat,
            Self.targets.contains(target), (1...16_384).contains(input.width),
            (1...16_384).contains(input.height), (1...16_384).contains(output.width),
            (1...16_384).contains(output.height)
        else {
            throw .refused(
                .unsupported, "the picture conformer",
                "Cannot conform these pictures; give raw ones of 1…16384 pixels a side and ask for "
                    + "planar YUV of 8 or 10 bits.")
        }
        let outputShape = PlanarPicture.Shape(target, width: output.width, height: output.height)
        guard outputShape.paddedWidth == output.width, outputShape.paddedHeight == output.height
        else {
            throw .refused(
                .unsupported, "the picture conformer",
                "Cannot conform to \(output.width)x\(output.height) with halved chroma; "
                    + "ask for an even size.")
        }
        let readable: PixelFormat = source == .rgb565le ? .rgb24 : source
        if readable != source {
            var unpacked = input
            unpacked.coding = .raw(readable)
            unpacker = try PixelConverter(from: input, to: unpacked)
        } else {
            unpacker = nil
        }
        colors = ConformColors(
            input.color, source, output.color, lines: max(input.height, output.height))
        self.input = input
        var result = output
        result.color = colors.target
        self.output = result
        self.siting = siting ?? ChromaSiting(of: colors.target)
        self.region =
            region
            ?? Region(left: 0, top: 0, width: Double(input.width), height: Double(input.height))
        shape = PlanarPicture.Shape(readable, width: input.width, height: input.height)
        outputPixels = target
        strips = Self.strips(of: output.height, about: 256)
    }

    /// Formats pictures can be brought to.
    package static let targets: Set<PixelFormat> = [
        .yuv420p, .yuv422p, .yuv444p, .yuv420p10le, .yuv422p10le, .yuv444p10le,
    ]

    /// Strips of about so many rows; they depend on nothing but the kind and size of the pictures.
    private static func strips(of height: Int, about rows: Int) -> [Range<Int>] {
        let count = max(1, height / rows)
        let edges = (0...count).map { $0 == count ? height : height * $0 / count / 16 * 16 }
        return zip(edges, edges.dropFirst()).map { $0..<$1 }
    }

    /// Makes a picture readable for the strips.
    package func prepare(_ picture: PixelBuffer) throws(LibAVError) -> Prepared {
        guard picture.width == input.width, picture.height == input.height,
            picture.format == input.pixelFormat
        else {
            throw .refused(
                .unsupported, "the picture conformer",
                "Cannot conform a picture of another size or format than agreed.")
        }
        let readable = try unpacker?.convert(picture) ?? picture
        if hasPrepared, keepsSize, steady == nil, let components = SteadyComponents(shape) {
            steady = components
            strips = Self.strips(of: output.height, about: 64)
            (opaqueGraphs, premultipliedGraphs, alphaGraphs) = ([], [], [])
        }
        hasPrepared = true
        if let (components, changed) = steady?.take(readable) {
            if opaqueGraphs.isEmpty { opaqueGraphs = try graphs(depth: shape.format.bitDepth) }
            let planar = PlanarPicture(components: components, depth: shape.format.bitDepth)
            return Prepared(
                planar: planar, graphs: opaqueGraphs, alphaGraphs: [], changedRows: changed)
        }
        let planar = PlanarPicture(readable, shape: shape, color: colors.source)
        guard planar.alpha != nil else {
            if opaqueGraphs.isEmpty { opaqueGraphs = try graphs(depth: shape.format.bitDepth) }
            return Prepared(planar: planar, graphs: opaqueGraphs, alphaGraphs: [])
        }
        if premultipliedGraphs.isEmpty {
            premultipliedGraphs = try graphs(depth: 16)
            alphaGraphs = try makeAlphaGraphs()
        }
        return Prepared(planar: planar, graphs: premultipliedGraphs, alphaGraphs: alphaGraphs)
    }

    /// Whether every pixel stays where it is; else short strips would show where they meet.
    private var keepsSize: Bool {
        let whole = Region(
            left: 0, top: 0, width: Double(output.width), height: Double(output.height))
        return region == whole && input.width == output.width && input.height == output.height
    }

    /// Whether what was made last will tell what of the next picture need not be made.
    package var comparesPictures: Bool { steady != nil }

    /// Whether a strip of the output is what it was of the picture prepared before.
    package func isUnchanged(_ picture: Prepared, strip: Int) -> Bool {
        guard let changed = picture.changedRows else { return false }
        let step = region.height / Double(output.height)
        // a sample of halved chroma reaches two pixels of the coarser side further than it covers
        let reach = 4 * max(1, step) + 2
        let top = region.top + Double(strips[strip].lowerBound) * step - reach
        let bottom = region.top + Double(strips[strip].upperBound) * step + reach
        // edges are mirrored
        let rows = max(0, Int(top))..<max(1, min(input.height, Int(bottom) + 1))
        return rows.lowerBound >= rows.upperBound || !changed.overlaps(rows)
    }

    /// Makes one strip of the output. Different strips may be made on different threads.
    package func convert(
        _ picture: Prepared, strip: Int, into planes: [MutablePixelPlane]
    ) throws(LibAVError) {
        let rows = strips[strip]
        let layouts = outputPixels.layout.planes
        let targets = planes.enumerated().map { index, plane in
            let (first, end) = (
                rows.lowerBound / layouts[index].rowsPerRow,
                rows.upperBound / layouts[index].rowsPerRow
            )
            return MutablePixelPlane(
                base: plane.base + first * plane.bytesPerRow, bytesPerRow: plane.bytesPerRow,
                rows: end - first)
        }
        try picture.graphs[strip].run(picture.planar.planes, into: targets)
    }

    /// Makes one strip of the opacity: 0…65535 in a plane of gray16le of the output's size.
    package func convertAlpha(
        _ picture: Prepared, strip: Int, into plane: MutablePixelPlane
    ) throws(LibAVError) {
        guard let alpha = picture.planar.alpha else { return }
        let rows = strips[strip]
        let target = MutablePixelPlane(
            base: plane.base + rows.lowerBound * plane.bytesPerRow, bytesPerRow: plane.bytesPerRow,
            rows: rows.count)
        try picture.alphaGraphs[strip].run([alpha], into: [target])
    }

    /// Converts a whole picture into a new one, and its opacity (gray16le) if it has any.
    package func convert(
        _ picture: PixelBuffer
    ) throws(LibAVError) -> (picture: PixelBuffer, alpha: PixelBuffer?) {
        let prepared = try prepare(picture)
        var result = PixelBuffer(width: output.width, height: output.height, format: outputPixels)
        try result.withMutablePlanes { planes throws(LibAVError) in
            for strip in strips.indices { try convert(prepared, strip: strip, into: planes) }
        }
        guard prepared.hasAlpha else { return (result, nil) }
        var alpha = PixelBuffer(width: output.width, height: output.height, format: .gray16le)
        try alpha.withMutablePlanes { planes throws(LibAVError) in
            for strip in strips.indices {
                try convertAlpha(prepared, strip: strip, into: planes[0])
            }
        }
        return (result, alpha)
    }
}

extension PictureConformer {
    /// Whether pictures of one format are the other's, sample for sample (their sizes aside).
    package static func changesNothing(from input: VideoFormat, to output: VideoFormat) -> Bool {
        guard let source = input.pixelFormat, source == output.pixelFormat else { return false }
        let colors = ConformColors(
            input.color, source, output.color, lines: max(input.height, output.height))
        return colors.source == colors.target
            && ChromaSiting(of: input.color.filled(from: colors.target))
                == ChromaSiting(of: colors.target)
    }

    /// A format of YUV pictures with nothing about its colours left open.
    package static func completed(_ format: VideoFormat) -> VideoFormat {
        var result = format
        result.color =
            ConformColors(
                format.color, .yuv420p, format.color, lines: format.height
            ).target
        return result
    }

    private func graphs(depth: Int) throws(LibAVError) -> [StripGraph] {
        var result: [StripGraph] = []
        for rows in strips {
            let made = rows.widened(by: margin, within: output.height)
            let source = ZimgGraph.Side(
                width: shape.paddedWidth, height: shape.paddedHeight, depth: depth,
                halvesColumns: shape.halvesColumns, halvesRows: shape.halvesRows,
                family: shape.family, color: colors.source,
                siting: ChromaSiting(of: input.color.filled(from: colors.source)),
                region: part(made))
            let layout = outputPixels.layout.planes[1]
            let target = ZimgGraph.Side(
                width: output.width, height: made.count, depth: outputPixels.bitDepth,
                halvesColumns: layout.pixelsPerGroup == 2, halvesRows: layout.rowsPerRow == 2,
                family: .yuv, color: colors.target, siting: siting)
            result.append(
                StripGraph(
                    try ZimgGraph(from: source, to: target), made: made, kept: rows,
                    width: output.width, format: outputPixels))
        }
        return result
    }

    /// Rows that are made above and below a strip and not kept: zimg brings a strip of RGB, or of another
    /// matrix, to whole chroma before it halves that, and mirrors at the strip's edge what lies beyond.
    private var margin: Int {
        let halvesRows = outputPixels.layout.planes[1].rowsPerRow == 2
        var (source, target) = (colors.source, colors.target)
        (source.range, target.range) = (.full, .full)
        let isConverted = shape.family == .rgb || source != target
        return halvesRows && isConverted ? 8 : 0
    }

    private func makeAlphaGraphs() throws(LibAVError) -> [StripGraph] {
        let full = ColorDescription(primaries: 2, transfer: 2, matrix: 2, range: .full)
        var result: [StripGraph] = []
        for rows in strips {
            let source = ZimgGraph.Side(
                width: shape.width, height: shape.height, depth: shape.format.bitDepth,
                family: .grey, color: full, region: part(rows))
            let target = ZimgGraph.Side(
                width: output.width, height: rows.count, depth: 16, family: .grey, color: full)
            result.append(
                StripGraph(
                    try ZimgGraph(from: source, to: target), made: rows, kept: rows,
                    width: output.width, format: .gray16le))
        }
        return result
    }

    /// What of the input fills a strip; nil: all of it.
    private func part(
        _ rows: Range<Int>
    ) -> (left: Double, top: Double, width: Double, height: Double)? {
        let step = region.height / Double(output.height)
        let top = region.top + Double(rows.lowerBound) * step
        let height = Double(rows.count) * step
        if region.left == 0, top == 0, region.width == Double(shape.paddedWidth),
            height == Double(shape.paddedHeight)
        {
            return nil
        }
        return (region.left, top, region.width, height)
    }
}
