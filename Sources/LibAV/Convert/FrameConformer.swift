package import Media

/// Brings frames of any raw format to planar YUV of another matrix, range, depth, chroma grid and
/// size in one step. Thread-bound but for the strips of one frame.
///
/// Filtering is linear: a triangle as wide as one sample of the coarser side, so that smaller frames
/// do not shimmer; edges are mirrored. Codes are rounded to nearest, without dither. What codes mean
/// where a side does not state it: `ConformColors`. HDR becomes SDR by `ToneMap`, and SDR with opacity
/// HDR by `StandardCodes`: both need colours without their opacity.
///
/// Source: libzimg.
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

        /// All of a frame.
        init(width: Int, height: Int) {
            self.init(left: 0, top: 0, width: Double(width), height: Double(height))
        }
    }

    /// A frame made ready for conversion.
    struct Prepared {
        let colors: any StripEngine
        /// What has to be made of all strips before.
        var toned: TonedFrame?
        /// Of its opacity, if it has any.
        let alpha: (any StripEngine)?
        /// Rows of the output, which can be made by themselves.
        let strips: [Range<Int>]
        /// Outside these pixels it looks as the frame prepared before; nil where nothing is known.
        let changed: RowSpans?
    }

    /// What decides how light is changed.
    private struct DeskKey: Hashable {
        /// Of what is read.
        let depth: Int
        let isOpaque: Bool
    }

    // immutable
    package let input: VideoFormat
    /// The wanted format with its colour filled in.
    package let output: VideoFormat
    private let region: Region
    private let siting: ChromaSiting
    private let colors: ConformColors
    private let shape: PlanarFrame.Shape
    private let outputShape: PlanarFrame.Shape
    /// Where every pixel stays where it is.
    private let packed: PackedRGBConverter?
    // owned by the caller's thread
    private var converters: [Int: PartConverter] = [:]
    private var alphaConverter: PartConverter?
    private var desks: [DeskKey: ToneDesk] = [:]
    private(set) var steady: SteadyFrames

    /// - Parameters:
    ///   - output: planar YUV of 8 or 10 bits, of even size where chroma is halved.
    ///   - region: what of the input fills the output; nil: all.
    ///   - siting: where the output's chroma lies; nil: as its colours imply.
    ///   - isSteady: whether frames often show most of the one before, so that it is worth finding out.
    package init(
        from input: VideoFormat, to output: VideoFormat, region: Region? = nil,
        siting: ChromaSiting? = nil, isSteady: Bool = false
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
        guard !outputShape.isPadded else {
            throw .refused(
                .unsupported, "the frame conformer",
                "Cannot conform to \(output.width)x\(output.height) with halved chroma; "
                    + "ask for an even size.")
        }
        colors = ConformColors(
            input.color, source, output.color, lines: max(input.height, output.height))
        self.input = input
        var result = output
        result.color = colors.target
        self.output = result
        let siting = siting ?? ChromaSiting(of: colors.target)
        self.siting = siting
        let whole = Region(width: input.width, height: input.height)
        self.region = region ?? whole
        let keepsPlaces =
            self.region == whole && input.width == output.width && input.height == output.height
        packed =
            keepsPlaces
            ? PackedRGBConverter(from: source, to: target, colors, siting: siting) : nil
        steady = SteadyFrames(source, isCompared: isSteady)
        shape = PlanarFrame.Shape(source, width: input.width, height: input.height)
        self.outputShape = outputShape
    }

    /// Formats frames can be brought to.
    package static let targets: Set<PixelFormat> = [
        .yuv420p, .yuv422p, .yuv444p, .yuv420p10le, .yuv422p10le, .yuv444p10le,
    ]

    /// Makes a frame readable for the strips.
    func prepare(_ frame: PixelBuffer) throws(MediaError) -> Prepared {
        guard frame.width == input.width, frame.height == input.height,
            frame.format == input.pixelFormat
        else {
            throw .refused(
                .unsupported, "the frame conformer",
                "Cannot conform a frame of another size or format than agreed.")
        }
        if let packed, let changed = steady.take(frame) {
            // as many as are worth waking a thread
            let count = max(1, min(output.height / 64, changed.count / Self.fewPixels))
            return Prepared(
                colors: PackedRGBStrips(frame: frame, converter: packed), alpha: nil,
                strips: Self.strips(of: output.height, in: count), changed: changed)
        }
        let planar = PlanarFrame(frame, shape: shape, color: colors.source)
        let depth = planar.alpha == nil ? shape.depth : 16
        let strips = Self.strips(of: output.height, in: max(1, output.height / 256))
        let tallest = strips.first?.count ?? output.height
        func engine(_ planes: [PixelPlane], _ converter: PartConverter) -> PlanarStrips {
            PlanarStrips(holder: planar, planes: planes, converter: converter, tallest: tallest)
        }
        var alpha: PlanarStrips?
        if let plane = planar.alpha {
            let own = alphaConverter ?? makeAlphaConverter()
            alphaConverter = own
            alpha = engine([plane], own)
        }
        let key = DeskKey(depth: depth, isOpaque: alpha == nil)
        if let desk = desks[key] ?? makeDesk(key) {
            desks[key] = desk
            let (toned, output) = desk.prepare(planar, tallest: tallest)
            return Prepared(
                colors: output, toned: toned, alpha: alpha, strips: strips, changed: nil)
        }
        let converter = converters[depth] ?? makeConverter(depth: depth)
        converters[depth] = converter
        return Prepared(
            colors: engine(planar.planes, converter), alpha: alpha, strips: strips, changed: nil)
    }

    /// A tenth of a millisecond's work.
    private static let fewPixels = 1 << 16

    /// All of the same height but the last.
    private static func strips(of height: Int, in count: Int) -> [Range<Int>] {
        let step = (height + 16 * count - 1) / (16 * count) * 16
        return stride(from: 0, to: height, by: step).map { $0..<min(height, $0 + step) }
    }

    /// Makes the strip of a number.
    package typealias Strip = (Int) throws(MediaError) -> Void

    /// Forgets what frames looked like and became, and the memory of that.
    package func forget() {
        steady.forget()
        for desk in desks.values { desk.forget() }
    }

    /// Converts a frame, and its opacity (gray16le) if it has any; the colours are then premultiplied:
    /// `black + opacity · (code − black)`.
    package func convert(
        _ frame: PixelBuffer
    ) throws(MediaError) -> (picture: PixelBuffer, alpha: PixelBuffer?) {
        try convert(frame, in: { blank(outputShape.format) }, eachStrip: Self.inOrder)
    }

    /// - Parameters:
    ///   - memory: makes a frame of the output's size and format.
    ///   - eachStrip: calls its closure for every number below a count, on whatever threads.
    package func convert(
        _ frame: PixelBuffer, in memory: () -> PixelBuffer,
        eachStrip: (Int, Strip) throws(MediaError) -> Void
    ) throws(MediaError) -> (picture: PixelBuffer, alpha: PixelBuffer?) {
        let prepared = try prepare(frame)
        let changed = prepared.changed
        if let latest = steady.results.latest, changed?.isEmpty ?? false { return (latest, nil) }
        var alpha: PixelBuffer?
        if let engine = prepared.alpha {
            var made = blank(.gray16le)
            try make(prepared, engine, in: &made, eachStrip)
            alpha = made
        }
        var (picture, background) = steady.results.next(memory)
        do throws(MediaError) {
            try light(prepared, alpha, eachStrip)
            try make(prepared, prepared.colors, over: background, in: &picture, eachStrip)
        } catch {
            steady.forget()
            throw error
        }
        background = nil
        steady.append(picture, changed: changed)
        return (picture, alpha)
    }

    /// Into memory that the caller holds alone; without opacity.
    package func convert(_ frame: PixelBuffer, into target: inout PixelBuffer) throws(MediaError) {
        let prepared = try prepare(frame)
        var alpha: PixelBuffer?
        if prepared.toned != nil, let engine = prepared.alpha {
            var made = blank(.gray16le)
            try make(prepared, engine, in: &made, Self.inOrder)
            alpha = made
        }
        try light(prepared, alpha, Self.inOrder)
        try make(prepared, prepared.colors, in: &target, Self.inOrder)
    }

    private static func inOrder(_ count: Int, _ strip: Strip) throws(MediaError) {
        for number in 0..<count { try strip(number) }
    }

    private func blank(_ format: PixelFormat) -> PixelBuffer {
        PixelBuffer(width: output.width, height: output.height, format: format)
    }

    /// - Parameter alpha: of the output; nil: it is opaque.
    private func light(
        _ prepared: Prepared, _ alpha: PixelBuffer?,
        _ eachStrip: (Int, Strip) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard let toned = prepared.toned else { return }
        let opacity = alpha?.withPlane(0) { $0 }
        defer { withExtendedLifetime(alpha) {} }
        try eachStrip(prepared.strips.count) { number throws(MediaError) in
            try toned.make(prepared.strips[number], alpha: opacity)
        }
    }

    /// - Parameter background: with what was made of the frame before; nil: all is made anew.
    private func make(
        _ prepared: Prepared, _ engine: any StripEngine,
        over background: SteadyResults.Background? = nil, in target: inout PixelBuffer,
        _ eachStrip: (Int, Strip) throws(MediaError) -> Void
    ) throws(MediaError) {
        let known = background == nil ? nil : prepared.changed
        let changed = known ?? RowSpans(width: output.width, height: output.height)
        try target.withMutablePlanes { planes throws(MediaError) in
            try eachStrip(prepared.strips.count) { number throws(MediaError) in
                let rows = prepared.strips[number]
                background?.copy(rows: rows, but: changed, into: planes)
                try engine.make(rows, of: changed, into: planes)
            }
        }
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

    /// Nil where zimg does it alone.
    private func makeDesk(_ key: DeskKey) -> ToneDesk? {
        var map = ToneMap.between(colors.source, colors.target, peak: input.brightest)
            .map { LightMap.tone($0) }
        if map == nil, !key.isOpaque, colors.source.rangeName == nil {
            map = StandardCodes.inFrames(of: colors.target).map { .raise($0) }
        }
        return map.map {
            ToneDesk(
                $0, from: sourceSide(depth: key.depth), to: outputShape.side(colors.target, siting),
                format: outputShape.format, region: region)
        }
    }

    private func sourceSide(depth: Int) -> ZimgGraph.Side {
        shape.side(
            depth: depth, colors.source,
            ChromaSiting(of: input.color.filled(from: colors.source)))
    }

    private func makeConverter(depth: Int) -> PartConverter {
        PartConverter(
            from: sourceSide(depth: depth),
            to: outputShape.side(colors.target, siting), format: outputShape.format, region: region)
    }

    private func makeAlphaConverter() -> PartConverter {
        PartConverter(
            from: shape.opacitySide(), to: outputShape.opacitySide(depth: 16),
            format: .gray16le, region: region)
    }
}

extension VideoFormat {
    /// The brightest that the frames mean (cd/m²): what they reach, else what the display did that they were made on;
    /// nil: neither is stated.
    fileprivate var brightest: Double? {
        if let light = contentLight, light.maximum > 0 { return Double(light.maximum) }
        // less than diffuse white is a number in another unit
        return masteringDisplay.map { Double($0.maximumLuminance) / 10_000 }
            .flatMap { $0 >= LightCurve.diffuseWhite ? $0 : nil }
    }
}
