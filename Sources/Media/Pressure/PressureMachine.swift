/// Makes levels of measurements, as a pure value. Each cause stands by itself:
///
/// ```
///            value reaches the level's threshold: at once, over as many levels as it is
///  nominal ─────────▶ fair ─────────▶ serious ─────────▶ critical
///     ◀──────────────── ◀─────────────── ◀────────────────
///    value stays below 4/5 of its own level's threshold for `calm`: one level, and `calm` begins anew
/// ```
///
/// A cause that cannot be measured (any more) is nominal at once.
public struct PressureMachine: Sendable, Equatable {
    /// Where the levels of a cause begin; `nil` where it never reaches one.
    public struct Thresholds: Sendable, Hashable {
        public var fair: Double
        public var serious: Double?
        public var critical: Double?

        public init(fair: Double, serious: Double? = nil, critical: Double? = nil) {
            self.fair = fair
            self.serious = serious
            self.critical = critical
        }

        func value(of level: PressureLevel) -> Double? {
            switch level {
            case .nominal: nil
            case .fair: fair
            case .serious: serious
            case .critical: critical
            }
        }

        func level(of value: Double) -> PressureLevel {
            PressureLevel.allCases.last { level in
                self.value(of: level).map { value >= $0 } ?? (level == .nominal)
            } ?? .nominal
        }
    }

    /// Waiting for the processor or a disk says that others are busy too, and not that the movie suffers; a full
    /// queue says that. So the first go up to `fair` and `serious` only.
    public static let standard: [PressureCause: Thresholds] = [
        .processor: Thresholds(fair: 0.5, serious: 0.9),
        .storage: Thresholds(fair: 0.5, serious: 0.9),
        .memory: Thresholds(fair: 0.1, serious: 0.3, critical: 0.6),
        .heat: Thresholds(fair: 0.7, serious: 0.9, critical: 1),
        .encoder: Thresholds(fair: 0.25, serious: 0.5, critical: 0.75),
        .disk: Thresholds(fair: 0.25, serious: 0.5, critical: 0.75),
    ]

    private struct Cause: Sendable, Equatable {
        var level: PressureLevel
        /// Since when the value has been low enough for the level below (ns).
        var calmSince: Int64?
    }

    private let thresholds: [PressureCause: Thresholds]
    private let calm: Int64
    private var causes: [PressureCause: Cause] = [:]

    /// - Parameters:
    ///   - thresholds: of each cause that is looked at.
    ///   - calm: how long a value must be low before its level falls.
    public init(
        thresholds: [PressureCause: Thresholds] = PressureMachine.standard,
        calm: MediaTime = .seconds(3)
    ) {
        self.thresholds = thresholds
        self.calm = calm.nanoseconds()
    }

    public var state: PressureState { PressureState(causes.mapValues(\.level)) }

    /// Takes a measurement.
    public mutating func take(_ reading: PressureReading, at time: MediaTime) {
        let now = time.nanoseconds()
        for (cause, limits) in thresholds {
            guard let value = reading.values[cause] else {
                causes[cause] = nil
                continue
            }
            causes[cause] = next(causes[cause], value, limits, now)
        }
    }

    private func next(
        _ cause: Cause?, _ value: Double, _ limits: Thresholds, _ now: Int64
    ) -> Cause? {
        let reached = limits.level(of: value)
        let level = cause?.level ?? .nominal
        if reached > level { return Cause(level: reached) }
        guard let cause, let own = limits.value(of: level), value < own * 4 / 5 else {
            return level == .nominal ? nil : Cause(level: level)
        }
        let since = cause.calmSince ?? now
        guard now - since >= calm else { return Cause(level: level, calmSince: since) }
        let below = PressureLevel.allCases.last {
            $0 < level && limits.value(of: $0) != nil
        }
        return below.map { Cause(level: $0, calmSince: now) }
    }
}
