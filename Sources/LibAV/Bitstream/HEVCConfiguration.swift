/// `HEVCDecoderConfigurationRecord` (ISO/IEC 14496-15, 8.3.3.1): HEVC's parameter sets in MP4's form.
enum HEVCConfiguration {
    /// Builds the record from an Annex B stream of parameter sets; `nil` without VPS, SPS and PPS.
    static func record(fromAnnexB bytes: [UInt8]) -> [UInt8]? {
        let units = bytes.withUnsafeBytes { NALUnits.annexBUnits(in: $0) }.map { bytes[$0] }
        let types: [UInt8] = [32, 33, 34]  // VPS, SPS, PPS
        let arrays = types.map { type in
            units.filter { NALCodec.hevc.type($0[$0.startIndex]) == type }
        }
        guard arrays.allSatisfy({ !$0.isEmpty && $0.count < 256 }), let first = arrays[1].first,
            let sequence = Sequence(first)
        else { return nil }
        var record: [UInt8] = [1] + sequence.profileTierLevel
        record += [0xF0, 0, 0xFC]  // no spatial segmentation, parallelism unknown
        record += [0xFC | sequence.chroma, 0xF8 | sequence.lumaDepth, 0xF8 | sequence.chromaDepth]
        record += [0, 0]  // average frame rate unspecified
        record.append(sequence.layers << 3 | (sequence.isNested ? 4 : 0) | 3)
        record.append(UInt8(arrays.count))
        for (type, units) in zip(types, arrays) {
            record += [0x80 | type, 0, UInt8(units.count)]
            for unit in units {
                record.append(UInt8(truncatingIfNeeded: unit.count >> 8))
                record.append(UInt8(truncatingIfNeeded: unit.count))
                record += unit
            }
        }
        return record
    }

    /// What the record repeats of a sequence parameter set (H.265 7.3.2.2).
    struct Sequence {
        var profileTierLevel: [UInt8] = []
        var layers: UInt8
        var isNested: Bool
        var chroma: UInt8 = 0
        var lumaDepth: UInt8 = 0
        var chromaDepth: UInt8 = 0

        init?(_ unit: ArraySlice<UInt8>) {
            var reader = BitReader(unescaping: unit.dropFirst(2))
            reader.skip(4)
            let extraLayers = Int(reader.bits(3))
            layers = UInt8(extraLayers + 1)
            isNested = reader.flag()
            for _ in 0..<12 { profileTierLevel.append(UInt8(reader.bits(8))) }
            HEVCConfiguration.skipLayers(extraLayers, &reader)
            _ = reader.unsigned()  // sps_seq_parameter_set_id
            let chroma = reader.unsigned()
            if chroma == 3 { reader.skip(1) }
            _ = (reader.unsigned(), reader.unsigned())  // width, height
            if reader.flag() { for _ in 0..<4 { _ = reader.unsigned() } }  // conformance window
            let luma = reader.unsigned()
            let chromaDepth = reader.unsigned()
            guard !reader.isExhausted, chroma < 4, luma < 8, chromaDepth < 8 else { return nil }
            self.chroma = UInt8(chroma)
            lumaDepth = UInt8(luma)
            self.chromaDepth = UInt8(chromaDepth)
        }
    }

    /// What `profile_tier_level` says of the layers above the lowest (7.3.3).
    static func skipLayers(_ count: Int, _ reader: inout BitReader) {
        guard count > 0 else { return }
        let flags = (0..<count).map { _ in (profile: reader.flag(), level: reader.flag()) }
        reader.skip(2 * (8 - count))
        for flag in flags { reader.skip((flag.profile ? 88 : 0) + (flag.level ? 8 : 0)) }
    }
}
