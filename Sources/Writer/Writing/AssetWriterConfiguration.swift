public import Media
public import Movie

/// What a writer is to make. `validate()` names the field that is wrong.
public struct AssetWriterConfiguration: Sendable {
    /// *the movie's path*
    public var outputPath: String
    /// *kind of file (default by the path's extension)*
    public var container: OutputContainer
    /// *whether an existing regular file is replaced (default no)*
    public var overwrites: Bool
    /// *whether samples come in real time or may wait (default real time)*
    public var mode: Mode
    /// *how often the file is made to survive a power cut (default every half second)*
    public var syncPolicy: SyncPolicy
    /// *length of a movie fragment: what a kill can cost (seconds; 0.05…0.5; default 0.25)*
    public var fragmentInterval: MediaTime
    /// *what the movie says about itself (default nothing)*
    public var metadata: MovieMetadata
    /// *raw or passed-through samples a video track may have waiting (bytes; at least 1 MiB; default
    /// 64 MiB, 48 frames of 720p NV12). Past it the newest frame is dropped, or `append` waits*
    public var videoQueueBytes: Int
    /// *samples an audio track may have waiting (bytes; at least 1 MiB; default 64 MiB, five
    /// minutes of stereo at 48 kHz). Past it writing ends with a failure: audio is never dropped*
    public var audioQueueBytes: Int
    /// *coded samples waiting for the disk (bytes for video and, again, for audio; at least 1 MiB;
    /// default 64 MiB: an hour of AAC)*
    public var diskQueueBytes: Int
    /// *how far other tracks may get past a pause before a silent lead camera is not waited for
    /// (seconds; 0.05…5; default 0.5)*
    public var stallLimit: MediaTime
    /// *length of the fades at the cuts of a pause (seconds; 0…0.005; default 0.003)*
    public var fadeLength: MediaTime
    /// *length at which the movie ends by itself, to the tick, whatever pauses there are: what comes
    /// later is left out, and `reachedMaximum` is reported (movie time, seconds; above 0; default none)*
    public var maximumDuration: MediaTime?
    /// *subtitles, by movie time: text tracks behind the inputs' (default none; not in MPEG-TS)*
    public var textTracks: [TextTrack]

    /// Metadata that is known already, by movie time: tracks behind the text tracks (default none).
    package var metadataTracks: [MetadataTrack] = []

    /// Tracks copied from other movies, by their number in the new one; inputs take the numbers between. They
    /// are read while others are written (default none; offline only).
    package var copiedTracks: [Int: any CopySource] = [:]

    /// Inputs, by their number among inputs, that players take only when asked (default none).
    package var offeredInputs: Set<Int> = []

    /// Whether `setTimeCode` will say before the session which time code the movie has (default no).
    package var awaitsTimeCode = false

    /// Whether the file stays open, and so locked, when the movie is finished, until who made the writer closes
    /// it (`AssetWriter.file`; default no).
    package var keepsFile = false

    /// Whether a finished movie that another program took the name of is given one (default yes; no where an
    /// output job looks after the file).
    package var rescuesFile = true

    public enum Mode: Sendable, Hashable {
        /// Appending never waits; a full queue drops whole frames, counted.
        case realTime
        /// Appending waits until there is room; nothing is dropped.
        case offline
    }

    /// - Throws: `unsupported` when `container` is `nil` and the extension names none.
    public init(
        outputPath: String, container: OutputContainer? = nil, overwrites: Bool = false,
        mode: Mode = .realTime
    ) throws(MediaError) {
        guard let container = container ?? OutputContainer(path: outputPath) else {
            throw MediaError(
                code: .unsupported, subject: outputPath,
                message: "The name \(outputPath) does not say what kind of file to write; "
                    + "end it in .mp4, .mov, .mkv, .webm or .ts, or for audio only in .m4a, .wav, .flac, "
                    + ".ogg, .opus or .mp3.")
        }
        self.outputPath = outputPath
        self.container = container
        self.overwrites = overwrites
        self.mode = mode
        syncPolicy = .standard
        fragmentInterval = .milliseconds(250)
        metadata = MovieMetadata()
        videoQueueBytes = 64 << 20
        audioQueueBytes = 64 << 20
        diskQueueBytes = 64 << 20
        stallLimit = .milliseconds(500)
        fadeLength = .milliseconds(3)
        maximumDuration = nil
        textTracks = []
    }

    /// - Throws: `invalidSetting`, naming the field.
    public func validate() throws(MediaError) {
        guard !outputPath.isEmpty, !outputPath.utf8.contains(0) else {
            throw .setting("output path", "it is empty or holds a NUL character.")
        }
        guard fragmentInterval >= .milliseconds(50), fragmentInterval <= .milliseconds(500) else {
            throw .setting("fragment interval", "it must be between 0.05 and 0.5 s.")
        }
        let bounds = [
            ("video queue", videoQueueBytes), ("audio queue", audioQueueBytes),
            ("disk queue", diskQueueBytes),
        ]
        for (name, value) in bounds where value < 1 << 20 {
            throw .setting(name, "\(value) bytes are less than 1 MiB.")
        }
        guard stallLimit >= .milliseconds(50), stallLimit <= .seconds(5) else {
            throw .setting("stall limit", "it must be between 0.05 and 5 s.")
        }
        if let maximumDuration, maximumDuration <= .zero {
            throw .setting("maximum duration", "it must be above 0 s.")
        }
        if !textTracks.isEmpty, container.textCodec == nil {
            throw .setting(
                "text tracks", "a .\(container.rawValue) file has no place for subtitles as text.")
        }
        for track in metadataTracks { try container.requireRoom(for: track.format) }
        guard fadeLength >= .zero, fadeLength <= .milliseconds(5) else {
            throw .setting("fade length", "it must be between 0 and 0.005 s.")
        }
    }
}
