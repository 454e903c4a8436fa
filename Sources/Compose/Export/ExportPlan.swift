public import Media

/// What an export will do, before it does it: spans in order, without holes, from the range's start to
/// its end. Two equal plans make the same film, so that a cancelled export can be gone on with.
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
    public let spans: [Span]
    /// Pictures of the film (count; 0 without pictures).
    public let frameCount: Int64
    /// One picture's time (seconds).
    public let frameDuration: MediaTime
    /// Audio frames of the film (count; 0 without sound).
    public let audioFrameCount: Int64
    /// Of the film's sound (Hz).
    public let sampleRate: Int
    public let size: PixelSize?
    public let preset: ExportPreset
    /// Equal for plans that make the same film of the same files; empty where nobody can tell (a custom
    /// compositor).
    public let digest: String

    /// Whether an equal export can go on from what a cancelled one left: pictures are rendered.
    var canBeResumed: Bool {
        frameCount > 0 && !digest.isEmpty && spans.allSatisfy { $0.work == .render }
    }

    /// Size of the film as far as one can tell before (bytes; half or twice as much is possible).
    public var estimatedBytes: Int64 {
        let seconds = range.duration.approximateSeconds
        var bits = Double(preset.audio.bitrate ?? 1_000_000) * (audioFrameCount > 0 ? seconds : 0)
        if let size {
            // x264 veryfast at CRF 20 spends about a tenth of a bit on a pixel of camera pictures
            bits += Double(size.width * size.height) * Double(frameCount) * 0.1
        }
        return Int64(bits / 8)
    }
}
