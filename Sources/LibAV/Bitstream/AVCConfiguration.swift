/// `AVCDecoderConfigurationRecord` (ISO/IEC 14496-15, 5.3.3.1): H.264's parameter sets in MP4's form.
enum AVCConfiguration {
    /// Builds the record from an Annex B stream of parameter sets; `nil` without SPS and PPS.
    static func record(fromAnnexB bytes: [UInt8]) -> [UInt8]? {
        let units = bytes.withUnsafeBytes { NALUnits.annexBUnits(in: $0) }.map { bytes[$0] }
        let sequence = units.filter { NALCodec.h264.type($0[$0.startIndex]) == 7 }
        let frame = units.filter { NALCodec.h264.type($0[$0.startIndex]) == 8 }
        guard let first = sequence.first, first.count >= 4, !frame.isEmpty else { return nil }
        guard sequence.count < 32, frame.count < 256 else { return nil }
        let start = first.startIndex
        var record: [UInt8] = [1, first[start + 1], first[start + 2], first[start + 3], 0xFF]
        record.append(0xE0 | UInt8(sequence.count))
        for unit in sequence { append(unit, to: &record) }
        record.append(UInt8(frame.count))
        for unit in frame { append(unit, to: &record) }
        if let format = highProfileFormat(first) { record += ending(format) }
        return record
    }

    /// The end of a record of a high profile.
    static func ending(_ format: HighFormat) -> [UInt8] {
        [0xFC | format.chroma, 0xF8 | format.lumaDepth, 0xF8 | format.chromaDepth, 0]
    }

    static func append(_ unit: ArraySlice<UInt8>, to record: inout [UInt8]) {
        record.append(UInt8(truncatingIfNeeded: unit.count >> 8))
        record.append(UInt8(truncatingIfNeeded: unit.count))
        record += unit
    }

    /// Chroma format and depths (minus 8).
    typealias HighFormat = (chroma: UInt8, lumaDepth: UInt8, chromaDepth: UInt8)

    /// Of the profiles whose record ends with them.
    static func highProfileFormat(_ unit: ArraySlice<UInt8>) -> HighFormat? {
        let profile = unit[unit.startIndex + 1]
        guard [100, 110, 122, 144, 244].contains(profile) else { return nil }
        var reader = BitReader(unescaping: unit.dropFirst(4))
        _ = reader.unsigned()  // seq_parameter_set_id
        let chroma = reader.unsigned()
        if chroma == 3 { reader.skip(1) }  // separate_colour_plane_flag
        let luma = reader.unsigned()
        let chromaDepth = reader.unsigned()
        guard !reader.isExhausted, chroma < 4, luma < 8, chromaDepth < 8 else { return nil }
        return (UInt8(chroma), UInt8(luma), UInt8(chromaDepth))
    }
}
