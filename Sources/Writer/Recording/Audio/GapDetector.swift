/// Distinguishes a real hole in a device's stream from a wild stamp.
///
/// A pure value. A stamp more than 20 ms off is not believed alone: buffers are held back until the
/// following ones agree on the distance (a hole, or time that comes twice) or are back in place (an
/// outlier).
struct GapDetector: Sendable {
    /// Distance from the expected stamp that is more than drift or jitter (seconds).
    static let threshold = 0.020
    /// How well the held stamps must agree (seconds).
    private static let agreement = 0.005
    /// Buffers that must agree (count).
    private static let quorum = 3
    /// Buffers held at most before the median decides (count).
    private static let attempts = 25

    enum Verdict: Sendable, Equatable {
        /// In place: what is held, and this buffer, follow without a break.
        case continuous
        /// Hold this buffer back.
        case suspect
        /// The first held buffer is this far from where it was expected (seconds; positive: a hole;
        /// negative: it overlaps what is there).
        case displaced(Double)
    }

    private var held: [Double] = []

    var isSuspecting: Bool { !held.isEmpty }

    /// Judges a buffer by its stamp's distance from the expected one (seconds; positive is late).
    mutating func judge(_ distance: Double) -> Verdict {
        guard abs(distance) > Self.threshold else {
            held.removeAll()
            return .continuous
        }
        held.append(distance)
        let last = held.suffix(Self.quorum)
        let spread = (last.max() ?? 0) - (last.min() ?? 0)
        let agreed = last.count == Self.quorum && spread <= Self.agreement
        guard agreed || held.count >= Self.attempts else { return .suspect }
        return .displaced(decide())
    }

    /// Decides at the end of the stream, by what is known; `nil` when nothing is held.
    mutating func settle() -> Double? { held.isEmpty ? nil : decide() }

    private mutating func decide() -> Double {
        let sorted = held.suffix(Self.quorum).sorted()
        held.removeAll()
        return sorted[sorted.count / 2]
    }
}
