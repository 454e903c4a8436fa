package import Media

/// H.264 and HEVC samples as cameras deliver them: units behind start codes, the parameter sets in
/// the stream (Annex B of both standards). Reentrant.
package enum AnnexB {
    /// The configuration record (avcC, hvcC) of the parameter sets in a sample; `nil` when it lacks any.
    package static func configuration(in sample: BlockBuffer, codec: VideoCodec) -> [UInt8]? {
        guard let kind = NALCodec(codec) else { return nil }
        let bytes = sample.bytes
        let sets = bytes.withUnsafeBytes { memory in
            NALUnits.annexBUnits(in: memory)
                .filter { kind.isOutOfBand(memory[$0.lowerBound]) }
        }
        let stream = sets.flatMap { [0, 0, 0, 1] + bytes[$0] }
        return kind == .h264
            ? AVCConfiguration.record(fromAnnexB: stream)
            : HEVCConfiguration.record(fromAnnexB: stream)
    }

    /// The sample with 4-byte lengths.
    /// - Parameter keepingParameterSets: for a sample whose sets are not those of the track.
    package static func lengthPrefixed(
        _ sample: BlockBuffer, codec: VideoCodec, keepingParameterSets: Bool
    ) -> BlockBuffer {
        guard let kind = NALCodec(codec) else { return sample }
        return sample.withUnsafeBytes { bytes in
            NALUnits.lengthPrefixed(bytes) { first in
                keepingParameterSets ? kind.isDelimiter(first) : kind.isOutOfBand(first)
            }
        }
    }

    /// Whether decoding can start at the sample: H.264's IDR, HEVC's random access frames.
    package static func isSync(_ sample: BlockBuffer, codec: VideoCodec) -> Bool {
        guard let kind = NALCodec(codec) else { return true }
        return sample.withUnsafeBytes { bytes in
            NALUnits.annexBUnits(in: bytes).contains { unit in
                let type = kind.type(bytes[unit.lowerBound])
                return kind == .h264 ? type == 5 : (16...21).contains(type)
            }
        }
    }
}

extension NALCodec {
    fileprivate init?(_ codec: VideoCodec) {
        switch codec {
        case .h264: self = .h264
        case .hevc: self = .hevc
        default: return nil
        }
    }
}
