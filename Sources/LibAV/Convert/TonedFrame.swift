internal import Media

/// What is done to light between SDR and a high dynamic range.
enum LightMap: Sendable {
    case tone(ToneMap)
    /// To a high dynamic range.
    case raise(StandardCodes)

    /// Changes a row of full-range RGB of 16 bits in place.
    func apply(
        _ red: UnsafeMutablePointer<UInt16>, _ green: UnsafeMutablePointer<UInt16>,
        _ blue: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        switch self {
        case .tone(let map): map.apply(red, green, blue, count: count)
        case .raise(let codes): codes.apply(red, green, blue, count: count)
        }
    }
}

/// A frame on its way between SDR and a high dynamic range: by zimg to RGB of 16 bits in the output's size, there to the
/// other light, and from that by zimg to what is wanted. All strips pass the first two before one begins with the third,
/// because halved chroma is made of rows of other strips too.
// because its strips are rows of their own
final class TonedFrame: @unchecked Sendable {
    // immutable
    private let source: PlanarStrips
    private let map: LightMap
    private let width: Int
    private let planes: [MutablePixelPlane]

    /// - Parameter planes: of the whole output, three of 16 bits, kept alive by the caller.
    init(_ source: PlanarStrips, _ map: LightMap, width: Int, planes: [MutablePixelPlane]) {
        (self.source, self.map, self.width, self.planes) = (source, map, width, planes)
    }

    /// - Parameter alpha: of the whole output, 16 bits, where the source has it multiplied in; nil: it is opaque.
    func make(
        _ rows: Range<Int>, of changed: RowSpans, alpha: PixelPlane?
    ) throws(MediaError) {
        try source.make(rows, of: changed, into: planes)
        for row in rows {
            let parts = planes.map {
                UnsafeMutableRawPointer($0.row(row)).assumingMemoryBound(to: UInt16.self)
            }
            guard let alpha else {
                map.apply(parts[0], parts[1], parts[2], count: width)
                continue
            }
            let opacity = UnsafeRawPointer(alpha.row(row)).assumingMemoryBound(to: UInt16.self)
            for part in parts { Self.divide(part, by: opacity, count: width) }
            map.apply(parts[0], parts[1], parts[2], count: width)
            for part in parts { Self.multiply(part, by: opacity, count: width) }
        }
    }

    private static func divide(
        _ codes: UnsafeMutablePointer<UInt16>, by opacity: UnsafePointer<UInt16>, count: Int
    ) {
        for x in 0..<count {
            let share = UInt32(opacity[x])
            codes[x] =
                share == 0
                ? 0 : UInt16(min(65_535, (UInt32(codes[x]) * 65_535 + share / 2) / share))
        }
    }

    private static func multiply(
        _ codes: UnsafeMutablePointer<UInt16>, by opacity: UnsafePointer<UInt16>, count: Int
    ) {
        for x in 0..<count {
            codes[x] = UInt16((UInt32(codes[x]) * UInt32(opacity[x]) + 32_767) / 65_535)
        }
    }
}

/// What brings frames of one format from or to a high dynamic range. Thread-bound but for the strips of one frame.
final class ToneDesk {
    private let map: LightMap
    private let first: PartConverter
    private let second: PartConverter
    private let width: Int
    private let height: Int
    /// A frame of the output's size between the two.
    private var light: PixelBuffer?

    /// - Parameters:
    ///   - source: of the whole input.
    ///   - target: of the whole output, whose format is `format`.
    init(
        _ map: LightMap, from source: ZimgGraph.Side, to target: ZimgGraph.Side,
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

    /// - Parameters:
    ///   - frame: of the depth that the source was described with.
    ///   - tallest: rows of the tallest strip.
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
