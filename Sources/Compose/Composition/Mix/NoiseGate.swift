public import Media

/// Turns down what is quieter than a threshold: the noise of a room between words. What it does at an instant follows
/// from the audio around that instant alone, so that films are the same wherever their making begins.
///
/// The level is the RMS of 10 ms in the louder channel. A gate is open from 20 ms before the level reaches the
/// threshold, as long as it stays within `hysteresis` below it (at most 2 s after it was last reached), and `hold`
/// longer.
public struct NoiseGate: Sendable, Hashable {
    /// What is as loud opens it (dB below full scale; −90…0; default −45).
    public var threshold: Double
    /// How far down it turns what is quieter (dB; 1…90; default 30).
    public var range: Double
    /// How much quieter than the threshold a sound may become before it closes (dB; 0…24; default 6).
    public var hysteresis: Double
    /// How long the way up takes, which ends before the sound begins (seconds; 1 ms…1 s; default 0.01).
    public var attack: MediaTime
    /// How long it stays open behind a sound (seconds; 0…5; default 0.2).
    public var hold: MediaTime
    /// How long the way down takes (seconds; 1 ms…5 s; default 0.2).
    public var release: MediaTime

    public init(
        threshold: Double = -45, range: Double = 30, hysteresis: Double = 6,
        attack: MediaTime = .milliseconds(10), hold: MediaTime = .milliseconds(200),
        release: MediaTime = .milliseconds(200)
    ) {
        (self.threshold, self.range, self.hysteresis) = (threshold, range, hysteresis)
        (self.attack, self.hold, self.release) = (attack, hold, release)
    }

    /// What a threshold can be (dB).
    public static let thresholdRange = -90.0...0
    /// What a range can be (dB).
    public static let rangeRange = 1.0...90
    /// What a hysteresis can be (dB).
    public static let hysteresisRange = 0.0...24

    /// - Parameters:
    ///   - subject: whose it is, for messages.
    ///   - name: of the item.
    func validate(_ subject: String, _ name: String) throws(MediaError) {
        let gate = "gate of \(subject)"
        try checkRange("threshold of the \(gate)", threshold, Self.thresholdRange, name)
        try checkRange("range of the \(gate)", range, Self.rangeRange, name)
        try checkRange("hysteresis of the \(gate)", hysteresis, Self.hysteresisRange, name)
        for (what, time, least, most) in [
            ("attack", attack, MediaTime.milliseconds(1), MediaTime.seconds(1)),
            ("hold", hold, .zero, .seconds(5)),
            ("release", release, .milliseconds(1), .seconds(5)),
        ] where time < least || time > most {
            throw .setting(
                name,
                "the \(what) of the \(gate) is \(time.spoken); it can be \(least.spoken) to "
                    + most.spoken)
        }
    }
}
