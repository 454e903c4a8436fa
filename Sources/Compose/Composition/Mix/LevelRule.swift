public import Media

/// A part of the mix that is brought to a loudness of its own, whatever was recorded: a clip's voices.
public struct LevelRule: Sendable, Hashable {
    /// For reports: what it is of.
    public var name: String
    /// Of the composition; what sounds on them together is measured.
    public var trackIDs: [Int]
    /// On the timeline. Rules of one track follow one another.
    public var timeRange: MediaTimeRange
    /// Programme loudness, gated, of what is heard there at full volume (LUFS; −40…−5). The tracks' volumes, with their
    /// ramps and fades, come on top: half of it leaves 6 dB less.
    public var loudness: Double

    public init(
        _ name: String, trackIDs: [Int], timeRange: MediaTimeRange, loudness: Double
    ) {
        (self.name, self.trackIDs, self.timeRange) = (name, trackIDs, timeRange)
        self.loudness = loudness
    }

    func validate() throws(MediaError) {
        guard LevelRule.range.contains(loudness) else {
            throw .setting(name, "the loudness of \(name) is \(loudness) LUFS; it can be -40 to -5")
        }
    }

    static let range: ClosedRange<Double> = -40 ... -5
}

/// What was done to reach a rule's loudness.
public struct LevelReport: Sendable, Hashable {
    public let rule: LevelRule
    /// At full volume (LUFS; nil: silence, or shorter than can be measured).
    public let before: Double?
    /// Applied (dB).
    public let gain: Double
    /// At full volume, behind the tracks' limiters (LUFS; nil: as before).
    public let after: Double?

    /// For messages: what could not be done; nil: nothing.
    var shortfall: String? {
        guard let before, let after else {
            return
                "\(rule.name) has no loudness that could be changed: what is heard of it is silent, or shorter than "
                + "0.4 s."
        }
        let missing = rule.loudness - after
        guard missing > 0.3 else { return nil }
        let why =
            rule.loudness - before > gain + 0.1
            ? "more than \(Int(LevelGains.highestGain)) dB would raise little but noise"
            : "its limiter does not let it become louder"
        return
            "\(rule.name) is \((missing * 10).rounded() / 10) LU quieter than it should be: \(why)."
    }
}
