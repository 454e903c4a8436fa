/// The display on which frames of a high dynamic range were judged when they were made.
///
/// Source: SMPTE ST 2086; the units are those of H.265's message, MP4's `mdcv` and QuickTime's.
public struct MasteringDisplay: Sendable, Hashable {
    /// A colour's place in CIE's diagram (50,000ths).
    public struct Chromaticity: Sendable, Hashable {
        public var x: UInt16
        public var y: UInt16

        public init(x: UInt16, y: UInt16) { (self.x, self.y) = (x, y) }
    }

    public var red: Chromaticity
    public var green: Chromaticity
    public var blue: Chromaticity
    public var white: Chromaticity
    /// Of its brightest white (10,000ths of a cd/m²).
    public var maximumLuminance: UInt32
    /// Of its black (10,000ths of a cd/m²).
    public var minimumLuminance: UInt32

    public init(
        red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity,
        maximumLuminance: UInt32, minimumLuminance: UInt32
    ) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
        (self.maximumLuminance, self.minimumLuminance) = (maximumLuminance, minimumLuminance)
    }

    /// How many bytes files have of it.
    package static let byteCount = 24

    /// As H.265's message and MP4's box have it; nil for fewer bytes, and where it states no light.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count >= Self.byteCount else { return nil }
        let bytes = Array(bytes.prefix(Self.byteCount))
        func short(_ place: Int) -> UInt16 { UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]) }
        func long(_ place: Int) -> UInt32 { UInt32(short(place)) << 16 | UInt32(short(place + 2)) }
        func color(_ index: Int) -> Chromaticity {
            Chromaticity(x: short(4 * index), y: short(4 * index + 2))
        }
        self.init(
            red: color(2), green: color(0), blue: color(1), white: color(3),
            maximumLuminance: long(16), minimumLuminance: long(20))
        guard maximumLuminance > minimumLuminance else { return nil }
    }

    package var bytes: [UInt8] {
        let places = [green, blue, red, white].flatMap { [$0.x, $0.y] }
        return places.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
            + [maximumLuminance, minimumLuminance].flatMap { value in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
            }
    }
}

/// How bright the frames of a track become. Nought: not known.
///
/// Source: CTA-861.3; MP4's `clli`.
public struct ContentLightLevel: Sendable, Hashable {
    /// Of the brightest pixel, MaxCLL (cd/m²).
    public var maximum: UInt16
    /// Of the brightest frame on average, MaxFALL (cd/m²).
    public var maximumFrameAverage: UInt16

    public init(maximum: UInt16, maximumFrameAverage: UInt16) {
        (self.maximum, self.maximumFrameAverage) = (maximum, maximumFrameAverage)
    }

    /// How many bytes files have of it.
    package static let byteCount = 4

    /// As H.265's message and MP4's box have it; nil for fewer bytes, and where it states nothing.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count >= Self.byteCount else { return nil }
        let bytes = Array(bytes.prefix(Self.byteCount))
        self.init(
            maximum: UInt16(bytes[0]) << 8 | UInt16(bytes[1]),
            maximumFrameAverage: UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
        guard maximum > 0 || maximumFrameAverage > 0 else { return nil }
    }

    /// What is drawn over the frames is as bright as diffuse white (203 cd/m²).
    package mutating func includeWhite() {
        if maximum > 0 { maximum = max(maximum, 203) }
        if maximumFrameAverage > 0 { maximumFrameAverage = max(maximumFrameAverage, 203) }
    }

    package var bytes: [UInt8] {
        [maximum, maximumFrameAverage].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
}

extension VideoFormat {
    /// Whether what is stated of light is of these frames: SDR has none.
    package var isLit: Bool { color.transfer == 2 || color.rangeName != nil }

    /// The same with what another format says of light, where the frames are of the same high dynamic range.
    package func lit(as other: VideoFormat) -> VideoFormat {
        guard let name = color.rangeName, name == other.color.rangeName else { return self }
        var result = self
        result.masteringDisplay = other.masteringDisplay
        result.contentLight = other.contentLight
        return result
    }

    /// States of light what clips do that make up a track of these frames: the display of the first one that names one,
    /// and the brightest of all of them where each HDR clip states how bright it becomes; SDR is as bright as diffuse
    /// white. One of another range becomes what its conversion makes of it, so that nothing is known.
    package mutating func state(lightOf clips: [VideoFormat]) {
        guard let name = color.rangeName else { return }
        let own = clips.filter { $0.color.rangeName == name }
        masteringDisplay = own.lazy.compactMap(\.masteringDisplay).first
        contentLight = nil
        let levels = own.compactMap(\.contentLight)
        let hasOther = clips.contains { $0.color.rangeName != nil && $0.color.rangeName != name }
        guard !levels.isEmpty, levels.count == own.count, !hasOther else { return }
        var light = ContentLightLevel(
            maximum: levels.map(\.maximum).max() ?? 0,
            maximumFrameAverage: levels.map(\.maximumFrameAverage).max() ?? 0)
        if own.count < clips.count { light.includeWhite() }
        contentLight = light
    }
}
