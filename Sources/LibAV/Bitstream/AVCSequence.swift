/// `seq_parameter_set_data` (H.264, 7.3.2.1.1).
enum AVCSequence {
    /// Profiles whose set describes chroma, depths and scaling.
    private static let highProfiles: Set<UInt64> = [
        100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
    ]

    /// Up to `vui_parameters_present_flag`.
    /// - Returns: whether frames are never of two fields (`frame_mbs_only_flag`).
    @discardableResult
    static func skipToUsability(_ reader: inout BitReader) -> Bool {
        let profile = reader.bits(8)
        reader.skip(16)
        _ = reader.unsigned()  // seq_parameter_set_id
        if highProfiles.contains(profile) { skipHigh(&reader) }
        _ = reader.unsigned()  // log2_max_frame_num_minus4
        switch reader.unsigned() {  // pic_order_cnt_type
        case 0: _ = reader.unsigned()
        case 1:
            reader.skip(1)
            _ = (reader.unsigned(), reader.unsigned())
            for _ in 0..<min(255, reader.unsigned()) { _ = reader.unsigned() }
        default: break
        }
        _ = reader.unsigned()  // max_num_ref_frames
        reader.skip(1)
        _ = (reader.unsigned(), reader.unsigned())  // width, height
        let isProgressive = reader.flag()
        if !isProgressive { reader.skip(1) }
        reader.skip(1)
        if reader.flag() { for _ in 0..<4 { _ = reader.unsigned() } }  // cropping
        return isProgressive
    }

    private static func skipHigh(_ reader: inout BitReader) {
        let chroma = reader.unsigned()
        if chroma == 3 { reader.skip(1) }
        _ = (reader.unsigned(), reader.unsigned())  // depths
        reader.skip(1)
        guard reader.flag() else { return }
        for list in 0..<(chroma == 3 ? 12 : 8) where reader.flag() {
            var (last, next) = (Int64(8), Int64(8))
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
                next = (last + reader.signed() + 256) % 256
                if next != 0 { last = next }
            }
        }
    }

    /// The first sequence parameter set of a decoder configuration record.
    static func first(of record: [UInt8]) -> ArraySlice<UInt8>? {
        guard record.count > 8, record[0] == 1, record[5] & 31 > 0 else { return nil }
        return unit(record[6...])
    }

    /// A unit behind the two bytes of its length.
    static func unit(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count > 2 else { return nil }
        let size = Int(bytes[bytes.startIndex]) << 8 | Int(bytes[bytes.startIndex + 1])
        guard size > 0, bytes.count >= 2 + size else { return nil }
        return bytes.dropFirst(2).prefix(size)
    }
}
