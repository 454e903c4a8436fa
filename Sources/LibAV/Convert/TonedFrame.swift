internal import Media

/// A frame on its way between SDR and a high dynamic range: by zimg to RGB of 16 bits in the output's size, there to
/// the other light, and from that by zimg to what is wanted. All strips pass the first two before one begins with the
/// third, because halved chroma is made of rows of other strips too.
// because its strips are rows of their own
final class TonedFrame: @unchecked Sendable {
    // immutable
    private let source: PlanarStrips
    private let map: LightMap
    private let width: Int
    private let planes: [MutablePixelPlane]

    /// Of a code.
    private static let bytes = 2

    /// - Parameter planes: of the whole output, three of 16 bits, kept alive by the caller.
    init(_ source: PlanarStrips, _ map: LightMap, width: Int, planes: [MutablePixelPlane]) {
        (self.source, self.map, self.width, self.planes) = (source, map, width, planes)
    }

    /// - Parameter alpha: of the whole output, 16 bits, where the source has it multiplied in; nil: it is opaque.
    func make(_ rows: Range<Int>, alpha: PixelPlane?) throws(MediaError) {
        let opacity = alpha.map { UnsafeRawPointer($0.base) }
        let bytesPerRow = alpha?.bytesPerRow ?? 0
        try source.converter.convert(source.planes, rows, tallest: source.tallest) {
            parts, row, columns in
            let first = columns.lowerBound
            let made = RGBRow(
                planes.map { UnsafeMutableRawPointer($0.row(row)) + first * Self.bytes })
            let count = min(columns.upperBound, width) - first
            guard let opacity else {
                return map.apply(RGBRow(parts), into: made, count: count)
            }
            let shares = (opacity + row * bytesPerRow).assumingMemoryBound(to: UInt16.self) + first
            Self.divide(RGBRow(parts), by: shares, into: made, count: count)
            map.apply(made, into: made, count: count)
            Self.multiply(made, by: shares, count: count)
        }
    }

    private static func divide(
        _ row: RGBRow, by opacity: UnsafePointer<UInt16>, into target: RGBRow, count: Int
    ) {
        func code(_ code: UInt16, _ share: UInt32) -> UInt16 {
            share == 0 ? 0 : UInt16(min(65_535, (UInt32(code) * 65_535 + share / 2) / share))
        }
        for x in 0..<count {
            let share = UInt32(opacity[x])
            target.red[x] = code(row.red[x], share)
            target.green[x] = code(row.green[x], share)
            target.blue[x] = code(row.blue[x], share)
        }
    }

    private static func multiply(
        _ row: RGBRow, by opacity: UnsafePointer<UInt16>, count: Int
    ) {
        func code(_ code: UInt16, _ share: UInt32) -> UInt16 {
            UInt16((UInt32(code) * share + 32_767) / 65_535)
        }
        for x in 0..<count {
            let share = UInt32(opacity[x])
            row.red[x] = code(row.red[x], share)
            row.green[x] = code(row.green[x], share)
            row.blue[x] = code(row.blue[x], share)
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
    func prepare(_ frame: PlanarFrame, tallest: Int) -> (toned: TonedFrame, output: PlanarStrips) {
        // planes of 16 bits; what they are called is of no account
        var light = self.light ?? PixelBuffer(width: width, height: height, format: .yuv444p10le)
        self.light = nil
        let planes = light.withMutablePlanes { $0 }
        self.light = light
        let source = PlanarStrips(
            holder: frame, planes: frame.planes, converter: first, tallest: tallest)
        let lit = light.withPlanes { $0 }
        return (
            TonedFrame(source, map, width: width, planes: planes),
            PlanarStrips(holder: light, planes: lit, converter: second, tallest: tallest)
        )
    }
}
