public import Media
public import Writer

/// What a conversion will do, before it does it: each track of the source, and why it is not simply copied.
public struct ConversionPlan: Sendable, Hashable {
    /// What becomes of a track.
    public enum Treatment: Sendable, Hashable {
        /// Its coded samples are taken over as they are.
        case copy
        case encodeVideo(VideoOutputSettings, size: PixelSize?, frameRate: FrameRate?)
        case encodeAudio(AudioOutputSettings, sampleRate: Int, channels: Int)
        /// Subtitles, written as the container has them.
        case carryText
        case leaveOut
    }

    public struct Track: Sendable, Hashable {
        /// The source's track.
        public let source: AssetTrack
        public let treatment: Treatment
        /// Why it is not copied, one half-sentence each.
        public let reasons: [String]
        /// Of the new movie.
        public let range: MediaTimeRange
        /// Whether encoded pictures stay as transparent as they are.
        public var keepsTransparency = false
    }

    public let container: OutputContainer
    /// Of the source (movie time).
    public let range: MediaTimeRange
    /// In the order of the source.
    public let tracks: [Track]

    /// Whether nothing is decoded.
    public var isCopied: Bool {
        written.allSatisfy { $0.treatment == .copy }
    }

    /// Pictures and sound that are written.
    var written: [Track] {
        tracks.filter { $0.treatment != .leaveOut && $0.treatment != .carryText }
    }
}

extension ConversionPlan.Track {
    /// One sentence for what is left out, nil for what is not.
    var loss: String? { absence.map { "The \($0)." } }

    /// What is left out and why, to stand in a sentence; nil for what is not.
    var absence: String? {
        guard treatment == .leaveOut else { return nil }
        let (kind, verb) =
            switch source.mediaType {
            case .video: ("pictures", "are")
            case .audio: ("sound", "is")
            case .text: ("subtitles", "are")
            }
        return "\(kind) of track \(source.id) \(verb) left out, because "
            + reasons.joined(separator: " and ")
    }
}
