import Compose
import Media

/// The options of what is done to the audio of clips.
enum TreatmentOptions {
    static let lowCut = Option<Double>(
        nil, "low-cut", .lowCut,
        "cut rumble and wind of the clips' audio away below this (24 dB per octave)",
        default: .described("nothing"))
    static let gate = Option<Double>(
        nil, "gate", .gate,
        "turn the clips' audio down by 30 dB where it is quieter than this (below full scale)",
        default: .described("never"))
    static let limiter = Option<Double>(
        nil, "limiter", .limiter,
        "no sample of the clips' audio passes this (below full scale)",
        default: .described("full scale"))

    static let loudness = Option<Double>(
        nil, "clip-loudness", .loudness,
        "each clip's audio is brought to this loudness before its volume, however loud it was recorded",
        default: .described("as recorded"))

    static let specs = [loudness.spec, lowCut.spec, gate.spec, limiter.spec]

    /// What they say.
    static func treatment(_ arguments: Arguments) throws(CommandFailure) -> AudioTreatment {
        AudioTreatment(
            lowCut: try arguments(lowCut),
            gate: try arguments(gate).map { NoiseGate(threshold: $0) },
            limiter: try arguments(limiter))
    }
}

extension ValueKind where Value == Double {
    /// Of a low cut, with or without its unit (Hz).
    static var lowCut: ValueKind {
        measure(
            "HZ", "a frequency from 20 to 1000 Hz, such as 80", "hz", AudioTreatment.lowCutRange)
    }

    /// A gate's threshold (dB).
    static var gate: ValueKind {
        measure("DB", "a level from -90 to 0 dB, such as -45", "db", NoiseGate.thresholdRange)
    }

    /// A limiter's ceiling (dB).
    static var limiter: ValueKind {
        measure("DB", "a level from -40 to 0 dB, such as -1", "db", AudioTreatment.limiterRange)
    }

    /// - Parameter unit: in small letters; may be left out.
    private static func measure(
        _ name: String, _ expected: String, _ unit: String, _ range: ClosedRange<Double>
    ) -> ValueKind {
        ValueKind(name, expected: expected) { text in
            let digits = text.lowercased().hasSuffix(unit) ? String(text.dropLast(2)) : text
            return Double(digits).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
