internal import Media

/// What a track's feed needs of the recording it belongs to. Thread-safe; a feed calls it with its
/// own lock held, so nothing behind it calls a feed.
protocol TakeContext: AnyObject, Sendable {
    /// The session's start (host ns), once every source has delivered.
    var sessionStart: Int64? { get }
    /// The first instant that must not be in the movie (host ns), once it is known.
    var sessionEnd: Int64? { get }

    /// Whether the movie ends by a failure.
    var isFailing: Bool { get }

    /// The host clock (ns).
    func now() -> Int64
    /// A source has delivered a sample.
    func delivered(_ track: Int, at stamp: Int64)
    /// A source went away.
    func lost(_ track: Int)
    /// Hands a sample to the writer.
    /// - Returns: whether it was taken; a refused one has been counted.
    func write(_ sample: SampleBuffer, track: Int) -> Bool
    /// Whether the writer has room for a portion of silence of this track beside what sources deliver.
    func takesSilence(_ track: Int) -> Bool
    /// Everything of this track up to `sessionEnd` has been written.
    func reachedEnd(_ track: Int)
    /// A source, or its feed, lost frames; the first of them would have been at `time` (host ns).
    func dropped(_ track: Int, _ cause: SampleDrop.Cause, _ count: Int, at time: Int64)
    /// A span was filled (host ns).
    func filled(_ track: Int, from start: Int64, length: Int64, cause: String)
    /// A microphone's clock was set anew (seconds; positive: forward).
    func clockSet(_ track: Int, by seconds: Double)
    /// The last frame is about to be written again (host ns): a refusal of it is no loss of the source's.
    func repeats(_ track: Int, at time: Int64)
    /// It was taken (host ns).
    func repeated(_ track: Int, at time: Int64)
    /// A source showed or played nothing but this from `since` to `time`; `nil` for neither (host ns).
    func saw(_ track: Int, _ condition: TrackCondition?, since: Int64, at time: Int64)
    func emit(_ event: RecorderEvent)
    func fail(_ error: MediaError)
}

/// One source's way into the movie. Thread-safe.
protocol TrackFeed: AnyObject, Sendable {
    func handle(_ event: SourceEvent)
    /// The recording begins without this source; it may still come.
    func miss(at now: Int64)
    /// Does what time asks for: fills, repeats, notices a stall (host ns).
    func tick(_ now: Int64)
    /// Makes the track stand at an instant although its source is gone, so that a command can cut
    /// there (host ns).
    func hold(at now: Int64)
    /// Gives everything that is held; takes nothing more.
    func finish(at end: Int64)
    /// The feed's own numbers at a moment (host ns); asking changes nothing.
    func snapshot(at now: Int64) -> TrackSnapshot
}

/// A feed's own numbers at one moment.
struct TrackSnapshot: Sendable {
    /// When the source fell silent or went away (host ns); `nil` while it delivers.
    var silentSince: Int64?
    /// Whether it is there and only delivers nothing.
    var isStalled = false
    /// Whether its output was disabled.
    var isDisabled = false
    var isEnded = false
    var currentRate: Double?
    var overallRate: Double?
    var driftPPM: Double?
    var largestError: Double?
    /// Highest level of the last half second (dBFS).
    var peak: Double?
    /// Whether the writer has not been given all of the silence of a long standstill.
    var isCatchingUp = false
}
