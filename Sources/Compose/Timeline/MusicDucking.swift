public import Media

/// Turns the music down while something is said. See `DuckingRule`.
public struct MusicDucking: Sendable, Hashable {
    /// What is listened to.
    public enum Speech: String, Sendable, Hashable, Codable, CaseIterable {
        case voiceOvers = "voice-overs"
        /// The clips' own audio.
        case clips
        case both
    }

    /// Default: the voice-overs.
    public var under: Speech
    /// How far down (dB; 0…60; default 12).
    public var depth: Double
    /// Speech louder than this counts (dB below full scale, RMS; −90…0; default −40).
    public var threshold: Double
    /// How long the way down takes (seconds; default 0.2).
    public var attack: MediaTime
    /// How long it stays down after the last word (seconds; default 0.5).
    public var hold: MediaTime
    /// How long the way up takes (seconds; default 0.8).
    public var release: MediaTime

    public init(
        under: Speech = .voiceOvers, depth: Double = 12, threshold: Double = -40,
        attack: MediaTime = .milliseconds(200), hold: MediaTime = .milliseconds(500),
        release: MediaTime = .milliseconds(800)
    ) {
        self.under = under
        self.depth = depth
        self.threshold = threshold
        self.attack = attack
        self.hold = hold
        self.release = release
    }

    func rule(trackIDs: [Int], under speech: [Int]) -> DuckingRule {
        DuckingRule(
            trackIDs: trackIDs, under: speech, depth: depth, threshold: threshold, attack: attack,
            hold: hold, release: release)
    }
}
