import Media

/// The decoder configuration record of AV1 and what a sequence header says.
///
/// Source: AV1 Bitstream and Decoding Process Specification, 5.5 (sequence header); AV1 Codec ISO Media File Format
/// Binding, 2.3.3 (av1C).
package enum AV1Configuration {
    /// What goes into `av1C`: four bytes and the sequence header.
    /// - Parameter units: open bitstream units, each with its size, one of them a sequence header.
    /// - Returns: nil where there is none.
    static func record(from units: [UInt8]) -> [UInt8]? {
        guard let unit = sequenceHeader(in: units[...]), let header = AV1Sequence(unit.payload)
        else {
            return nil
        }
        return [
            0x81, header.profile << 5 | header.level,
            bit(header.isHighTier, 7) | bit(header.isDeep, 6) | bit(header.isTwelveBit, 5)
                | bit(header.isMonochrome, 4) | bit(header.isHalfWidth, 3)
                | bit(header.isHalfHeight, 2) | header.chromaPosition,
            0,
        ] + unit.bytes
    }

    /// Whether bytes are such a record.
    package static func isRecord(_ bytes: [UInt8]) -> Bool { bytes.count >= 4 && bytes[0] == 0x81 }

    /// The sequence that a record describes; nil: it does not say.
    static func sequence(_ record: [UInt8]) -> AV1Sequence? {
        guard isRecord(record) else { return nil }
        return sequenceHeader(in: record[4...]).flatMap { AV1Sequence($0.payload) }
    }

    /// How many bytes of a sample's beginning are a temporal delimiter, which samples of a file are without (2.4).
    static func delimiterLength(_ sample: UnsafeRawBufferPointer) -> Int {
        sample.count >= 2 && sample[0] >> 3 & 15 == 2 && sample[1] == 0 && sample[0] & 4 == 0
            ? 2 : 0
    }

    private static func bit(_ flag: Bool, _ place: UInt8) -> UInt8 { flag ? 1 << place : 0 }

    private static func sequenceHeader(
        in units: ArraySlice<UInt8>
    ) -> (bytes: [UInt8], payload: [UInt8])? {
        var rest = units
        while let header = rest.first {
            // obu_has_size_field; without one nobody knows where the unit ends
            guard header & 2 != 0 else { return nil }
            var place = rest.startIndex + (header & 4 != 0 ? 2 : 1)
            var (size, shift) = (0, 0)
            while place < rest.endIndex, shift < 28 {
                size |= Int(rest[place] & 127) << shift
                shift += 7
                place += 1
                if rest[place - 1] & 128 == 0 { break }
            }
            guard size <= rest.endIndex - place else { return nil }
            let end = place + size
            if header >> 3 & 15 == 1 {
                return (Array(rest[rest.startIndex..<end]), Array(rest[place..<end]))
            }
            rest = rest[end...]
        }
        return nil
    }
}

/// `sequence_header_obu` as far as files state it (5.5).
struct AV1Sequence {
    private(set) var profile: UInt8 = 0
    private(set) var level: UInt8 = 0
    private(set) var isHighTier = false
    private(set) var isDeep = false
    private(set) var isTwelveBit = false
    private(set) var isMonochrome = false
    private(set) var isHalfWidth = true
    private(set) var isHalfHeight = true
    private(set) var chromaPosition: UInt8 = 0
    /// What is not stated is unspecified.
    private(set) var color = ColorDescription(primaries: 2, transfer: 2, matrix: 2, range: .limited)

    /// - Parameter payload: of the unit.
    /// - Returns: nil where it ends before it is complete.
    init?(_ payload: [UInt8]) {
        var reader = BitReader(payload)
        profile = UInt8(reader.bits(3))
        reader.skip(1)  // still_picture
        let isReduced = reader.flag()
        if isReduced {
            level = UInt8(reader.bits(5))
        } else {
            readOperatingPoints(&reader)
        }
        let (widthBits, heightBits) = (Int(reader.bits(4)) + 1, Int(reader.bits(4)) + 1)
        reader.skip(widthBits + heightBits)
        if !isReduced, reader.flag() { reader.skip(7) }  // frame identifiers
        reader.skip(3)
        if !isReduced { Self.skipTools(&reader) }
        reader.skip(3)
        readColor(&reader)
        if reader.isExhausted { return nil }
    }

    private mutating func readOperatingPoints(_ reader: inout BitReader) {
        var delayBits = 0
        let hasTiming = reader.flag()
        if hasTiming {
            reader.skip(64)
            if reader.flag() { _ = reader.unsigned() }  // equal_picture_interval
            if reader.flag() {  // decoder_model_info_present_flag
                delayBits = Int(reader.bits(5)) + 1
                reader.skip(32 + 5 + 5)
            }
        }
        let hasDisplayDelay = reader.flag()
        for point in 0...Int(reader.bits(5)) {
            reader.skip(12)
            let level = UInt8(reader.bits(5))
            let isHigh = level > 7 && reader.flag()
            if point == 0 { (self.level, isHighTier) = (level, isHigh) }
            if delayBits > 0, reader.flag() { reader.skip(2 * delayBits + 1) }
            if hasDisplayDelay, reader.flag() { reader.skip(4) }
        }
    }

    private static func skipTools(_ reader: inout BitReader) {
        reader.skip(4)
        let hasOrder = reader.flag()
        if hasOrder { reader.skip(2) }
        let mayBeScreen = reader.flag() || reader.flag()  // chosen by the frame, or forced
        if mayBeScreen, !reader.flag() { reader.skip(1) }  // integer motion vectors
        if hasOrder { reader.skip(3) }
    }

    /// `color_config` (5.5.2).
    private mutating func readColor(_ reader: inout BitReader) {
        isDeep = reader.flag()
        isTwelveBit = profile == 2 && isDeep && reader.flag()
        isMonochrome = profile != 1 && reader.flag()
        if reader.flag() {
            color.primaries = UInt8(reader.bits(8))
            color.transfer = UInt8(reader.bits(8))
            color.matrix = UInt8(reader.bits(8))
        }
        if isMonochrome {
            color.range = reader.flag() ? .full : .limited
            return
        }
        if (color.primaries, color.transfer, color.matrix) == (1, 13, 0) {
            (color.range, isHalfWidth, isHalfHeight) = (.full, false, false)
            return
        }
        color.range = reader.flag() ? .full : .limited
        switch (profile, isTwelveBit) {
        case (0, _): break
        case (2, false): isHalfHeight = false
        case (2, true):
            isHalfWidth = reader.flag()
            isHalfHeight = isHalfWidth && reader.flag()
        default: (isHalfWidth, isHalfHeight) = (false, false)
        }
        if isHalfWidth, isHalfHeight { chromaPosition = UInt8(reader.bits(2)) }
    }
}
