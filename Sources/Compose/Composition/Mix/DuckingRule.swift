public import Media

/// Turns some tracks down while others speak. The rule is made into volume ramps before anything is
/// rendered, so that a second run gives the same numbers.
public struct DuckingRule: Sendable, Hashable {
    /// Tracks that are lowered.
    public var trackIDs: [Int]
    /// Tracks that are listened to.
    public var speechTrackIDs: [Int]
    /// How far down (dB; 0…60; default 12).
    public var depth: Double
    /// Speech louder than this counts (dB below full scale, RMS; −90…0; default −40).
    public var threshold: Double
    /// How long the way down takes; it ends where the speech begins (seconds; default 0.2).
    public var attack: MediaTime
    /// How long it stays down after the last word (seconds; default 0.5).
    public var hold: MediaTime
    /// How long the way up takes (seconds; default 0.8).
    public var release: MediaTime

    public init(
        trackIDs: [Int], under speechTrackIDs: [Int], depth: Double = 12, threshold: Double = -40,
        attack: MediaTime = .milliseconds(200), hold: MediaTime = .milliseconds(500),
        release: MediaTime = .milliseconds(800)
    ) {
        self.trackIDs = trackIDs
        self.speechTrackIDs = speechTrackIDs
        self.depth = depth
        self.threshold = threshold
        self.attack = attack
        self.hold = hold
        self.release = release
    }
}
