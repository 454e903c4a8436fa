internal import LibAV
internal import Media

/// Passes on the samples of a camera that codes H.264 or HEVC itself, in MP4's form. The format is
/// complete with the first sample, a sync sample that brings the parameter sets. Thread-safe.
final class AnnexBPassThrough: TrackEncoder {
    let fingerprint: String? = nil
    private let codec: VideoCodec
    private let source: VideoFormat
    private let configuration = Lock<[UInt8]>([])

    /// - Returns: `nil` when the format is complete or of another codec.
    init?(format: FormatDescription) {
        guard let video = format.video, let codec = video.codec, codec == .h264 || codec == .hevc,
            video.codecConfiguration.isEmpty
        else { return nil }
        self.codec = codec
        source = video
    }

    var isFormatKnown: Bool { configuration.withLock { !$0.isEmpty } }

    var format: FormatDescription {
        var format = source
        format.codecConfiguration = configuration.withLock { $0 }
        return .video(format)
    }

    func encode(_ sample: SampleBuffer) throws(MediaError) -> [SampleBuffer] {
        guard let block = sample.block else { return [] }
        let sets = AnnexB.configuration(in: block, codec: codec)
        let known = configuration.withLock { configuration in
            if configuration.isEmpty, let sets { configuration = sets }
            return configuration
        }
        guard !known.isEmpty else {
            throw MediaError(
                code: .unsupported, subject: codec.rawValue,
                message: "Cannot copy the camera's \(codec.rawValue): its first sync sample brings "
                    + "no parameter sets; let it be encoded instead (--codec h264).")
        }
        var result = sample
        result.payload = .coded(
            AnnexB.lengthPrefixed(
                block, codec: codec, keepingParameterSets: sets != nil && sets != known))
        result.format = format
        return [result]
    }

    func finish() -> [SampleBuffer] { [] }
}
