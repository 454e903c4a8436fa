/// How loud audio is. Source: libebur128, ITU-R BS.1770-4.
public struct Loudness: Sendable, Hashable {
    /// Programme loudness, gated (LUFS; nil: silence, or nothing above the gate of −70 LUFS).
    public let integrated: Double?
    /// The highest point of the wave (dBTP; nil: silence).
    public let truePeak: Double?
}

/// What was done to reach a loudness target.
public struct LoudnessReport: Sendable, Hashable {
    public let target: LoudnessTarget
    /// Of the mix as the volumes make it.
    public let before: Loudness
    /// Of the mix as it is rendered and, where it is coded, heard again.
    public let after: Loudness
    /// Applied to everything (dB).
    public let gain: Double
    /// Readings of the whole mix (count).
    public let passes: Int

    /// For messages: what was promised and could not be kept; nil: nothing.
    var shortfall: String? {
        func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        guard let loudness = after.integrated else {
            return "The film is silent, so it has no loudness."
        }
        if abs(loudness - target.integrated) > 0.1 {
            return "The film's loudness is \(rounded(loudness)) LUFS instead of "
                + "\(rounded(target.integrated)): more would raise noise or flatten its peaks."
        }
        guard let peak = after.truePeak, peak > target.truePeak + 0.05 else { return nil }
        return
            "The film's peaks reach \(rounded(peak)) dBTP instead of \(rounded(target.truePeak))."
    }

    /// How far the result is from the target (LU; nil: silence).
    public var deviation: Double? { after.integrated.map { $0 - target.integrated } }
}
