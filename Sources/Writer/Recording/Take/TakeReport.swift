public import Media

/// What happened in one recording: written beside the movie as `NAME.vcap.json` when the movie
/// begins, again whenever something happens, and finally when it is closed.
public struct TakeReport: Sendable, Hashable, Codable {
    public static let currentSchema = "vcap.take/1"

    /// The form of this document.
    public var schema: String
    /// `recording` while it runs, and after a crash until the movie is repaired or looked at; then
    /// `finished`, `failed` or `recovered`.
    public var state: State
    /// The movie's file name, without its folder.
    public var movie: String
    public var container: String
    /// Length of the movie (movie time).
    public var duration: TakeTime
    /// Size of the movie (bytes).
    public var bytes: Int64
    /// `nil` before the movie began.
    public var clocks: Clocks?
    /// `nil` where none was asked for.
    public var timeCode: TimeCodes?
    public var tracks: [Track]
    public var pauses: [Pause]
    public var markers: [Marker]
    /// Photos that were taken meanwhile, in order; `nil` for none.
    public var photos: [Photo]?
    /// What cameras were set to meanwhile, in order; `nil` for nothing.
    public var controls: [ControlEntry]?
    /// Slates that cameras were shown, in the order in which they were seen; `nil` for none.
    public var slates: [SlateEntry]?
    /// What was given up under pressure, and taken back, in order; `nil` for nothing.
    public var pressure: [PressureEntry]?
    /// How often the disk lost bytes of the movie that were written again, so that it lacks nothing (count); `nil` for
    /// never.
    public var diskLosses: Int?
    /// What was recorded last and is not in the file, because writing failed or a crash cut it (movie time); `nil`
    /// for nothing.
    public var missingEnd: TakeTime?
    /// Why the recording failed, as one sentence.
    public var failure: String?
    /// `nil` while the movie grows.
    public var verdict: Verdict?
    /// Why the verdict is not `good`, one sentence each.
    public var reasons: [String]

    public enum State: String, Sendable, Hashable, Codable {
        case recording, finished, failed
        /// Cut off by a crash; what it says of the movie was read from what the crash left of it.
        case recovered
    }

    public enum Verdict: String, Sendable, Hashable, Codable, Comparable {
        case good
        /// Something was dropped, filled or corrected beyond bounds.
        case degraded
        /// A track is missing for the most part, or the take ended by failure.
        case bad

        private var rank: Int { self == .good ? 0 : self == .degraded ? 1 : 2 }

