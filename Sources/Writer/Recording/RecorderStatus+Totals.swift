public import Media

extension RecorderStatus {
    /// The cameras' tracks; the first is the lead video track.
    private var cameras: [Track] { tracks.filter { $0.mediaType == .video } }

    /// Frames of the movie, of the first camera (frames).
    public var frames: Int64 { cameras.first?.frames ?? 0 }
    /// Rate as stamped over the last two seconds, of the first camera (frames per second).
    public var measuredRate: Double? { cameras.first?.measuredRate }
    /// The rate that the first camera promises.
    public var nominalRate: FrameRate? { cameras.first?.nominalRate }

    /// Video frames that the movie lacks, by cause, of all cameras.
    public var drops: [SampleDrop.Cause: Int] {
        cameras.reduce(into: [:]) { $0.merge($1.drops, uniquingKeysWith: +) }
    }
    /// Video frames that the movie lacks, of all cameras (frames).
    public var dropCount: Int { cameras.reduce(0) { $0 + $1.dropCount } }
    /// Video frames that repeat the one before, of all cameras (frames).
    public var repeatedFrames: Int64 { cameras.reduce(0) { $0 + $1.repeatedFrames } }
    /// Video frames that wait for their encoder, of all cameras (frames).
    public var waitingFrames: Int { cameras.reduce(0) { $0 + $1.waitingSamples } }

    /// Highest level of all microphones over the last half second (dBFS); `nil` without one.
    public var audioPeak: Double? { tracks.compactMap(\.audioPeak).max() }

    /// Tracks whose source is gone or silent.
    public var interruptedTracks: [Track] { tracks.filter(\.isInterrupted) }

    /// How much of the wanted length is recorded (0…1), 1 once the recording is finished; `nil` without one.
    public var fraction: Double? {
        guard let wantedLength, wantedLength > .zero else { return nil }
        if state == .finished { return 1 }
        return min(1, elapsed.approximateSeconds / wantedLength.approximateSeconds)
    }

    /// What is left to record of the wanted length; `nil` without one.
    public var remaining: MediaTime? {
        wantedLength.map { max(.zero, $0 - elapsed) }
    }
}
