package import LibAV
public import Media

/// How a video track is encoded. `validate()` names the field that is wrong.
public struct VideoOutputSettings: Sendable, Hashable {
    /// *codec of the track (one of `VideoCodec.encodable`; av1 and vp9 for files that are not written in real time;
    /// default h264)*
    public var codec: VideoCodec
    /// *quality or size (see the cases; default quality 20 for H.264, 23 for HEVC, 30 for AV1, 31 for VP9, 3 for MJPEG;
    /// FFV1 is lossless, ProRes 4444 has a quality of its own: both take none)*
    public var rate: Rate?
    /// *speed against size, in x264's words (ultrafast…placebo; default veryfast; for h264, hevc, av1 and vp9, the others
    /// have none)*
    public var preset: String?
    /// *longest distance of sync samples (seconds; above 0, at most 10 s; default 1 s)*
    public var keyFrameInterval: MediaTime
    /// *longest distance of sync samples in frames, in the place of `keyFrameInterval` (frames; 1…1,000; h264, hevc,
    /// av1 and vp9; default none)*
    public var keyFrameIntervalFrames: Int?
    /// *encoder threads (count; 1…16; default by the machine's cores)*
    public var threads: Int?
    /// *what of the codec is used (h264: baseline, main or high; hevc: main or main10; default: what the preset makes
    /// of the frames)*
    public var profile: VideoProfile?
    /// *what the stream says that decoders must be able to do (h264 and hevc; default: what it takes). One that does
    /// not hold size and rate is refused*
    public var level: VideoLevel?
    /// *width of the stored frame, before the source's orientation (pixels; even, 16…16,384; with `height`; default
    /// the source's)*
    public var width: Int?
    /// *height of the stored frame (pixels; even, 16…16,384; with `width`; default the source's)*
    public var height: Int?
    /// *how frames of another shape come into `width` and `height` (default `resizeAspect`)*
    public var scalingMode: VideoScalingMode
    /// *rate that encoder and container are promised; the stamps stay as they are (frames per second; at most 1,000;
    /// default the source's)*
    public var expectedFrameRate: FrameRate?
    /// *shape of a pixel of the track (each part 1…65,535; default the source's, square where `width` and `height` are
    /// given). Without `width` and `height` the pixels stay as they are and get this shape*
    public var pixelAspect: PixelAspect?
    /// *part of the stored frame that is meant to be seen (within it; mp4 and mov; default all of it)*
    public var cleanAperture: CleanAperture?
    /// *what the codes of the track mean; frames are converted to it (default the source's; what it leaves open is as
    /// the source's)*
    public var color: ColorDescription?

    /// Which of two passes over the same frames this is.
    package var pass: EncodingPass?

    public enum Rate: Sendable, Hashable {
        /// Constant quality in the codec's own scale (`VideoCodec.qualities`: CRF 0…51, of AV1 1…63 and VP9 0…63; MJPEG
        /// quantiser 1…31), lower is better.
        case quality(Double)
        /// Average bit rate (bits per second; 10,000…1,000,000,000).
        case bitrate(Int)
    }

    public init(
        codec: VideoCodec = .h264, rate: Rate? = nil, preset: String? = nil,
        keyFrameInterval: MediaTime = .seconds(1), threads: Int? = nil, width: Int? = nil,
        height: Int? = nil, scalingMode: VideoScalingMode = .resizeAspect
    ) {
        self.codec = codec
        self.rate = rate
        self.preset = preset
        self.keyFrameInterval = keyFrameInterval
        self.threads = threads
        self.width = width
        self.height = height
        self.scalingMode = scalingMode
    }

    /// Whether the codec's encoder has presets.
    package var hasPresets: Bool { codec.isPredictive }
}