        public static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }
    }

    /// One instant read on both clocks, and where the movie lies on the host clock.
    public struct Clocks: Sendable, Hashable, Codable {
        /// The movie's first instant (host clock).
        public var start: TakeTime
        /// The movie's last instant (host clock); `nil` while it runs.
        public var end: TakeTime?
        /// The host clock (CLOCK_MONOTONIC) …
        public var hostAnchor: TakeTime
        /// … and the wall clock (since 1970-01-01T00:00:00Z) at the same moment.
        public var wallAnchor: TakeTime
        /// The same moment in words (UTC, ISO 8601).
        public var wallAnchorText: String
    }

    /// The movie held from `start` to `end` on the host clock.
    public struct Pause: Sendable, Hashable, Codable {
        /// Where the movie was cut (movie time).
        public var movieTime: TakeTime
        /// The cut's first instant that is not in the movie (host clock).
        public var start: TakeTime
        /// The first instant that is in the movie again (host clock); `nil` while paused, and when
        /// the recording ended paused.
        public var end: TakeTime?
        /// What was cut out; `nil` with `end`.
        public var length: TakeTime?
    }

    public struct Marker: Sendable, Hashable, Codable {
        public var movieTime: TakeTime
        /// When it was set (host clock).
        public var hostTime: TakeTime
        public var text: String
    }

    /// A photo that was taken while the take was recorded.
    public struct Photo: Sendable, Hashable, Codable {
        /// Where the movie was (movie time): of a photo taken in a pause, where the movie was cut; never behind its last
        /// frame.
        public var movieTime: TakeTime
        /// When the camera began the frame (host clock).
        public var hostTime: TakeTime
        /// The file; of one in the movie's folder its name.
        public var path: String
        /// Of a live photo, what became of its movie; `nil` for a photo alone, and while the movie is not written.
        public var live: LiveMovie?
    }

    /// The movie of a live photo.
    public struct LiveMovie: Sendable, Hashable, Codable {
        /// All files of the live photo that were written, the photo first (names as `Photo.path`).
        public var paths: [String]
        /// When in the movie the photo was taken (time of that movie).
        public var stillTime: TakeTime
        /// Its length.
        public var duration: TakeTime
        /// What is missing of the 1.5 s before the photo.
        public var missingBefore: TakeTime
        /// What is missing of the 1.5 s after it.
        public var missingAfter: TakeTime
        /// Frames that the camera or the encoder lost in it (frames).
        public var lostFrames: Int
        /// How much of it is silent because the microphone delivered nothing.
        public var missingAudio: TakeTime
        /// Why a file of it is missing, as one sentence; `nil` where all are there.
        public var failure: String?

        /// - Parameters:
        ///   - movie: the movie; `nil` where there is none, which makes all times zero.
        ///   - paths: all files that were written, the photo first; of those in the movie's folder their names.
        ///   - failure: why a file is missing, as one sentence; `nil` where all are there.
        public init(_ movie: LivePhotoMovie?, paths: [String], failure: String? = nil) {
            self.paths = paths
            stillTime = TakeTime(movie?.stillTime ?? .zero)
            duration = TakeTime(movie?.duration ?? .zero)
            missingBefore = TakeTime(movie?.missingBefore ?? .zero)
            missingAfter = TakeTime(movie?.missingAfter ?? .zero)
            lostFrames = movie?.lostFrames ?? 0
            missingAudio = TakeTime(movie?.missingAudio ?? .zero)
            self.failure = failure
        }
    }

    /// A setting of a camera that was changed while the take was recorded.
    public struct ControlEntry: Sendable, Hashable, Codable {
        /// Where the movie was (movie time); where it was cut, of one that was set in a pause.
        public var movieTime: TakeTime
        /// When the camera had taken it (host clock); its frames show it some frames later.
        public var hostTime: TakeTime
        /// The camera's name.
        public var camera: String
        /// The camera's identity; `nil` where nothing said it.
        public var id: String?
        /// What was asked for (`exposure=1/60s`).
        public var setting: String
        /// What the camera made of it, in the same words; `nil` where it cannot be read.
        public var granted: String?
        /// Whether another program or the camera itself did it; `nil` where it was this recording.
        public var isByOthers: Bool?
    }

    /// A slate that a camera was shown: once a showing.
    public struct SlateEntry: Sendable, Hashable, Codable {
        /// Where the first frame that shows it is in the movie (movie time); where it was cut, of one that was shown in
        /// a pause.
        public var movieTime: TakeTime
        /// When that frame began (host clock).
        public var hostTime: TakeTime
        /// What it says, and who saw it.
        public var slate: SeenSlate
    }

    /// A step of the pressure policy that the take followed.
    public struct PressureEntry: Sendable, Hashable, Codable {
        /// Where the movie was (movie time).
        public var movieTime: TakeTime
        /// When (host clock).
        public var hostTime: TakeTime
        /// `spare-frames/2`, `encoding-faster`, … (`PressureMeasure.name`).
        public var measure: String
        /// Whether it was taken; else the pressure was over and it was taken back.
        public var isTaken: Bool
        /// How hard the machine was pressed, …
        public var level: PressureLevel
        /// … and by what, the worst first.
        public var causes: [PressureCause]
    }

    /// From one frame on a track is encoded with another preset.
    public struct PresetChange: Sendable, Hashable, Codable {
        /// Of the first frame (movie time).
        public var movieTime: TakeTime
        public var preset: String
    }

    public init(movie: String, container: String) {
        schema = TakeReport.currentSchema
        state = .recording
        self.movie = movie
        self.container = container
        duration = .zero
        bytes = 0
        clocks = nil
        timeCode = nil
        tracks = []
        pauses = []
        markers = []
        photos = nil
        controls = nil
        slates = nil
        pressure = nil
        diskLosses = nil
        missingEnd = nil
        failure = nil
        verdict = nil
        reasons = []
    }
}
