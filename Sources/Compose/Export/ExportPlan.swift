public import Media
internal import Writing

/// What an export will do, before it does it: spans in order, without holes, from the range's start to
/// its end. Two equal plans make the same film, so that a cancelled export can be resumed.
public struct ExportPlan: Sendable, Hashable {
    /// One span of the film.
    public struct Span: Sendable, Hashable {
        public enum Work: Sendable, Hashable {
            /// Decode, compose and encode.
            case render
            /// Copy coded samples of a source, from this source time on.
            case copy(MediaSource, from: MediaTime)
        }

        /// On the timeline.
        public let range: MediaTimeRange
        public let work: Work
        /// Why it is rendered where the film's other frames are copied, a half-sentence; nil elsewhere.
        public let reason: String?

        public init(range: MediaTimeRange, work: Work, reason: String? = nil) {
            self.range = range
            self.work = work
            self.reason = reason
        }
    }

    /// Of the timeline: what is exported.
    public let range: MediaTimeRange
    /// Of the frames, and of the audio rendered with them; of the audio only where there are none.
    public var spans: [Span]
    /// Of the audio where it is copied beside frames; else empty.
    public let audioSpans: [Span]
    /// Frames of the film (count; 0 without frames, and where all samples are copied).
    public let frameCount: Int64
    /// One frame's time (seconds).
    public let frameDuration: MediaTime
    /// Audio frames of the film (count; 0 without audio).
    public internal(set) var audioFrameCount: Int64
    /// Of the film's audio (Hz).
    public internal(set) var sampleRate: Int
    public let size: PixelSize?
    public let preset: ExportPreset
    /// Over the frames (1 or 2).
    public let passes: Int
    /// Bytes of the samples that are copied, as far as one can say before.
    var copiedBytes: Int64
    /// Equal for plans that make the same film of the same files; empty where nobody can say (a custom
    /// compositor).
    public var digest: String
    /// Which frames are copied and which are encoded; nil: all are made in one way.
    var smart: SmartPlan?
    /// Whose audio is copied where frames are encoded; nil: it is mixed and encoded.
    public var copiedAudio: MediaSource?
    /// Why the audio is mixed where frames are copied, a half-sentence; nil elsewhere.
    public internal(set) var audioReason: String?
    /// What is conformed and why, and what else one should know before; one sentence each.
    public var notes: [String] = []

    /// When its frames and its audio begin.
    var times: FilmTimes {
        FilmTimes(
            range: range, frameDuration: frameCount > 0 ? frameDuration : nil,
            sampleRate: sampleRate, hasAudio: audioFrameCount > 0)
    }

    /// Of its track of frames.
    var frameTimes: FrameTimes { FrameTimes(every: frameDuration, until: range.duration) }

    /// Whether nothing is decoded and encoded.
    public var isCopied: Bool { smart == nil && spans.allSatisfy { $0.work != .render } }

    /// Frames of a film that is encoded, that are copied as they are (count).
    public var copiedFrames: Int64 { smart?.copiedFrames ?? 0 }

    /// Whether an equal export can continue from what a cancelled one left: frames are rendered.
    var canBeResumed: Bool {
        frameCount > 0 && passes == 1 && !digest.isEmpty
            && (smart != nil || spans.allSatisfy { $0.work == .render })
    }

    /// Size of the film as far as one can say before (bytes; half or twice as much is possible).
    public var estimatedBytes: Int64 {
        guard !isCopied else { return copiedBytes }
        let seconds = range.duration.approximateSeconds
        var bits = Double(preset.audio.bitrate ?? 1_000_000) * (audioFrameCount > 0 ? seconds : 0)
        if let size, let video = preset.video {
            if case .bitrate(let wanted) = video.rate {
                bits += Double(wanted) * seconds
            } else {
                bits +=
                    Double(size.width * size.height) * Double(frameCount - copiedFrames)
                    * video.codec.bitsPerPixel
            }
        }
        return Int64(bits / 8) + copiedBytes
    }
}

extension VideoCodec {
    /// What a pixel of camera frames takes in its usual quality, about (bits): of x264 veryfast at CRF 20 a tenth.
    fileprivate var bitsPerPixel: Double {
        switch self {
        case .mjpeg: 1
        case .ffv1, .prores: 5
        case .gif: 2
        case .av1, .vp9: 0.06
        default: 0.1
        }
    }
}
