/// `seq_parameter_set_data` (H.264, 7.3.2.1.1).
enum AVCSequence {
    /// Up to `vui_parameters_present_flag`.
    /// - Returns: whether frames are never of two fields (`frame_mbs_only_flag`).
    @discardableResult
    static func skipToUsability(_ reader: inout BitReader) -> Bool {
        AVCSequenceFields(&reader).isProgressive
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
