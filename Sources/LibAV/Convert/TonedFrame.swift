internal import Media

/// A frame of a high dynamic range on its way to SDR: by zimg to RGB of 16 bits in the output's size, there to SDR's
/// light, and from that by zimg to what is wanted. All strips pass the first two before one begins with the third,
/// because halved chroma is made of rows of other strips too.
// because its strips are rows of their own
final class TonedFrame: @unchecked Sendable {
    // immutable
    private let source: PlanarStrips
    private let map: ToneMap
    private let width: Int
    private let planes: [MutablePixelPlane]

    /// - Parameter planes: of the whole output, three of 16 bits, kept alive by the caller.
    init(_ source: PlanarStrips, _ map: ToneMap, width: Int, planes: [MutablePixelPlane]) {
        (self.source, self.map, self.width, self.planes) = (source, map, width, planes)
    }

    func make(_ rows: Range<Int>, of changed: RowSpans) throws(MediaError) {
        try source.make(rows, of: changed, into: planes)
        for row in rows {
            let parts = planes.map {
                UnsafeMutableRawPointer($0.row(row)).assumingMemoryBound(to: UInt16.self)
            }
            map.apply(parts[0], parts[1], parts[2], count: width)
        }
    }
}

/// What makes frames of one high dynamic range SDR. Thread-bound but for the strips of one frame.
final class ToneDesk {
    /// What a frame of the output's size is made of, and what makes it.
    private let map: ToneMap
    private let first: PartConverter
    private let second: PartConverter
    private let width: Int
    private let height: Int
    private var light: PixelBuffer?

    /// - Parameters:
    ///   - source: of the whole input.
    ///   - target: of the whole output, whose format is `format`.
    init(
        _ map: ToneMap, from source: ZimgGraph.Side, to target: ZimgGraph.Side,
        format: PixelFormat, region: FrameConformer.Region
    ) {
        self.map = map
        (width, height) = (target.width, target.height)
        var lit = ZimgGraph.Side(
            width: width, height: height, depth: 16, family: .rgb, color: source.color)
        lit.color.range = .full
        first = PartConverter(from: source, to: lit, format: .yuv444p10le, region: region)
        lit.color = target.color
        lit.color.range = .full
        second = PartConverter(
            from: lit, to: target, format: format,
            region: FrameConformer.Region(width: width, height: height))
    }

    /// Gives back the memory of a frame's light.
    func forget() { light = nil }

    /// - Parameter tallest: rows of the tallest strip.
    /// - Returns: what makes the frame's light, and what then makes the output of it.
    func prepare(_ frame: PlanarFrame, tallest: Int) -> (toned: TonedFrame, output: LitStrips) {
        // planes of 16 bits; what they are called is of no account
        var light = self.light ?? PixelBuffer(width: width, height: height, format: .yuv444p10le)
        self.light = nil
        let planes = light.withMutablePlanes { $0 }
        self.light = light
        let source = PlanarStrips(
            frame: frame, planes: frame.planes, converter: first, tallest: tallest)
        let lit = light.withPlanes { $0 }
        return (
            TonedFrame(source, map, width: width, planes: planes),
            LitStrips(light: light, planes: lit, converter: second, tallest: tallest)
        )
    }
}

/// The output of light that was made before.
struct LitStrips: StripEngine {
    /// Keeps the planes alive.
    let light: PixelBuffer
    let planes: [PixelPlane]
    let converter: PartConverter
    let tallest: Int

    func make(
        _ rows: Range<Int>, of _: RowSpans, into targets: [MutablePixelPlane]
    ) throws(MediaError) {
        try converter.convert(planes, rows, tallest: tallest, into: targets)
    }
}
