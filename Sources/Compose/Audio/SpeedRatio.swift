internal import Media

/// How fast a segment plays: source length over film length, exact.
struct SpeedRatio: Sendable, Hashable {
    let numerator: Int128
    let denominator: Int128

    static let one = SpeedRatio(numerator: 1, denominator: 1)

    /// - Precondition: both are positive.
    init(numerator: Int128, denominator: Int128) {
        var (a, b) = (numerator, denominator)
        while b != 0 { (a, b) = (b, a % b) }
        self.numerator = numerator / a
        self.denominator = denominator / a
    }

    /// Nil where either length is nothing. A difference of less than half a frame over the whole segment
    /// is the timeline's rounding and no change of speed.
    init?(_ mapping: MediaTimeMapping, sampleRate: Int) {
        let (source, target) = (mapping.source.duration, mapping.target.duration)
        guard source > .zero, target > .zero else { return nil }
        if abs(source.frames(sampleRate) - target.frames(sampleRate)) < 0.5 {
            self = .one
            return
        }
        self.init(
            numerator: Int128(source.value) * Int128(target.timescale),
            denominator: Int128(source.timescale) * Int128(target.value))
    }

    var isOne: Bool { numerator == denominator }

    var value: Double { Double(numerator) / Double(denominator) }

    /// `frame` film frames as source frames: the whole part, and the rest (0 ..< 1).
    func position(of frame: Int64) -> (whole: Int64, fraction: Double) {
        let (whole, rest) = (Int128(frame) * numerator).quotientAndRemainder(
            dividingBy: denominator)
        guard rest < 0 else { return (Int64(whole), Double(rest) / Double(denominator)) }
        return (Int64(whole - 1), Double(rest + denominator) / Double(denominator))
    }
}
