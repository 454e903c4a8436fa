internal import Media

/// What H.265's messages beside the parameter sets say of light.
///
/// Source: H.265, 7.3.5 and D.2.6, D.2.28, D.2.35 (payloads 4, 137 and 144); SMPTE ST 2094-40.
struct LightMessages {
    private(set) var masteringDisplay: MasteringDisplay?
    private(set) var contentLight: ContentLightLevel?
    /// Whether one has the metadata of HDR10+ (application 4 of ITU-T T.35): what was measured of the light of each scene.
    private(set) var hasHDR10Plus = false

    /// - Parameter units: whole units of the type 39 (`PREFIX_SEI_NUT`).
    init(_ units: some Sequence<ArraySlice<UInt8>>) {
        for unit in units { read(unit) }
    }

    private mutating func read(_ unit: ArraySlice<UInt8>) {
        var reader = BitReader(unescaping: unit.dropFirst(2))
        // what is left behind the last message is one byte that ends the unit
        for _ in 0..<32 {
            let type = Self.number(&reader)
            let count = Self.number(&reader)
            guard !reader.isExhausted, count <= unit.count else { return }
            let bytes = (0..<count).map { _ in UInt8(reader.bits(8)) }
            guard !reader.isExhausted else { return }
            switch type {
            case 4: hasHDR10Plus = hasHDR10Plus || bytes.starts(with: Self.hdr10Plus)
            case 137: masteringDisplay = MasteringDisplay(bytes: bytes) ?? masteringDisplay
            case 144: contentLight = ContentLightLevel(bytes: bytes) ?? contentLight
            default: break
            }
        }
    }

    /// Registered by country (United States) and terminal provider (Samsung), then its own number and application 4
    /// (ITU-T T.35).
    private static let hdr10Plus: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01, 4]

    private static func number(_ reader: inout BitReader) -> Int {
        var sum = 0
        while !reader.isExhausted {
            let byte = Int(reader.bits(8))
            sum += byte
            if byte != 255 { break }
        }
        return sum
    }
}
