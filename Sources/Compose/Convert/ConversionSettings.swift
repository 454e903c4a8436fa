public import Media
public import Writing

/// What a conversion changes. What is left open stays as the source has it, and is copied without encoding
/// where the container takes it. `validate()` names the field that is wrong.
public struct ConversionSettings: Sendable {
    /// What becomes of a kind of track.
    public enum Coding<Codec: Sendable & Hashable>: Sendable, Hashable {
        /// Copied where nothing is to be changed, else encoded: in the source's codec where that can be
        /// encoded, else in the container's usual one.
        case automatic
        /// Copied; what cannot be is refused.
        case copy
        /// In this codec: copied where it has that already.
        case codec(Codec)
        case leaveOut
    }

    /// What becomes of transparent pictures.
    public enum Transparency: Sendable, Hashable {
        /// Kept where the codec keeps it (ProRes, FFV1), else composed over `background`.
        case automatic
        /// Kept: without a codec of its own in ProRes 4444 (QuickTime) or FFV1 (Matroska); where container or codec
        /// cannot, the conversion is refused.
        case kept
        /// Composed over `background`.
        case composed
    }

    /// *what of the source is converted (movie time; default all)*
    public var range: MediaTimeRange?
    /// *how long a still picture shows, and the most of a movie that is converted (seconds; above 0; default
    /// all of a movie)*
    public var duration: MediaTime?
    /// *how often an animation is shown (count; 1…1,000; default once)*
    public var loops: Int
    /// *size of the upright picture (pixels; 2…16,384 and even; default the source's)*
    public var size: PixelSize?
    /// *how a picture of another shape comes into that size (default contain)*
    public var fit: FitMode
    /// *pan and zoom over a still picture, which then covers the frame (default none)*
    public var motion: PictureMotion?
    /// *what lies behind a picture that is transparent or does not cover the frame (default black)*
    public var background: Color
    /// *whether pictures stay transparent (default automatic)*
    public var transparency: Transparency
    /// *frames a second on an even grid (1/s; default the source's own times, however uneven)*
    public var frameRate: FrameRate?
    /// *of the pictures (default automatic)*
    public var video: Coding<VideoCodec>
    /// *of the sound (default automatic)*
    public var audio: Coding<AudioCodec>
    /// *quality or bit rate of encoded pictures (default as `VideoOutputSettings`)*
    public var rate: VideoOutputSettings.Rate?
    /// *speed against size in the encoder's words (default veryfast)*
    public var preset: String?
    /// *longest distance of sync samples (seconds; default: 2 s in encoded pictures, and those of copied ones as they
    /// are)*
    public var keyFrameInterval: MediaTime?
    /// *whether an existing regular file is replaced (default no)*
    public var overwrites: Bool
    /// *whether players can begin with the movie's first bytes (default no; MP4 and QuickTime only)*
    public var isNetworkReady: Bool
    /// *the program that writes the movie (default none)*
    public var software: String?

    public init() {
        loops = 1
        fit = .contain
        background = .black
        transparency = .automatic
        video = .automatic
        audio = .automatic
        overwrites = false
        isNetworkReady = false
    }

    /// - Throws: `invalid-setting`, naming the field.
    public func validate() throws(MediaError) {
        if let range, range.start < .zero || range.isEmpty {
            throw .setting(
                "range", "The range to convert begins before the movie or has no length.")
        }
        if let duration, duration <= .zero || duration > .seconds(24 * 3600) {
            throw .setting("duration", "The duration must be above 0 and at most 24 hours.")
        }
        guard (1...1000).contains(loops) else {
            throw .setting("loops", "\(loops) times are outside 1 to 1000.")
        }
        if let size {
            for side in [size.width, size.height]
            where !(2...16_384).contains(side) || side % 2 != 0 {
                throw .setting(
                    "size", "The size \(size.width)x\(size.height) needs even sides of 2 to 16384.")
            }
        }
        try motion?.validate()
        if video == .leaveOut, audio == .leaveOut {
            throw .setting("tracks", "Video and audio are both left out: nothing remains.")
        }
    }

    /// Whether pictures cannot stay as they are coded, whatever they are.
    var changesFrames: [String] {
        [
            rate.map { rate in
                switch rate {
                case .quality(let value): "quality \(value.formatted) is asked for"
                case .bitrate(let value): "\(value / 1000) kbit/s are asked for"
                }
            }, preset.map { "the encoder's preset \($0) is asked for" },
        ].compactMap { $0 }
    }
}

extension Double {
    /// Without a fraction where there is none.
    fileprivate var formatted: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
