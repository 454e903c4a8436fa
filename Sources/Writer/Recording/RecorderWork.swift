internal import Media
internal import Movie
internal import Writing

/// What the recorder's own thread remembers between ticks.
struct RecorderWork: Sendable {
    var disk: DiskWatch
    /// When the recorder's thread last ran (host ns).
    var lastTick: Int64?
    /// Until when sources that say nothing are not held to it (host ns).
    var graceEnd: Int64 = .min
    /// When the disk was looked at (host ns).
    var lastLook: Int64?
    /// When the report was last given to the disk (host ns).
    var lastReport: Int64?
    /// When drops were reported (host ns).
    var lastDrops: Int64?
    /// What another program has done to the movie's file.
    var fate: FileFate?
    /// The report's file that was made before the movie began; `nil` where one was there.
    var claim: FileIdentity?
    /// Whether the sources are let go and the file is being closed.
    var isClosing = false
}

/// How a recording ends.
struct RecorderEnding {
    enum Outcome: Sendable {
        case written(AssetWriterResult)
        /// The movie never began; its file is gone.
        case abandoned
        /// The movie was cut by another program; its file is as it is.
        case left
        /// The writer could not even be asked.
        case refused(MediaError)

        var failure: MediaError? {
            switch self {
            case .written(let result): result.failure
            case .abandoned, .left: nil
            case .refused(let error): error
            }
        }
    }

    /// What the writer answered.
    var outcome: Outcome?
    var report: TakeReport?
    var waiters: [CheckedContinuation<TakeReport, Never>] = []
}

/// Makes the writer of a take; the handler gets what it reports.
typealias TakeWriterMaker =
    @Sendable (
        RecordingSettings, [TrackPlan], @escaping @Sendable (AssetWriterEvent) -> Void
    ) throws(MediaError) -> any TakeWriting
