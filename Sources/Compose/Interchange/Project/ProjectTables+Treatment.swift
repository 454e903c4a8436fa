internal import Media

/// Something whose audio can be treated.
protocol Treated: Sendable {
    var treatment: AudioTreatment { get set }
}

extension VideoItem: Treated {}
extension ClipVoice: Treated {}
extension AudioItem: Treated {}

/// The keys of what is done to audio.
extension ProjectTables {
    /// - Parameter usual: what is done without them.
    static func treatment<Item: Treated>(
        unless usual: String = "none"
    ) -> [ProjectField<Item>] {
        [
            .optional(
                "lowCut", \.treatment.lowCut, .frequency(20...1000),
                "where its low frequencies, rumble and wind, are cut away, 24 dB per octave (Hz; default "
                    + "\(usual))"),
            .optional(
                "gate", \.treatment.gate, .gate,
                "turns down what is quieter than a threshold (dB below full scale, RMS), behind the low cut "
                    + "(default \(usual))"),
            .optional(
                "limiter", \.treatment.limiter, .number(AudioTreatment.limiterRange),
                "what no sample of it passes, behind volume, fades and pan (dB below full scale; default "
                    + "\(usual))"),
        ]
    }

    static let gate = ProjectTable<NoiseGate>(
        "a gate", usual: NoiseGate(),
        [
            .value(
                "threshold", \.threshold, .number(NoiseGate.thresholdRange),
                "what is as loud opens it (dB below full scale, RMS of 10 ms; default -45)"),
            .value(
                "range", \.range, .number(NoiseGate.rangeRange),
                "how far down what is quieter is turned (dB; default 30)"),
            .value(
                "hysteresis", \.hysteresis, .number(NoiseGate.hysteresisRange),
                "how much quieter a sound may become before it closes (dB; default 6)"),
            .value(
                "attack", \.attack, .length,
                "how long the way up takes, which ends before the sound (1 ms to 1 s; default 0.01)"
            ),
            .value(
                "hold", \.hold, .time,
                "how long it stays open behind a sound (at most 5 s; default 0.2)"),
            .value(
                "release", \.release, .length,
                "how long the way down takes (1 ms to 5 s; default 0.2)"),
        ])
}

extension ProjectForm<Double> {
    /// A number of Hz, or one with its unit: `80`, `"80Hz"`.
    static func frequency(_ range: ClosedRange<Int>) -> ProjectForm {
        ProjectForm(.frequency(range)) { node in
            let value: Double? =
                switch node.content {
                case .number: node.number
                case .string(let text): ProjectText.frequency(text)
                default: nil
                }
            return value.flatMap {
                (Double(range.lowerBound)...Double(range.upperBound)).contains($0) ? $0 : nil
            }
        } _: {
            .shortNumber($0)
        }
    }
}

extension ProjectForm<NoiseGate> {
    /// A threshold where nothing else is said.
    static var gate: ProjectForm {
        let number = ProjectForm<Double>.number(NoiseGate.thresholdRange).map {
            NoiseGate(threshold: $0)
        } back: {
            $0.threshold
        }
        return .short(number, or: .record(ProjectTables.gate)) {
            $0 == NoiseGate(threshold: $0.threshold)
        }
    }
}
