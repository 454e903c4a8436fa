public import Media
public import Movie
public import Writing

/// What a recording is to be. Immutable once given to a `Recorder`; `validate()` names the field
/// that cannot be used.
public struct RecordingSettings: Sendable {
    /// *the movie's path (a file that does not exist, in a folder that does; no default)*
    public var outputPath: String
    /// *kind of file (see `OutputContainer`; default by the path's extension, else mp4)*
    public var container: OutputContainer
    /// *whether a file of that name is replaced (yes or no; default no: refused)*
    public var replacesExisting: Bool
    /// *how every video source becomes a track (encoded or copied; default H.264)*
    public var video: VideoTrackOutput
    /// *how every microphone becomes a track (default AAC)*
    public var audio: AudioOutputSettings
    /// *whether microphones are tracks of their own or summed into one (see `MicrophoneTracks`; default
    /// `.separate`)*
    public var microphones: MicrophoneTracks
    /// *other outputs for single sources, by index in the recorder's list (default none)*
    public var videoOverrides: [Int: VideoTrackOutput]
    /// *other outputs for single sources, by index in the recorder's list (default none)*
    public var audioOverrides: [Int: AudioOutputSettings]
    /// *length after which the recording stops by itself, to the frame (movie time, seconds; above
    /// 0; default none)*
    public var duration: MediaTime?
    /// *how long sources may take to deliver their first sample (seconds; above 0, at most 600 s;
    /// default 10 s)*
    public var startTimeout: MediaTime
    /// *how long a source may be silent, without saying why, before its track is filled (seconds;
    /// 0.2 s to 60 s; default 2 s)*
    public var stallLimit: MediaTime
    /// *how often the held last frame is written again while its camera is gone (seconds; 0.1 s
    /// to 10 s; default 1 s)*
    public var holdInterval: MediaTime
    /// *longest wait at the stop for samples of moments before it, in which time that this process
    /// stood still is not counted (seconds; 0 to 5 s; default 0.5 s)*
    public var drainLimit: MediaTime
    /// *what happens to a sample that the writer has no room for (default `.dropVideo`)*
    public var overflow: Overflow
    /// *how often the file is made to survive a power cut (default every half second)*
    public var syncPolicy: SyncPolicy
    /// *length of a movie fragment: what a kill can cost (seconds; 0.05 to 0.5; default 0.25)*
    public var fragmentInterval: MediaTime
    /// *what the movie says about itself; the devices' names are filled in (default nothing)*
    public var metadata: MovieMetadata
    /// *the time code of the movie's frames (see `TakeTimeCode`; default none)*
    public var timeCode: TakeTimeCode?
    /// *what was chosen of each device and why, by index in the recorder's list of sources; for the
    /// take's report (default nothing)*
    public var explanations: [Int: String]
    /// *space that is never filled: the recording stops before (bytes; 0…; default 64 MiB)*
    public var diskReserve: Int64
    /// *how soon before a full disk to warn (default ten minutes and one minute)*
    public var diskWarnings: Set<DiskWarning>
    /// *what is looked for in frames and audio that sources deliver, reported and put in the report (default
    /// black, frozen and silent)*
    public var watchedConditions: Set<TrackCondition>
    /// *whether the take's report is written beside the movie as `NAME.vcap.json` (default yes)*
    public var writesReport: Bool
    /// Whether the movie is wanted: what a rehearsal writes is not saved where it lost its name.
    var isKept = true

    /// How a video source becomes a track.
    public enum VideoTrackOutput: Sendable, Hashable {
        /// Raw frames are encoded.
        case encoded(VideoOutputSettings)
        /// The source's coded samples are written as they are.
        case copied
    }

    /// What becomes of several microphones.
    public enum MicrophoneTracks: String, Sendable, Hashable, CaseIterable {
        /// One track each.
        case separate
        /// One track: each is brought to the session clock by itself, with its own drift, gaps and
        /// entry in the report; then frame by frame they are summed at full level. Above 0.8 of full
        /// scale (−1.9 dBFS) a sum is rounded off and never clips. The track has the highest of their
        /// rates and the most of their channels; one channel alone is heard in all.
        case mixed
    }

    /// What a source's sample meets when the writer is behind.
    public enum Overflow: String, Sendable, Hashable, CaseIterable {
        /// Whole video frames are dropped and counted; audio never. For live sources.
        case dropVideo = "drop-video"
        /// The source's thread waits. Only for sources that can wait (files, not devices).
        case wait
    }

    public init(outputPath: String) {
        self.outputPath = outputPath
        container = OutputContainer(path: outputPath) ?? .mp4
        replacesExisting = false
        video = .encoded(VideoOutputSettings())
        audio = AudioOutputSettings()
        microphones = .separate
        videoOverrides = [:]
        audioOverrides = [:]
        duration = nil
        startTimeout = .seconds(10)
        stallLimit = .seconds(2)
        holdInterval = .seconds(1)
        drainLimit = .milliseconds(500)
        overflow = .dropVideo
        syncPolicy = .standard
        fragmentInterval = .milliseconds(250)
        metadata = MovieMetadata()
        timeCode = nil
        explanations = [:]
        diskReserve = 64 << 20
        diskWarnings = [.tenMinutes, .oneMinute]
        watchedConditions = Set(TrackCondition.allCases)
        writesReport = true
    }

    /// The movie's file name, without its folder.
    var movieName: String { String(TemporaryName.split(outputPath).name) }

    /// The report's path: the movie's without its extension, and `.vcap.json`.
    public var reportPath: String {
        let slash = outputPath.lastIndex(of: "/").map { outputPath.index(after: $0) }
        let name = outputPath[(slash ?? outputPath.startIndex)...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
            return outputPath + ".vcap.json"
        }
        return String(outputPath[..<dot]) + ".vcap.json"
    }
}
