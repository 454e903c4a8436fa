public import Media

/// How loud the whole mix shall be (EBU R 128, ITU-R BS.1770).
public struct LoudnessTarget: Sendable, Hashable, Codable {
    /// Programme loudness, gated (LUFS; −40…−5; default −16, as most streaming services play).
    public var integrated: Double
    /// What no wave may pass, between the samples too (dBTP; −12…0; default −1).
    public var truePeak: Double

    public init(integrated: Double = -16, truePeak: Double = -1) {
        self.integrated = integrated
        self.truePeak = truePeak
    }

    /// European broadcast: −23 LUFS, −1 dBTP.
    public static let broadcast = LoudnessTarget(integrated: -23, truePeak: -1)

    /// - Throws: `invalid-setting`.
    public func validate() throws(MediaError) {
        guard (-40 ... -5).contains(integrated) else {
            throw .setting(
                "loudness", "the loudness target is \(integrated) LUFS; it can be -40 to -5")
        }
        guard (-12...0).contains(truePeak) else {
            throw .setting(
                "loudness", "the true peak ceiling is \(truePeak) dBTP; it can be -12 to 0")
        }
    }
}
