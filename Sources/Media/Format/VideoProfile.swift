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

    /// What a codec's level holds: pixels of a frame, pixels a second, pixels of a side.
    ///
    /// Source: ITU-T H.264, table A-1 (macroblocks of 256 pixels); ITU-T H.265, table A.8.
    package struct Limits: Sendable, Hashable {
        package let picture: Int
        package let second: Int

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
                Limits(picture: $0.picture * 256, second: $0.second * 256)
            }
        case .hevc: Self.hevc[level].map { Limits(picture: $0.picture, second: $0.second) }
        default: nil
        }
    }

    private static let h264: [Int: (second: Int, picture: Int)] = [
        10: (1485, 99), 11: (3000, 396), 12: (6000, 396), 13: (11_880, 396), 20: (11_880, 396),
        21: (19_800, 792), 22: (20_250, 1620), 30: (40_500, 1620), 31: (108_000, 3600),
        32: (216_000, 5120), 40: (245_760, 8192), 41: (245_760, 8192), 42: (522_240, 8704),
        50: (589_824, 22_080), 51: (983_040, 36_864), 52: (2_073_600, 36_864),
        60: (4_177_920, 139_264), 61: (8_355_840, 139_264), 62: (16_711_680, 139_264),
    ]

    private static let hevc: [Int: (second: Int, picture: Int)] = [
        10: (552_960, 36_864), 20: (3_686_400, 122_880), 21: (7_372_800, 245_760),
        30: (16_588_800, 552_960), 31: (33_177_600, 983_040), 40: (66_846_720, 2_228_224),
        41: (133_693_440, 2_228_224), 50: (267_386_880, 8_912_896),
        51: (534_773_760, 8_912_896), 52: (1_069_547_520, 8_912_896),
        60: (1_069_547_520, 35_651_584), 61: (2_139_095_040, 35_651_584),
        62: (4_278_190_080, 35_651_584),
    ]
}
