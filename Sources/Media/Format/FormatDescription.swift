/// What the samples of one track are. Immutable while the track lives, but for what a source
/// announces with `SourceEvent.resumed`.
public enum FormatDescription: Sendable, Hashable {
    case video(VideoFormat)
    case audio(AudioFormat)
    case text(TextFormat)
    case metadata(MetadataFormat)

    public var mediaType: MediaType {
        switch self {
        case .video: .video
        case .audio: .audio
        case .text: .text
        case .metadata: .metadata
        }
    }

    public var video: VideoFormat? {
        if case .video(let format) = self { format } else { nil }
    }

    public var audio: AudioFormat? {
        if case .audio(let format) = self { format } else { nil }
    }

    public var text: TextFormat? {
        if case .text(let format) = self { format } else { nil }
    }

    public var metadata: MetadataFormat? {
        if case .metadata(let format) = self { format } else { nil }
    }
}

/// The format of a video track: raw frames or coded samples.
public struct VideoFormat: Sendable, Hashable {
    /// Raw frames of a pixel format, or samples of a codec.
    public enum Coding: Sendable, Hashable {
        case raw(PixelFormat)
        case coded(VideoCodec)
    }

    public var coding: Coding
    /// Size of the stored frame (pixels; positive).
    public var width: Int
    public var height: Int
    public var color: ColorDescription
    /// What the frames' colours and light were judged on; nil: not stated.
    public var masteringDisplay: MasteringDisplay?
    /// How bright the frames become; nil: not stated.
    public var contentLight: ContentLightLevel?
    /// Width of a pixel relative to its height.
    public var pixelAspect: PixelAspect
    /// The part of the stored frame that is meant to be seen; nil: all of it.
    public var cleanAperture: CleanAperture?
    /// How the stored frame must be rotated to be upright.
    public var orientation: VideoOrientation
    /// Which field of each frame was taken first, where the container states that frames are interlaced; nil: it does
    /// not. Of codecs whose frames state it themselves (H.264, HEVC, MPEG-2, MPEG-4, ProRes) those are right.
    public var fieldOrder: FieldOrder?
    /// The rate the source promises; the samples' own stamps are the truth.
    public var nominalRate: FrameRate?
    /// Codec configuration in MP4's form (avcC, hvcC, …); for H.264 and HEVC samples are then
    /// length-prefixed with 4 bytes. Empty: Annex B or no configuration.
    public var codecConfiguration: [UInt8]
    /// What the values are where they are no light but distances (`gray16le`, or coded so); nil: a frame to be seen.
    public var depth: DepthFormat?
    /// How a sensor's raw values lie in samples of `rawvideo`; nil: the samples are nothing of that kind.
    public var bayer: BayerFormat?

    public init(
        coding: Coding, width: Int, height: Int, color: ColorDescription = .unspecified,
        pixelAspect: PixelAspect = .square, orientation: VideoOrientation = .upright,
        nominalRate: FrameRate? = nil, codecConfiguration: [UInt8] = []
    ) {
        self.coding = coding
        self.width = width
        self.height = height
        self.color = color
        self.pixelAspect = pixelAspect
        self.orientation = orientation
        self.nominalRate = nominalRate
        self.codecConfiguration = codecConfiguration
    }

    public var pixelFormat: PixelFormat? {
        if case .raw(let format) = coding { format } else { nil }
    }

    public var codec: VideoCodec? {
        if case .coded(let codec) = coding { codec } else { nil }
    }

    /// Whether samples build on others.
    package var isPredicted: Bool {
        guard let codec else { return false }
        return codec != .mjpeg && bayer == nil
    }
}

/// The shape of a pixel, width to height; both parts are positive. What is to show or write frames of another one
/// refuses it (`invalidSetting`).
public struct PixelAspect: Sendable, Hashable, Codable {
    public var horizontal: Int32
    public var vertical: Int32

    public init(_ horizontal: Int32, _ vertical: Int32) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    public static let square = PixelAspect(1, 1)

    /// Whether a pixel can have the shape.
    package var isShape: Bool { horizontal > 0 && vertical > 0 }
}

/// The format of an audio track: interleaved PCM or coded samples.
/// An audio *frame* is one sample per channel.
public struct AudioFormat: Sendable, Hashable {
    public enum Coding: Sendable, Hashable {
        /// Interleaved PCM in memory.
        case raw(AudioSampleFormat)
        case coded(AudioCodec)
    }

    public var coding: Coding
    /// Frames per second (Hz; 1…768,000).
    public var sampleRate: Int
    /// Channels (count; 1…64), in the default order of the count.
    public var channels: Int
    /// Codec configuration in MP4's form (AudioSpecificConfig, dOps body, STREAMINFO, ALAC's
    /// 24 bytes); empty for PCM.
    public var codecConfiguration: [UInt8]
    /// Coded frames to discard from the start of the track (frames; encoder delay).
    public var primingFrames: Int
    /// Frames a coded sample holds, when constant (frames).
    public var framesPerPacket: Int?
    /// How samples are packed into blocks of bytes (ADPCM; nil for everything else).
    public var blocks: Blocks?

    /// Blocks that are decoded each by itself.
    public struct Blocks: Sendable, Hashable {
        /// Length of a block (bytes).
        public var bytes: Int
        /// Width of a coded sample (bits).
        public var sampleBits: Int

        public init(bytes: Int, sampleBits: Int) {
            self.bytes = bytes
            self.sampleBits = sampleBits
        }
    }

    public init(
        coding: Coding, sampleRate: Int, channels: Int, codecConfiguration: [UInt8] = [],
        primingFrames: Int = 0, framesPerPacket: Int? = nil, blocks: Blocks? = nil
    ) {
        self.coding = coding
        self.sampleRate = sampleRate
        self.channels = channels
        self.codecConfiguration = codecConfiguration
        self.primingFrames = primingFrames
        self.framesPerPacket = framesPerPacket
        self.blocks = blocks
    }

    public var sampleFormat: AudioSampleFormat? {
        if case .raw(let format) = coding { format } else { nil }
    }

    public var codec: AudioCodec? {
        if case .coded(let codec) = coding { codec } else { nil }
    }

    /// Bytes of one interleaved raw frame; 0 for coded audio.
    public var bytesPerFrame: Int { (sampleFormat?.bytes ?? 0) * channels }
}

/// One raw audio sample in memory, native endian.
public enum AudioSampleFormat: String, Sendable, Hashable, Codable {
    case int16, int32, float32

    public var bytes: Int { self == .int16 ? 2 : 4 }
}
