/// What an H.264 sequence parameter set says that slice headers depend on (7.3.2.1.1), as it stands there.
struct AVCSequenceFields: Sendable {
    /// Profiles whose set describes chroma, depths and scaling.
    private static let highProfiles: Set<UInt64> = [
        100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
    ]

    /// `seq_parameter_set_id`
    let id: UInt64
    /// `chroma_format_idc`
    private(set) var chroma: UInt64 = 1
    /// `separate_colour_plane_flag`
    private(set) var hasSeparatePlanes = false
    /// `log2_max_frame_num_minus4`
    let frameNumber: UInt64
    /// `pic_order_cnt_type`
    let orderType: UInt64
    /// `log2_max_pic_order_cnt_lsb_minus4`
    private(set) var order: UInt64 = 0
    /// `delta_pic_order_always_zero_flag`
    private(set) var hasNoOrderDelta = false
    /// `pic_width_in_mbs_minus1` and `pic_height_in_map_units_minus1`
    let last: (column: UInt64, row: UInt64)
    /// `frame_mbs_only_flag`
    let isProgressive: Bool

    /// Reads from `profile_idc` up to `vui_parameters_present_flag`.
    init(_ reader: inout BitReader) {
        let profile = reader.bits(8)
        reader.skip(16)
        id = reader.unsigned()
        if Self.highProfiles.contains(profile) {
            chroma = reader.unsigned()
            if chroma == 3 { hasSeparatePlanes = reader.flag() }
            Self.skipDepths(&reader, lists: chroma == 3 ? 12 : 8)
        }
        frameNumber = reader.unsigned()
        orderType = reader.unsigned()
        switch orderType {
        case 0: order = reader.unsigned()
        case 1:
            hasNoOrderDelta = reader.flag()
            _ = (reader.unsigned(), reader.unsigned())
            for _ in 0..<min(255, reader.unsigned()) { _ = reader.unsigned() }
        default: break
        }
        _ = reader.unsigned()  // max_num_ref_frames
        reader.skip(1)
        last = (reader.unsigned(), reader.unsigned())
        isProgressive = reader.flag()
        if !isProgressive { reader.skip(1) }
        reader.skip(1)
        if reader.flag() { for _ in 0..<4 { _ = reader.unsigned() } }  // cropping
    }

    private static func skipDepths(_ reader: inout BitReader, lists: Int) {
        _ = (reader.unsigned(), reader.unsigned())
        reader.skip(1)
        guard reader.flag() else { return }
        for list in 0..<lists where reader.flag() {
            var (last, next) = (Int64(8), Int64(8))
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
                next = (last + reader.signed() + 256) % 256
                if next != 0 { last = next }
            }
        }
    }
}
