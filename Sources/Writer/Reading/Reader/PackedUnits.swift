internal import LibAV
internal import Media

/// How an MP4 track's samples are packed: H.264 and HEVC come with lengths of 1, 2 or 4 bytes, and
/// everything in vcap takes 4.
struct PackedUnits: Sendable {
    /// The format with 4-byte lengths announced.
    let format: FormatDescription
    /// Of a unit's length in the file (bytes).
    let lengthSize: Int

    init(_ format: FormatDescription) {
        guard case .video(var video) = format, video.codec == .h264 || video.codec == .hevc else {
            self.format = format
            lengthSize = 4
            return
        }
        let place = video.codec == .hevc ? 21 : 4
        guard video.codecConfiguration.count > place, video.codecConfiguration[0] == 1 else {
            self.format = format
            lengthSize = 4
            return
        }
        lengthSize = Int(video.codecConfiguration[place] & 3) + 1
        video.codecConfiguration[place] |= 3
        self.format = .video(video)
    }

    /// The sample with 4-byte lengths; `nil` when its lengths do not fit it.
    func withFourByteLengths(_ block: BlockBuffer) -> BlockBuffer? {
        lengthSize == 4 ? block : NALSample.widened(block, from: lengthSize)
    }
}
