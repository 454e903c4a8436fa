public import Media

/// A recording at one moment.
public struct RecorderStatus: Sendable, Equatable {
    public var state: RecorderState
    /// Length of the movie so far (movie time; pauses cut out).
    public var elapsed: MediaTime
    /// One entry a source, in the order they were given.
    public var tracks: [Track]
    /// Size of the file so far (bytes).
    public var bytesWritten: Int64
    /// Space left on the file's disk (bytes); `nil` before the first look.
    public var freeBytes: Int64?
    /// Recording time left on the disk at the measured rate (seconds); `nil` until measured.
    public var secondsLeft: Int64?

    /// One track at one moment.
    public struct Track: Sendable, Equatable {
        /// Index in the recorder's list of sources.
        public var index: Int
        public var mediaType: MediaType
        /// What a person calls the source.
        public var name: String
        /// Whether the source is gone or silent right now.
        public var isInterrupted: Bool
        /// Video frames or audio frames given to the writer (frames).
        public var frames: Int64
        /// Frames per second as stamped over the last two seconds; `nil` for audio or too early.
        public var measuredRate: Double?
        /// The rate the source promises; `nil` for audio.
        public var nominalRate: FrameRate?
        /// Frames lost, by cause.
        public var drops: [SampleDrop.Cause: Int]
        /// Highest level since the last status (dBFS; 0 is full scale, -infinity is silence); `nil`
        /// for video.
        public var audioPeak: Double?
        /// Rate of the device's clock against the host clock (ppm; positive is fast); `nil` until
        /// measured, and for video.
        public var driftPPM: Double?

        /// Frames lost in all.
        public var dropCount: Int { drops.values.reduce(0, +) }
    }
}
