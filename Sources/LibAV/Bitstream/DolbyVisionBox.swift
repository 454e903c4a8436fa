internal import CFFmpeg
internal import Media

/// Dolby Vision's configuration between MP4's box (`dvcC`, `dvvC`, `dvwC`), which is the form it has here, and
/// libavformat's record.
///
/// Source: Dolby Vision Streams Within the ISO Base Media File Format, 2.1, 3.2.
enum DolbyVisionBox {
    /// Of the whole box, its head included (bytes).
    private static let size = 32

    /// - Returns: empty for none.
    static func bytes(of stream: UnsafeMutablePointer<AVStream>) -> [UInt8] {
        var count = 0
        let wanted = MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
        guard let data = av_stream_get_side_data(stream, AV_PKT_DATA_DOVI_CONF, &count),
            count >= wanted
        else { return [] }
        let record = UnsafeRawPointer(data)
            .loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
        let name =
            record.dv_profile > 10 ? "dvwC" : record.dv_profile > 7 ? "dvvC" : "dvcC"
        let flags =
            UInt16(record.dv_profile & 127) << 9 | UInt16(record.dv_level & 63) << 3
            | UInt16(record.rpu_present_flag & 1) << 2 | UInt16(record.el_present_flag & 1) << 1
            | UInt16(record.bl_present_flag & 1)
        let body: [UInt8] = [
            record.dv_version_major, record.dv_version_minor, UInt8(flags >> 8), UInt8(flags & 255),
            record.dv_bl_signal_compatibility_id << 4,
        ]
        let head: [UInt8] = [0, 0, 0, UInt8(size)] + Array(name.utf8)
        return head + body + [UInt8](repeating: 0, count: size - head.count - body.count)
    }

    /// Gives a stream the configuration of a box; a box that is none is left out.
    static func set(
        _ box: [UInt8], of stream: UnsafeMutablePointer<AVStream>
    ) throws(MediaError) {
        guard box.count >= 13, [UInt8]("dv".utf8).elementsEqual(box[4..<6]) else { return }
        let count = MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
        guard let data = av_stream_new_side_data(stream, AV_PKT_DATA_DOVI_CONF, count) else {
            throw .memory(
                "av_stream_new_side_data", "Dolby Vision's configuration", code: .encoderFailed)
        }
        let flags = UInt16(box[10]) << 8 | UInt16(box[11])
        var record = AVDOVIDecoderConfigurationRecord()
        (record.dv_version_major, record.dv_version_minor) = (box[8], box[9])
        record.dv_profile = UInt8(flags >> 9)
        record.dv_level = UInt8(flags >> 3 & 63)
        record.rpu_present_flag = UInt8(flags >> 2 & 1)
        record.el_present_flag = UInt8(flags >> 1 & 1)
        record.bl_present_flag = UInt8(flags & 1)
        record.dv_bl_signal_compatibility_id = box[12] >> 4
        UnsafeMutableRawPointer(data)
            .storeBytes(of: record, as: AVDOVIDecoderConfigurationRecord.self)
    }
}
