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

        public init(range: MediaTimeRange, work: Work) {
            self.range = range
            self.work = work
        }
    }

    /// Of the timeline: what is exported.
    public let range: MediaTimeRange
    /// Of the frames, and of the audio rendered with them; of the audio only where there are none.
    public let spans: [Span]
    /// Of the audio where it is copied beside frames; else empty.
    public let audioSpans: [Span]
    /// Frames of the film (count; 0 without frames, and where they are copied).
    public let frameCount: Int64
    /// One frame's time (seconds).
    public let frameDuration: MediaTime
    /// Audio frames of the film (count; 0 without audio).
    public let audioFrameCount: Int64
    /// Of the film's audio (Hz).
    public let sampleRate: Int
    public let size: PixelSize?
    public let preset: ExportPreset
    /// Over the frames (1 or 2).
    public let passes: Int
    /// Bytes of the samples that are copied, as far as one can say before.
    let copiedBytes: Int64
    /// Equal for plans that make the same film of the same files; empty where nobody can say (a custom
    /// compositor).
    public let digest: String
    /// What is conformed and why, and what else one should know before; one sentence each.
    public var notes: [String] = []

    /// When its frames and its audio begin.
    var times: FilmTimes {
        FilmTimes(
            range: range, frameDuration: frameCount > 0 ? frameDuration : nil,
            sampleRate: sampleRate, hasAudio: audioFrameCount > 0)
    }

    /// Whether nothing is decoded and encoded.
    public var isCopied: Bool { spans.allSatisfy { $0.work != .render } }

    /// Whether an equal export can continue from what a cancelled one left: frames are rendered.
    var canBeResumed: Bool {
        frameCount > 0 && passes == 1 && !digest.isEmpty && spans.allSatisfy { $0.work == .render }
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
                    Double(size.width * size.height) * Double(frameCount) * video.codec.bitsPerPixel
            }
        }
        return Int64(bits / 8)
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
