public import Media

/// A recording at one moment.
public struct RecorderStatus: Sendable, Equatable {
    public var state: RecorderState = .idle
    /// Length of the movie so far (movie time; pauses cut out).
    public var elapsed: MediaTime = .zero
    /// The length after which the recording ends by itself (movie time); `nil` for none.
    public var wantedLength: MediaTime?
    /// Pauses of the movie so far, the present one included.
    public var pauses = 0
    /// How long the movie has been held so far (host time).
    public var pausedTime: MediaTime = .zero
    /// Settings of cameras that another program or the camera itself has changed so far (count).
    public var settingsByOthers = 0
    /// One entry a source, in the order they were given.
    public var tracks: [Track] = []
    /// Size of the file so far (bytes).
    public var bytesWritten: Int64 = 0
    /// Space left on the file's disk (bytes); `nil` before the first look.
    public var freeBytes: Int64?
    /// Recording time left on the disk at the measured rate (seconds); `nil` until measured.
    public var secondsLeft: Int64?

    /// Slates that cameras were shown so far (count).
    public var slates = 0
    /// The latest of them; `nil` for none.
    public var lastSlate: TakeReport.SlateEntry?

    /// Before the start.
    public init() {}

    /// One track at one moment.
    public struct Track: Sendable, Equatable {
        /// Index in the recorder's list of sources.
        public var index: Int
        public var mediaType: MediaType
        /// What a person calls the source.
        public var name: String
        /// How long the source has been gone or silent; `nil` while it delivers.
        public var silence: MediaTime?
        /// Video frames or audio frames of the movie, repeated ones included; mixed microphones have the
        /// same (frames).
        public var frames: Int64 = 0
        /// Video frames of the movie that repeat the one before, because none came (frames).
        public var repeatedFrames: Int64 = 0
        /// Samples that wait for the encoder (samples).
        public var waitingSamples = 0
        /// Frames per second as stamped over the last two seconds, 0 while the source is gone; `nil` for
        /// audio or too early.
        public var measuredRate: Double?
        /// The rate the source promises; `nil` for audio.
        public var nominalRate: FrameRate?
        /// Frames that the movie lacks, by cause.
        public var drops: [SampleDrop.Cause: Int] = [:]
        /// Frames lost while the movie was paused, by cause: it lacks none of them.
        public var dropsInPauses: [SampleDrop.Cause: Int] = [:]
        /// What the source has shown or played for a while although it delivers; `nil` for nothing of the kind.
        public var condition: Condition?
        /// Highest level of the last half second (dBFS; 0 is full scale, -infinity is silence); `nil`
        /// for video.
        public var audioPeak: Double?
        /// Rate of the device's clock against the host clock (ppm; positive is fast); `nil` until
        /// measured, and for video.
        public var driftPPM: Double?

        /// Black, frozen or silent.
        public struct Condition: Sendable, Equatable {
            public var kind: TrackCondition
            /// How long so far (movie time).
            public var length: MediaTime

            public init(kind: TrackCondition, length: MediaTime) {
                self.kind = kind
                self.length = length
            }
        }

        /// A track that has recorded nothing yet.
        public init(index: Int, mediaType: MediaType, name: String) {
            self.index = index
            self.mediaType = mediaType
            self.name = name
        }

        /// Whether the source is gone or silent right now.
        public var isInterrupted: Bool { silence != nil }

        /// Frames that the movie lacks, in all.
        public var dropCount: Int { drops.values.reduce(0, +) }
    }
}
