package import Media

/// Brings frames of any raw format to planar YUV of another matrix, range, depth, chroma grid and
/// size in one step. Thread-bound but for `convert(_:strip:…)`.
///
/// Filtering is linear: a triangle as wide as one sample of the coarser side, so that smaller frames
/// do not shimmer; edges are mirrored. Codes are rounded to nearest, without dither. What codes mean
/// where a side does not state it: `ConformColors`.
///
/// Source: libzimg; libswscale for rgb565.
// because its owner serialises its calls
package final class FrameConformer: @unchecked Sendable {
    /// A part of a frame (pixels of it, not necessarily whole; may pass the edges by a few).
    package struct Region: Sendable, Hashable {
        package var left: Double
        package var top: Double
        package var width: Double
        package var height: Double

        package init(left: Double, top: Double, width: Double, height: Double) {
            (self.left, self.top, self.width, self.height) = (left, top, width, height)
        }
    }

    /// A frame made ready for conversion.
    package struct Prepared: Sendable {
        fileprivate enum Work {
            /// With the pixels that may differ from those of the frame made before.
            case packed(PixelBuffer, PackedRGBConverter, changed: RowSpans)
            case planar(PlanarFrame, PartConverter, alpha: PartConverter?)
        }

        fileprivate let work: Work
        /// Rows of the output, which can be made by themselves.
        package let strips: [Range<Int>]

        /// Whether the result comes with opacity; its colours are then premultiplied:
        /// `black + opacity · (code − black)`.
        package var hasAlpha: Bool {
            if case .planar(let picture, _, _) = work { picture.alpha != nil } else { false }
        }

        /// Outside these pixels it looks as the frame prepared before; nil where nothing is known.
        package var changed: RowSpans? {
            if case .packed(_, _, let changed) = work { changed } else { nil }
        }
    }

    // immutable
    package let input: VideoFormat
    /// The wanted format with its colour filled in.
    package let output: VideoFormat
    private let region: Region
    private let siting: ChromaSiting
    private let colors: ConformColors
    private let shape: PlanarFrame.Shape
    private let outputPixels: PixelFormat
    /// Where every pixel stays where it is.
    private let packed: PackedRGBConverter?
    /// Makes rgb24 of what has no components in whole bytes.
    private let unpacker: PixelConverter?
    // owned by the caller's thread
    private var converters: [Int: PartConverter] = [:]
    private var alphaConverter: PartConverter?
    private var steady: SteadyFrames

    /// - Parameters:
    ///   - output: planar YUV of 8 or 10 bits, of even size where chroma is halved.
    ///   - region: what of the input fills the output; nil: all.
    ///   - siting: where the output's chroma lies; nil: as its colours imply.
    package init(
        from input: VideoFormat, to output: VideoFormat, region: Region? = nil,
        siting: ChromaSiting? = nil
    ) throws(MediaError) {
        guard let source = input.pixelFormat, let target = output.pixelFormat,
            Self.targets.contains(target), (1...16_384).contains(input.width),
            (1...16_384).contains(input.height), (1...16_384).contains(output.width),
            (1...16_384).contains(output.height)
        else {
            throw .refused(
                .unsupported, "the frame conformer",
                "Cannot conform these frames; give raw ones of 1…16384 pixels a side and ask for "
                    + "planar YUV of 8 or 10 bits.")
        }
        let outputShape = PlanarFrame.Shape(target, width: output.width, height: output.height)
        guard outputShape.paddedWidth == output.width, outputShape.paddedHeight == output.height
        else {
            throw .refused(
                .unsupported, "the frame conformer",
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
        let siting = siting ?? ChromaSiting(of: colors.target)
        self.siting = siting
        let whole = Region(
            left: 0, top: 0, width: Double(input.width), height: Double(input.height))
        self.region = region ?? whole
        let keepsPlaces =
            self.region == whole && input.width == output.width && input.height == output.height
        packed =
            keepsPlaces
            ? PackedRGBConverter(from: readable, to: target, colors, siting: siting) : nil
        steady = SteadyFrames(readable)
        shape = PlanarFrame.Shape(readable, width: input.width, height: input.height)
        outputPixels = target
    }

    /// Formats frames can be brought to.
    package static let targets: Set<PixelFormat> = [
        .yuv420p, .yuv422p, .yuv444p, .yuv420p10le, .yuv422p10le, .yuv444p10le,
    ]

    /// Makes a frame readable for the strips.
    package func prepare(_ frame: PixelBuffer) throws(MediaError) -> Prepared {
        guard frame.width == input.width, frame.height == input.height,
            frame.format == input.pixelFormat
        else {
            throw .refused(
                .unsupported, "the frame conformer",
                "Cannot conform a frame of another size or format than agreed.")
        }
        let readable = try unpacker?.convert(frame) ?? frame
        if let packed, let changed = steady.take(readable) {
            // as many as are worth waking a thread
            let count = max(1, min(output.height / 64, changed.count / Self.fewPixels))
            return Prepared(
                work: .packed(readable, packed, changed: changed),
                strips: Self.strips(of: output.height, in: count))
        }
        let planar = PlanarFrame(readable, shape: shape, color: colors.source)
        let depth = planar.alpha == nil ? shape.format.bitDepth : 16
        let converter = converters[depth] ?? makeConverter(depth: depth)
        converters[depth] = converter
        if planar.alpha != nil, alphaConverter == nil { alphaConverter = makeAlphaConverter() }
        return Prepared(
            work: .planar(planar, converter, alpha: planar.alpha == nil ? nil : alphaConverter),
            strips: Self.strips(of: output.height, in: max(1, output.height / 256)))
    }

    /// A tenth of a millisecond's work.
    private static let fewPixels = 1 << 16

    /// All of the same height but the last.
    private static func strips(of height: Int, in count: Int) -> [Range<Int>] {
        let step = (height + 16 * count - 1) / (16 * count) * 16
        return stride(from: 0, to: height, by: step).map { $0..<min(height, $0 + step) }
    }

    /// Whether what was made last will say what of the next frame need not be made.
    package var comparesFrames: Bool { steady.isComparing }

    /// Makes one strip of the output. Different strips may be made on different threads.
    /// - Parameters:
    ///   - background: with what was made of the frame prepared before, where that is known.
    ///   - planes: of the whole output, in the memory that came with the background.
    package func convert(
        _ frame: Prepared, strip: Int, over background: SteadyResults.Background? = nil,
        into planes: [MutablePixelPlane]
    ) throws(MediaError) {
        let rows = frame.strips[strip]
        switch frame.work {
        case .planar(let planar, let converter, _):
            try converter.convert(planar.planes, part(rows, of: frame), into: planes)
        case .packed(let frame, let converter, var changed):
            if let background {
                background.copy(rows: rows, but: changed, into: planes)
            } else {
                changed = RowSpans(width: output.width, height: output.height)
            }
            frame.withPlane(0) { source in
                converter.convert(
                    source, rows: rows, of: changed, width: output.width, into: planes)
            }
        }
    }

    /// Makes one strip of the opacity: 0…65535 in a plane of gray16le of the output's size.
    package func convertAlpha(
        _ frame: Prepared, strip: Int, into plane: MutablePixelPlane
    ) throws(MediaError) {
        guard case .planar(let planar, _, let converter?) = frame.work, let alpha = planar.alpha
        else { return }
        try converter.convert([alpha], part(frame.strips[strip], of: frame), into: [plane])
    }

    private func part(_ rows: Range<Int>, of picture: Prepared) -> PartConverter.Part {
        PartConverter.Part(rows: rows, tallest: picture.strips.first?.count ?? rows.count)
    }

    /// Converts a whole frame into a new one, and its opacity (gray16le) if it has any.
    package func convert(
        _ picture: PixelBuffer
    ) throws(MediaError) -> (picture: PixelBuffer, alpha: PixelBuffer?) {
        let prepared = try prepare(picture)
        var result = PixelBuffer(width: output.width, height: output.height, format: outputPixels)
        try result.withMutablePlanes { planes throws(MediaError) in
            for strip in prepared.strips.indices {
                try convert(prepared, strip: strip, into: planes)
            }
        }
        guard prepared.hasAlpha else { return (result, nil) }
        var alpha = PixelBuffer(width: output.width, height: output.height, format: .gray16le)
        try alpha.withMutablePlanes { planes throws(MediaError) in
            for strip in prepared.strips.indices {
                try convertAlpha(prepared, strip: strip, into: planes[0])
            }
        }
        return (result, alpha)
    }
}

extension FrameConformer {
    /// Whether frames of one format are the other's, sample for sample (their sizes aside).
    package static func changesNothing(from input: VideoFormat, to output: VideoFormat) -> Bool {
        guard let source = input.pixelFormat, source == output.pixelFormat else { return false }
        let colors = ConformColors(
            input.color, source, output.color, lines: max(input.height, output.height))
        return colors.source == colors.target
            && ChromaSiting(of: input.color.filled(from: colors.target))
                == ChromaSiting(of: colors.target)
    }

    /// A format of YUV frames with nothing about its colours left open.
    package static func completed(_ format: VideoFormat) -> VideoFormat {
        var result = format
        result.color =
            ConformColors(
                format.color, .yuv420p, format.color, lines: format.height
            ).target
        return result
    }

    private func makeConverter(depth: Int) -> PartConverter {
        let layout = outputPixels.layout.planes[1]
        return PartConverter(
            from: ZimgGraph.Side(
                width: shape.paddedWidth, height: shape.paddedHeight, depth: depth,
                halvesColumns: shape.halvesColumns, halvesRows: shape.halvesRows,
                family: shape.family, color: colors.source,
                siting: ChromaSiting(of: input.color.filled(from: colors.source))),
            to: ZimgGraph.Side(
                width: output.width, height: output.height, depth: outputPixels.bitDepth,
                halvesColumns: layout.pixelsPerGroup == 2, halvesRows: layout.rowsPerRow == 2,
                family: .yuv, color: colors.target, siting: siting),
            format: outputPixels, region: region)
    }

    private func makeAlphaConverter() -> PartConverter {
        let full = ColorDescription(primaries: 2, transfer: 2, matrix: 2, range: .full)
        return PartConverter(
            from: ZimgGraph.Side(
                width: shape.width, height: shape.height, depth: shape.format.bitDepth,
                family: .grey, color: full),
            to: ZimgGraph.Side(
                width: output.width, height: output.height, depth: 16, family: .grey, color: full),
            format: .gray16le, region: region)
    }
}
