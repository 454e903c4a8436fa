import Media

/// How a recording stands, for the status line, progress and `vcap ctl status`.
struct RecordingSnapshot: Sendable, Equatable {
    enum State: String, Sendable {
        case starting, recording, pausing, paused, finishing, finished
    }

    var state: State = .starting
    /// Length of the movie so far (seconds).
    var duration: MediaTime = .zero
    /// Video frames in the movie.
    var frames = 0
    /// Measured while recording (frames per second).
    var measuredRate: Double?
    var nominalRate: Double?
    /// Lost video frames and audio frames by cause.
    var drops: [SampleDrop.Cause: Int] = [:]
    /// Frames shown again to bridge a gap.
    var repeatedFrames = 0
    /// Loudest audio sample since the last snapshot (dBFS; at most 0).
    var audioPeak: Double?
    /// Bytes of the file.
    var bytes: Int64 = 0
    /// How long the disk lasts at this rate (seconds).
    var secondsLeft: Double?
    /// The length asked for with `--duration`.
    var wanted: MediaTime?
    var pauses = 0

    var droppedFrames: Int { drops.values.reduce(0, +) }

    /// How much of the wanted length is done (0…1).
    var fraction: Double? {
        guard let wanted, wanted > .zero else { return nil }
        return min(1, duration.approximateSeconds / wanted.approximateSeconds)
    }

    /// Time to go until the wanted length (seconds).
    var remaining: Double? {
        guard let wanted else { return nil }
        return max(0, wanted.approximateSeconds - duration.approximateSeconds)
    }
}
