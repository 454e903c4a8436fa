package import Media

/// How the lines of coded pictures were taken, as the stream's headers tell.
package enum ScanType: Sendable {
    case progressive
    /// Two fields a picture, one after the other in time.
    case interlaced
    /// The headers do not tell.
    case unknown

    package init(_ format: VideoFormat) {
        switch format.codec {
        case .h264: self = Self.avc(format.codecConfiguration)
        case .hevc: self = Self.hevc(format.codecConfiguration)
        case .mpeg2video: self = Self.mpeg2(format.codecConfiguration)
        default: self = .unknown
        }
    }

    /// `general_progressive_source_flag` and `general_interlaced_source_flag`
    /// (ISO/IEC 14496-15, 8.3.3.1.2; ITU-T H.265, 7.4.4).
    private static func hevc(_ record: [UInt8]) -> ScanType {
        guard record.count > 22 else { return .unknown }
        switch record[6] >> 6 {
        case 0b10: return .progressive
        case 0b01: return .interlaced
        default: return .unknown
        }
    }

    /// `progressive_sequence` of the sequence extension (ISO/IEC 13818-2, 6.2.2.3).
    private static func mpeg2(_ header: [UInt8]) -> ScanType {
        let mark: [UInt8] = [0, 0, 1, 0xB5]
        guard header.count > 6 else { return .unknown }
        for start in 0..<header.count - 5
        where header[start..<start + 4].elementsEqual(mark) && header[start + 4] >> 4 == 1 {
            return header[start + 5] & 8 != 0 ? .progressive : .interlaced
        }
        return .unknown
    }

    /// `frame_mbs_only_flag` of the first sequence parameter set (ITU-T H.264, 7.3.2.1.1).
    private static func avc(_ record: [UInt8]) -> ScanType {
        guard record.count > 8, record[5] & 31 > 0 else { return .unknown }
        let size = Int(record[6]) << 8 | Int(record[7])
        let unit = record.dropFirst(8).prefix(size)
        guard unit.count == size, size > 4, let profile = unit.dropFirst().first else {
            return .unknown
        }
        var reader = BitReader(unescaping: unit.dropFirst(4))
        _ = reader.unsigned()  // seq_parameter_set_id
        if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
            skipHighProfile(&reader)
        }
        _ = reader.unsigned()  // log2_max_frame_num_minus4
        switch reader.unsigned() {  // pic_order_cnt_type
        case 0: _ = reader.unsigned()
        case 1:
            reader.skip(1)
            _ = (reader.unsigned(), reader.unsigned())
            let cycle = reader.unsigned()
            guard cycle < 256 else { return .unknown }
            for _ in 0..<cycle { _ = reader.unsigned() }
        default: break
        }
        _ = reader.unsigned()  // max_num_ref_frames
        reader.skip(1)  // gaps_in_frame_num_value_allowed_flag
        _ = (reader.unsigned(), reader.unsigned())  // width and height in macroblocks
        let isProgressive = reader.flag()
        return reader.isExhausted ? .unknown : isProgressive ? .progressive : .interlaced
    }

    /// Chroma format, depths and scaling lists.
    private static func skipHighProfile(_ reader: inout BitReader) {
        let chroma = reader.unsigned()
        if chroma == 3 { reader.skip(1) }
        _ = (reader.unsigned(), reader.unsigned())
        reader.skip(1)
        guard reader.flag() else { return }
        for list in 0..<(chroma == 3 ? 12 : 8) where reader.flag() {
            var (last, next) = (Int64(8), Int64(8))
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
                let code = Int64(reader.unsigned())
                let delta = code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
                next = (last + delta + 256) % 256
                last = next == 0 ? last : next
            }
        }
    }
}
