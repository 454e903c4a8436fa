/// What an H.264 picture parameter set says that slice headers depend on (7.3.2.2), as it stands there.
struct AVCPictureFields: Sendable {
    /// `pic_parameter_set_id`
    let id: UInt64
    /// `seq_parameter_set_id`
    let sequence: UInt64
    /// Bits up to and with both numbers, the unit's header not counted.
    let numbersEnd: Int
    /// `entropy_coding_mode_flag`
    let isArithmetic: Bool
    /// `bottom_field_pic_order_in_frame_present_flag`
    let hasFieldOrder: Bool
    /// `slice_group_change_rate_minus1` of groups whose extent changes from picture to picture
    private(set) var groupChangeRate: UInt64?
    /// `num_ref_idx_l0_default_active_minus1` and that of the other list
    let lastReferences: (first: UInt64, second: UInt64)
    /// `weighted_pred_flag`
    let isWeighted: Bool
    /// `weighted_bipred_idc`
    let biprediction: UInt64
    /// `deblocking_filter_control_present_flag`
    let hasDeblocking: Bool
    /// `redundant_pic_cnt_present_flag`
    let hasRedundancy: Bool

    /// Reads what follows the unit's header up to `redundant_pic_cnt_present_flag`.
    /// - Returns: nil for a set that is cut or cannot be.
    init?(_ reader: inout BitReader) {
        id = reader.unsigned()
        sequence = reader.unsigned()
        numbersEnd = reader.position
        isArithmetic = reader.flag()
        hasFieldOrder = reader.flag()
        let lastGroup = reader.unsigned()
        guard id < 256, sequence < 32, lastGroup < 8 else { return nil }
        if lastGroup > 0 {
            let type = reader.unsigned()
            guard type < 7 else { return nil }
            groupChangeRate = Self.skipGroups(&reader, type, lastGroup)
        }
        lastReferences = (reader.unsigned(), reader.unsigned())
        isWeighted = reader.flag()
        biprediction = reader.bits(2)
        for _ in 0..<3 { _ = reader.unsigned() }  // quantisers
        hasDeblocking = reader.flag()
        reader.skip(1)
        hasRedundancy = reader.flag()
        guard !reader.isExhausted, lastReferences.first < 32, lastReferences.second < 32 else {
            return nil
        }
    }

    /// - Returns: `slice_group_change_rate_minus1`, where there is one.
    private static func skipGroups(
        _ reader: inout BitReader, _ type: UInt64, _ lastGroup: UInt64
    ) -> UInt64? {
        switch type {
        case 0: for _ in 0...lastGroup { _ = reader.unsigned() }
        case 2: for _ in 0..<lastGroup { _ = (reader.unsigned(), reader.unsigned()) }
        case 3, 4, 5:
            reader.skip(1)
            return reader.unsigned()
        case 6:
            let count = reader.unsigned() + 1
            reader.skip(Int(count) * (lastGroup > 3 ? 3 : lastGroup > 1 ? 2 : 1))
        default: break
        }
        return nil
    }
}
