public import Media

/// A part of the mix that is brought to a loudness of its own, whatever was recorded: a clip's voices.
public struct LevelRule: Sendable, Hashable {
    /// For reports: what it is of.
    public var name: String
    /// Of the composition; what sounds on them together is measured.
    public var trackIDs: [Int]
    /// On the timeline. Rules of one track follow one another.
    public var timeRange: MediaTimeRange
    /// Programme loudness, gated, of what is heard there with the volume below (LUFS; −40…−5).
    public var loudness: Double
    /// What of the tracks' volume belongs to the whole and is put on top: half of it leaves 6 dB less (factor; above 0;
    /// default 1).
    public var volume: Double

    public init(
        _ name: String, trackIDs: [Int], timeRange: MediaTimeRange, loudness: Double,
        volume: Double = 1
    ) {
        (self.name, self.trackIDs, self.timeRange) = (name, trackIDs, timeRange)
        (self.loudness, self.volume) = (loudness, volume)
    }

    func validate() throws(MediaError) {
        guard LevelRule.range.contains(loudness) else {
            throw .setting(name, "the loudness of \(name) is \(loudness) LUFS; it can be -40 to -5")
        }
        guard volume > 0, volume <= 16 else {
            throw .setting(
                name, "the volume of \(name) is \(volume); with a loudness it can be above 0 to 16")
        }
    }

    static let range: ClosedRange<Double> = -40 ... -5
}

/// What was done to reach a rule's loudness.
public struct LevelReport: Sendable, Hashable {
    public let rule: LevelRule
    /// Of what was recorded, with the rule's volume left out (LUFS; nil: silence, or shorter than can be measured).
    public let before: Double?
    /// Applied (dB).
    public let gain: Double

    /// For messages: what could not be done; nil: nothing.
    var shortfall: String? {
        guard let before else {
            return
                "\(rule.name) has no loudness that could be changed: it is silent, or shorter than 0.4 s."
        }
        let missing = rule.loudness - before - gain
        guard missing > 0.1 else { return nil }
        return
            "\(rule.name) is \((missing * 10).rounded() / 10) LU quieter than it should be: more than "
            + "\(Int(LevelGains.highestGain)) dB would raise little but noise."
    }
}
