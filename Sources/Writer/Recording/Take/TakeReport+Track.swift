public import Media

extension TakeReport {
    /// What became of one source.
    public struct Track: Sendable, Hashable, Codable {
        /// Index in the recorder's list of sources.
        public var index: Int
        /// The movie's track (count from 0); mixed microphones share one. −1: the movie has none of it.
        public var movieTrack: Int
        public var mediaType: MediaType
        /// The device's identity.
        public var origin: SourceOrigin
        /// What the source delivered.
        public var granted: GrantedFormat
        /// What was chosen of what the device has, and why, in the words of the one who opened it.
        public var explanation: String?
        /// The codec in the movie.
        public var codec: String
        /// Video frames, audio frames or metadata samples of the movie, filled ones included; mixed microphones
        /// have the same (frames).
        public var frames: Int64
        /// Frames of the movie that the recorder made to fill gaps (silent audio frames, repeated video
        /// frames).
        public var filledFrames: Int64
        /// Frames per second as stamped, gaps and pauses left out; `nil` for audio.
        public var measuredRate: Double?
        /// Frames that the movie lacks, by cause.
        public var drops: [String: Int]
        /// Frames lost while the movie was paused, by cause: it lacks none of them; `nil` for none.
        public var dropsInPauses: [String: Int]?
        public var gaps: [Gap]
        /// Gaps that lie wholly in pauses (count); `nil` for none.
        public var gapsInPauses: Int?
        /// Spans in which the source delivered, but was black, frozen or silent; `nil` for none.
        public var conditions: [Condition]?
        /// Presets that its frames went over to under pressure, and back; `nil` for none.
        public var presets: [PresetChange]?
        /// When its first frame shows, where that is its first sync sample and not the movie's start (movie time): a
        /// camera that codes itself was joined between two; `nil` otherwise.
        public var firstFrame: TakeTime?
        /// What became of the frames that a detector was to look at, since the recorder was started; `nil` where the
        /// source detects nothing.
        public var detections: DetectionCounts?
        /// What each filter did with the frames of the movie, in their order; `nil` where there is none. Frames that the
        /// recorder repeated count once.
        public var filters: [FilterCounts]?
        /// Rate of the device's clock against the host clock (ppm; positive is fast); `nil` for
        /// video and when it could not be measured.
        public var driftPPM: Double?
        /// Largest distance of audio from its place on the session clock that the steering saw
        /// (seconds); `nil` for video.
        public var largestError: TakeTime?
        /// How often a microphone's clock was set anew: its audio continued by its count of frames (count); `nil` for
        /// never.
        public var clockSteps: Int?

        public init(
            index: Int, mediaType: MediaType, origin: SourceOrigin, granted: GrantedFormat,
            codec: String
        ) {
            self.index = index
            movieTrack = index
            self.mediaType = mediaType
            self.origin = origin
            self.granted = granted
            self.codec = codec
            frames = 0
            filledFrames = 0
            measuredRate = nil
            drops = [:]
            dropsInPauses = nil
            gaps = []
            gapsInPauses = nil
            conditions = nil
            presets = nil
            firstFrame = nil
            detections = nil
            filters = nil
            driftPPM = nil
            largestError = nil
            clockSteps = nil
        }
    }

    /// A span in which a source delivered nothing, filled with silence or the held last frame.
    public struct Gap: Sendable, Hashable, Codable {
        /// Where it begins in the movie (movie time).
        public var movieTime: TakeTime
        /// Where it begins on the host clock.
        public var hostTime: TakeTime
        /// How much of it is in the movie (movie time).
        public var length: TakeTime
        /// A drop cause (`overrun`), an interruption's reason (`device-gone`; `disabled` is by intent, and no
        /// shortcoming), `stalled`, `absent` (the take began without it) or `ended` (it had left its session, and came
        /// back).
        public var cause: String
    }

    /// Where a track is black, frozen or silent for long enough to count.
    public struct Condition: Sendable, Hashable, Codable {
        public var kind: TrackCondition
        /// Number of spans.
        public var count: Int
        /// Length of all spans (movie time).
        public var total: TakeTime
        /// The first hundred.
        public var spans: [Span]
    }

    /// A span of the movie.
    public struct Span: Sendable, Hashable, Codable {
        /// Where it begins (movie time).
        public var movieTime: TakeTime
        /// How much of it is in the movie (movie time).
        public var length: TakeTime
    }

    /// The format a device granted.
    public struct GrantedFormat: Sendable, Hashable, Codable {
        /// Pixel format, sample format or codec, in FFmpeg's words.
        public var coding: String
        /// Size (pixels); `nil` for audio.
        public var width: Int?
        public var height: Int?
        /// Frames per second as an exact fraction; `nil` for audio or unknown.
        public var rate: String?
        /// Clockwise turn that makes the frames upright (degrees); `nil` for audio and when they are.
        public var rotation: Int?
        /// Whether they must be mirrored left to right before; `nil` as for `rotation`.
        public var isMirrored: Bool?
        /// Audio frames per second (Hz); `nil` for video.
        public var sampleRate: Int?
        public var channels: Int?
        /// `true` for depth; `nil` for anything else.
        public var isDepth: Bool?

        public init(_ format: FormatDescription) {
            switch format {
            case .video(let video):
                coding = video.pixelFormat?.rawValue ?? video.codec?.rawValue ?? ""
                width = video.width
                height = video.height
                rate = video.nominalRate?.description
                if video.depth != nil { isDepth = true }
                if video.orientation != .upright {
                    rotation = video.orientation.rotation.rawValue
                    isMirrored = video.orientation.isMirrored
                }
            case .audio(let audio):
                coding = audio.sampleFormat?.rawValue ?? audio.codec?.rawValue ?? ""
                sampleRate = audio.sampleRate
                channels = audio.channels
            case .text(let text): coding = text.codec?.rawValue ?? "text"
            case .metadata: coding = "metadata"
            }
        }
    }
}
