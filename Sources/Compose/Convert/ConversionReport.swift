public import Media

/// What a conversion made.
public struct ConversionReport: Sendable {
    /// A track of the new movie.
    public struct Track: Sendable, Hashable {
        public var mediaType: MediaType
        /// Whether nothing of it was encoded.
        public var isCopied: Bool
        /// Of frames of which some were copied and others encoded, how many (counts); else zero.
        public var copiedFrames: Int64 = 0
        public var encodedFrames: Int64 = 0
        /// Of the new movie's samples.
        public var codec: String
    }

    public var path: String
    /// Exact (seconds).
    public var duration: MediaTime
    public var tracks: [Track]
    /// Pictures written (count).
    public var frames: Int64
    public var bytes: Int64
    /// Of the upright picture (nil: no pictures).
    public var size: PixelSize?
    /// Coded pictures that could not be decoded whole, what could be or the one before showing, and coded pieces
    /// of sound that could not be decoded, silence being heard (counts).
    public var damagedFrames = 0
    public var damagedAudio = 0
    /// Subtitles in the movie, a track each.
    public var textTracks: [ExportReport.TextTrack] = []
    /// Metadata in the movie, a track each.
    public var metadataTracks: [ExportReport.MetadataTrack] = []
    /// What each filter did, track after track.
    public var filters: [FilterCounts] = []
    /// What was left out or changed and why; one sentence each.
    public var notes: [String]
    /// How long it took (seconds).
    public var elapsed: MediaTime
}
