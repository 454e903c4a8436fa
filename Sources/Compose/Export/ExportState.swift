public import Media

/// How an export stands.
public enum ExportState: Sendable, Hashable {
    /// Not begun.
    case pending
    /// Sources are opened and measured (loudness, ducking).
    case waiting
    case exporting(ExportProgress)
}

/// How far an export has come.
public struct ExportProgress: Sendable, Hashable {
    /// Frames done, those of an earlier, cancelled run included (count).
    public var frames: Int64
    /// Frames of the film (count; 0 without frames).
    public var frameCount: Int64
    /// How much of the film is done (on the timeline, from the range's start).
    public var time: MediaTime
    /// The film's length (seconds).
    public var duration: MediaTime
    /// Written so far (bytes).
    public var bytes: Int64
    /// Since the export began (seconds).
    public var elapsed: MediaTime
    /// Film time made in this run, for the speed (seconds).
    public var made: MediaTime
    /// Which pass over the frames it is, of how many (from 1); `frames` and `time` are that pass's.
    public var pass = 1
    public var passes = 1
    /// Whether frames are made in more than one way, so that the speed so far says little.
    var isMixed = false
    /// What is left then (seconds).
    var estimate: MediaTime?

    /// Of all passes (0…1).
    public var fraction: Double {
        guard duration > .zero else { return 1 }
        let own = min(1, time.approximateSeconds / duration.approximateSeconds)
        return (own + Double(pass - 1)) / Double(max(1, passes))
    }

    /// Film time per time (1 = real time).
    public var speed: Double {
        elapsed > .zero ? made.approximateSeconds / elapsed.approximateSeconds : 0
    }

    /// What is left, at the speed so far of frames that are copied and of those that are encoded (seconds; nil while
    /// nobody can say).
    public var timeLeft: MediaTime? {
        if isMixed { return estimate }
        guard speed > 0 else { return nil }
        let left = max(
            0,
            duration.approximateSeconds * Double(passes - pass + 1) - time.approximateSeconds)
        return .milliseconds(Int64(left / speed * 1000))
    }
}

/// What an export made.
public struct ExportReport: Sendable {
    /// A text track of the film.
    public struct TextTrack: Sendable, Hashable {
        /// BCP 47 (nil = undetermined).
        public var language: String?
        /// Texts shown one after the other (count).
        public var cues: Int
    }

    /// A metadata track of the film.
    public struct MetadataTrack: Sendable, Hashable {
        public var name: String?
        /// Samples that hold something (count).
        public var samples: Int

        public init(name: String?, samples: Int) {
            self.name = name
            self.samples = samples
        }
    }

    public var path: String
    /// Exact (seconds).
    public var duration: MediaTime
    public var frames: Int64
    public var audioFrames: Int64
    public var bytes: Int64
    public var size: PixelSize?
    /// Frames that were copied from the clips as they are coded, where others were encoded (count).
    public var copiedFrames: Int64 = 0
    /// Frames taken over from an earlier, cancelled run (count).
    public var resumedFrames: Int64
    /// Frames made while what the film is of was still recorded (count; `GrowingFilm`).
    public var preparedFrames: Int64 = 0
    /// Samples of the mix that a limiter had to hold at full scale (count).
    public var limitedSamples: Int64
    /// How the loudness target was reached; nil: the film has none.
    public var loudness: LoudnessReport?
    /// Coded frames that could not be decoded whole, what could be or the one before showing, and coded pieces
    /// of audio that could not be decoded, silence being heard (counts).
    public var damagedFrames = 0
    public var damagedAudio = 0
    /// Subtitles in the film, a track each.
    public var textTracks: [TextTrack] = []
    /// Metadata in the film, a track each.
    public var metadataTracks: [MetadataTrack] = []
    /// What was conformed and why, and what else one should know; one sentence each.
    public var notes: [String]
    /// How long it took, of a film that grew since the recording ended (seconds).
    public var elapsed: MediaTime
}
