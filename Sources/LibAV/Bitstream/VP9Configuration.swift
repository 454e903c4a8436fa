import Media

/// The codec configuration of VP9 in MP4. Matroska and WebM have none.
///
/// Source: VP Codec ISO Media File Format Binding 1.0; VP9 levels of the WebM project.
package enum VP9Configuration {
    /// What goes into `vpcC`, version and flags included.
    /// - Parameters:
    ///   - format: its nominal rate counts (30 where there is none).
    ///   - pixels: 4:2:0 of 8 or 10 bits.
    static func record(of format: VideoFormat, _ pixels: PixelFormat) -> [UInt8] {
        let rate = format.nominalRate ?? FrameRate(30)
        let isDeep = pixels.bitDepth > 8
        let color = format.color
        // chroma of 4:2:0 is 0: in the columns of luma and between its rows
        let layout = UInt8(pixels.bitDepth) << 4 | (color.range == .full ? 1 : 0)
        return [
            1, 0, 0, 0, isDeep ? 2 : 0, level(format.width * format.height, rate.approximate),
            layout,
            color.primaries, color.transfer, color.matrix, 0, 0,
        ]
    }

    /// Whether bytes are such a record.
    package static func isRecord(_ bytes: [UInt8]) -> Bool { bytes.count >= 12 && bytes[0] == 1 }

    /// Bits of a sample that a record states; nil: it is none.
    package static func bitDepth(_ record: [UInt8]) -> Int? {
        isRecord(record) ? Int(record[6] >> 4) : nil
    }

    /// The least level (ten times its number) with room for a frame (pixels) and for so many a second.
    private static func level(_ pixels: Int, _ rate: Double) -> UInt8 {
        let second = Double(pixels) * rate
        let fitting = levels.first { pixels <= $0.picture && second <= Double($0.second) }
        return fitting?.number ?? 62
    }

    private static let levels: [(number: UInt8, second: Int, picture: Int)] = [
        (10, 829_440, 36_864), (11, 2_764_800, 73_728), (20, 4_608_000, 122_880),
        (21, 9_216_000, 245_760), (30, 20_736_000, 552_960), (31, 36_864_000, 983_040),
        (40, 83_558_400, 2_228_224), (41, 160_432_128, 2_228_224), (50, 311_951_360, 8_912_896),
        (51, 588_251_136, 8_912_896), (52, 1_176_502_272, 8_912_896),
        (60, 1_176_502_272, 35_651_584), (61, 2_353_004_544, 35_651_584),
        (62, 4_706_009_088, 35_651_584),
    ]
}
