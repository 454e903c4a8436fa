/// What of a codec a track uses, by the names of H.264 and HEVC.
public enum VideoProfile: String, Sendable, Hashable, Codable, CaseIterable {
    /// H.264, constrained: no B-frames, CAVLC.
    case baseline
    /// H.264 with CABAC and B-frames; HEVC of 8 bits.
    case main
    /// H.264 with the 8x8 transform.
    case high
    /// HEVC of 10 bits.
    case main10
}

/// What a decoder must be able to do, in the codec's own numbers (4.1 is `VideoLevel(4, 1)`).
public struct VideoLevel: Sendable, Hashable, CustomStringConvertible {
    public let major: Int
    public let minor: Int

    public init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    public var description: String { minor == 0 ? "\(major)" : "\(major).\(minor)" }

    /// What a codec's level holds: pixels of a frame, pixels a second, pixels of a side, bits.
    ///
    /// Source: ITU-T H.264, table A-1 (macroblocks of 256 pixels); ITU-T H.265, table A.8.
    package struct Limits: Sendable, Hashable {
        package let picture: Int
        package let second: Int
        /// The greatest rate (bit/s), and bits that a decoder holds before it shows them.
        package let rate: Int
        package let buffer: Int

        /// The longest side (pixels): the root of eight frames.
        package var side: Int { Int((Double(picture) * 8).squareRoot()) }
    }

    /// - Returns: nil for a level that the codec does not have.
    package func limits(of codec: VideoCodec) -> Limits? {
        guard (1...9).contains(major), (0...9).contains(minor) else { return nil }
        let level = major * 10 + minor
        return switch codec {
        case .h264:
            Self.h264[level].map {
                Limits(
                    picture: $0.picture * 256, second: $0.second * 256, rate: $0.rate * 1000,
                    buffer: $0.buffer * 1000)
            }
        case .hevc:
            Self.hevc[level].map {
                Limits(
                    picture: $0.picture, second: $0.second, rate: $0.rate * 1000,
                    buffer: $0.rate * 1000)
            }
        default: nil
        }
    }

    /// Rates and buffers are those of the baseline and main profiles (kbit/s, kbit), which the high profile may exceed by
    /// a quarter.
    private static let h264: [Int: (second: Int, picture: Int, rate: Int, buffer: Int)] = [
        10: (1485, 99, 64, 175), 11: (3000, 396, 192, 500), 12: (6000, 396, 384, 1000),
        13: (11_880, 396, 768, 2000), 20: (11_880, 396, 2000, 2000),
        21: (19_800, 792, 4000, 4000), 22: (20_250, 1620, 4000, 4000),
        30: (40_500, 1620, 10_000, 10_000), 31: (108_000, 3600, 14_000, 14_000),
        32: (216_000, 5120, 20_000, 20_000), 40: (245_760, 8192, 20_000, 25_000),
        41: (245_760, 8192, 50_000, 62_500), 42: (522_240, 8704, 50_000, 62_500),
        50: (589_824, 22_080, 135_000, 135_000), 51: (983_040, 36_864, 240_000, 240_000),
        52: (2_073_600, 36_864, 240_000, 240_000), 60: (4_177_920, 139_264, 240_000, 240_000),
        61: (8_355_840, 139_264, 480_000, 480_000), 62: (16_711_680, 139_264, 800_000, 800_000),
    ]

    /// Rates are the main tier's (kbit/s).
    private static let hevc: [Int: (second: Int, picture: Int, rate: Int)] = [
        10: (552_960, 36_864, 128), 20: (3_686_400, 122_880, 1500),
        21: (7_372_800, 245_760, 3000), 30: (16_588_800, 552_960, 6000),
        31: (33_177_600, 983_040, 10_000), 40: (66_846_720, 2_228_224, 12_000),
        41: (133_693_440, 2_228_224, 20_000), 50: (267_386_880, 8_912_896, 25_000),
        51: (534_773_760, 8_912_896, 40_000), 52: (1_069_547_520, 8_912_896, 60_000),
        60: (1_069_547_520, 35_651_584, 60_000), 61: (2_139_095_040, 35_651_584, 120_000),
        62: (4_278_190_080, 35_651_584, 240_000),
    ]

    /// A codec's levels, rising, for messages.
    package static func names(of codec: VideoCodec) -> String {
        let known = codec == .h264 ? Array(h264.keys) : codec == .hevc ? Array(hevc.keys) : []
        return known.sorted().map { "\(VideoLevel($0 / 10, $0 % 10))" }.joined(separator: ", ")
    }
}
