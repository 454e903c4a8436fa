package import Media

/// A camera's H.264 or HEVC as it comes over the wire (Annex B of both standards), brought into the
/// form tracks hold: parameter sets in the format, samples length-prefixed.
package struct AnnexBStream: Sendable {
    /// The format with its configuration.
    package let format: VideoFormat
    private let codec: NALCodec

    /// - Parameter sample: one that carries parameter sets; `nil` when it does not.
    package init?(_ format: VideoFormat, parameterSetsIn sample: BlockBuffer) {
        guard let codec = Self.codec(of: format) else { return nil }
        let record =
            codec == .h264
            ? AVCConfiguration.record(fromAnnexB: sample.bytes)
            : HEVCConfiguration.record(fromAnnexB: sample.bytes)
        guard let record else { return nil }
        self.codec = codec
        var described = format
        described.codecConfiguration = record
        self.format = described
    }

    /// The sample length-prefixed, without parameter sets and fillers; and whether decoding can
    /// start at it.
    package func sample(from bytes: BlockBuffer) -> (block: BlockBuffer, isSync: Bool) {
        bytes.withUnsafeBytes { memory in
            let types = NALUnits.annexBUnits(in: memory).map { codec.type(memory[$0.lowerBound]) }
            // an IDR frame of H.264; any random access frame of HEVC
            let isSync = types.contains { codec == .h264 ? $0 == 5 : (16...21).contains($0) }
            let block = NALUnits.lengthPrefixed(memory) { codec.isOutOfBand($0) }
            return (block, isSync)
        }
    }

    private static func codec(of format: VideoFormat) -> NALCodec? {
        switch format.codec {
        case .h264: .h264
        case .hevc: .hevc
        default: nil
        }
    }
}
