internal import Media

/// What is done to the audio of a clip or track besides its level: rumble is cut away, what is quiet is turned down,
/// peaks are held.
public struct AudioTreatment: Sendable, Hashable {
    /// What is below is cut away: a Butterworth high-pass of 24 dB per octave, −3 dB here (Hz; 20…1000; nil: nothing).
    public var lowCut: Double?
    /// Turns down what is quieter than a threshold, behind the low cut (nil: nothing).
    public var gate: NoiseGate?
    /// What no sample passes, behind volume, fades, pan and ducking (dB below full scale, sample peaks; −40…0; nil: the
    /// mix's own limiter alone). What is lower, and further than 40 ms from a peak, is not touched.
    public var limiter: Double?

    /// Some of them; without arguments nothing is done.
    public init(lowCut: Double? = nil, gate: NoiseGate? = nil, limiter: Double? = nil) {
        (self.lowCut, self.gate, self.limiter) = (lowCut, gate, limiter)
    }

    /// What a low cut can be (Hz).
    public static let lowCutRange = 20.0...1000
    /// What a limiter can be (dB).
    public static let limiterRange = -40.0...0

    /// Whether nothing is done.
    public var isEmpty: Bool { lowCut == nil && gate == nil && limiter == nil }

    /// Where it says nothing, the other one does.
    func over(_ other: AudioTreatment) -> AudioTreatment {
        AudioTreatment(
            lowCut: lowCut ?? other.lowCut, gate: gate ?? other.gate,
            limiter: limiter ?? other.limiter)
    }

    /// For messages: what is done, such as "low cut and gate".
    var named: String? {
        let names = [
            (lowCut != nil, "low cut"), (gate != nil, "gate"), (limiter != nil, "limiter"),
        ].filter(\.0).map(\.1)
        guard let last = names.last else { return nil }
        return names.count == 1
            ? last : names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// - Parameters:
    ///   - subject: whose it is, for messages.
    ///   - name: of the item.
    func validate(_ subject: String, _ name: String) throws(MediaError) {
        try checkRange("low cut of \(subject)", lowCut, Self.lowCutRange, name)
        try gate?.validate(subject, name)
        try checkRange("limiter of \(subject)", limiter, Self.limiterRange, name)
    }
}
