public import Media

/// What a finished writer has made.
public struct AssetWriterResult: Sendable {
    /// The movie's path.
    public var path: String
    /// Length: the sum of the spans written (movie time, ns).
    public var duration: MediaTime
    /// Size of the file (bytes).
    public var byteCount: Int64
    /// One entry a track, in the order the inputs were made.
    public var tracks: [Track]
    /// Pauses in order.
    public var pauses: [MoviePause]
    /// Markers in order.
    public var markers: [MovieMarker]
    /// Why writing ended before its time, or `nil`.
    public var failure: MediaError?
    /// Whether the file lacks what finishing adds; the failure then says what adds it.
    package var isUnfinished = false

    /// What became of one track.
    public struct Track: Sendable {
        /// The format in the file.
        public var format: FormatDescription
        /// Identifies the encoder's settings, for joining without re-encoding; `nil` for
        /// pass-through and PCM.
        public var encoderFingerprint: String?
        public var counts: AssetWriterStatus.Track
    }
}

/// A writer's numbers at one instant.
public struct AssetWriterStatus: Sendable {
    public enum State: String, Sendable, Codable {
        /// Inputs are being made; nothing is written.
        case configuring
        /// Started; waiting for the session's start.
        case waiting
        case writing
        /// A pause is asked for; its frame has not come yet.
        case pausing
        case paused
        /// A resume is asked for; its frame has not come yet.
        case resuming
        /// No more samples are taken; the file is being closed.
        case finishing
        case finished
        case failed
        case cancelled
    }

    public var state: State
    /// Length of the movie so far (movie time, ns).
    public var movieTime: MediaTime
    /// Bytes handed to the file (bytes).
    public var bytesWritten: Int64
    /// Coded bytes waiting to be written (bytes).
    public var bytesWaiting: Int
    public var tracks: [Track]

    /// One track's numbers. A sample is a frame, or a run of audio frames as appended.
    public struct Track: Sendable, Hashable {
        public var mediaType: MediaType
        /// Samples appended (samples).
        public var appended: Int
        /// Video frames or audio frames that are in the movie or on their way into it; a packet of coded
        /// audio counts as one (frames).
        public var kept: Int64
        /// Coded samples in the file (samples).
        public var written: Int
        /// Frames or audio frames dropped, by cause (frames).
        public var dropped: [SampleDrop.Cause: Int]
        /// What each filter of the source did with the kept frames, in their order; empty without filters.
        public var filters: [FilterCounts]
        /// Samples left out by intent: in a pause, or outside the session (samples).
        public var leftOut: Int
        /// Samples waiting for the encoder (samples; bytes).
        public var queuedSamples: Int
        public var queuedBytes: Int

        public init(mediaType: MediaType) {
            self.mediaType = mediaType
            appended = 0
            kept = 0
            written = 0
            dropped = [:]
            filters = []
            leftOut = 0
            queuedSamples = 0
            queuedBytes = 0
        }
    }
}
