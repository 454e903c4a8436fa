/// How loud sound is. Source: libebur128, ITU-R BS.1770-4.
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
    /// Of the mix as it is rendered.
    public let after: Loudness
    /// Applied to everything (dB).
    public let gain: Double
    /// Readings of the whole mix (count).
    public let passes: Int

    /// How far the result is from the target (LU; nil: silence).
    public var deviation: Double? { after.integrated.map { $0 - target.integrated } }
}
