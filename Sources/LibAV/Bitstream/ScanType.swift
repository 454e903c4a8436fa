package import Media

/// How the lines of coded frames were taken, as the stream's headers state, or, of codecs that have no place for it, the
/// container.
package enum ScanType: Sendable {
    case progressive
    /// Two fields a frame, one after the other in time.
    case interlaced
    /// It is not stated.
    case unknown

    /// - Parameter first: what the first sample states: ProRes has it there alone.
    package init(_ format: VideoFormat, first: FirstSample? = nil) {
        switch format.codec {
        case .h264: self = Self.avc(format.codecConfiguration)
        case .hevc: self = Self.hevc(format.codecConfiguration)
        case .mpeg2video: self = Self.mpeg2(format.codecConfiguration)
        case .prores: self = first?.scan ?? .unknown
        case let codec?:
            self = !codec.statesFields && format.fieldOrder != nil ? .interlaced : .unknown
        case nil: self = .unknown
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
        guard let unit = AVCSequence.first(of: record) else { return .unknown }
        var reader = BitReader(unescaping: unit.dropFirst())
        let isProgressive = AVCSequence.skipToUsability(&reader)
        return reader.isExhausted ? .unknown : isProgressive ? .progressive : .interlaced
    }
}

extension VideoCodec {
    /// Whether coded frames say themselves that they are interlaced and are believed where they do not. FFV1 is not one
    /// of them: before version 3 it has no place for it, and later ones say "progressive" of all frames that nobody
    /// labelled, which its decoder does not distinguish from nothing.
    package var statesFields: Bool {
        switch self {
        case .h264, .hevc, .mpeg2video, .mpeg4, .prores: true
        default: false
        }
    }
}
