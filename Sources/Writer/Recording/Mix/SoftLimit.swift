/// Keeps the sum of several microphones inside full scale without a hard edge.
///
/// Up to 0.8 of full scale (−1.9 dBFS) nothing is touched. Above, the excess *e* (in fifths of full
/// scale) becomes *e / (1 + e)*: the curve continues with the same slope, never falls and never passes
/// full scale, whatever is summed. It has no memory, so that a loud moment does not change what comes
/// after it and the same audio always gives the same result.
enum SoftLimit {
    /// Where it begins (share of full scale).
    static let knee: Float = 0.8

    static func apply(_ value: Float) -> Float {
        let level = abs(value)
        // not a number: a broken float source must not silence the others
        guard level > knee else { return value.isNaN ? 0 : value }
        let excess = (level - knee) / (1 - knee)
        let limited = knee + (1 - knee) * (1 - 1 / (1 + excess))
        return value < 0 ? -limited : limited
    }
}
