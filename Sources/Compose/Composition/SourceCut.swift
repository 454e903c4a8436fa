internal import Media

extension MediaTimeRange {
    /// Cuts the range after `part` of `whole` (both positive; `part` below `whole`).
    ///
    /// The cut is exact where 31 bits of timescale hold it. Else it lies at the next instant that they
    /// do hold, less than 2 ns later: later, so that a frame which began exactly at an instant of the
    /// timeline is not missed there.
    func cut(_ part: Int64, of whole: Int64) -> (MediaTimeRange, MediaTimeRange) {
        let scale = commonTimescale
        let from = Int128(start.ticks(per: scale, rounding: .down))
        let length = Int128(duration.ticks(per: scale, rounding: .down))
        // the cut lies at (from + length · part / whole) / scale
        let (dividend, divisor) = lowestTerms(length * Int128(part), Int128(whole))
        let exact = Int128(scale) * divisor
        let fine: Int128
        let into: Int128
        if exact <= Int128(Int32.max) {
            fine = divisor
            into = dividend
        } else {
            fine = Int128(Int32.max / scale)
            let (quotient, rest) = (dividend * fine).quotientAndRemainder(dividingBy: divisor)
            into = rest > 0 ? min(quotient + 1, length * fine - 1) : quotient
        }
        let timescale = Int32(Int128(scale) * fine)
        let cut = MediaTime(value: Int64(from * fine + into), timescale: timescale)
        return (
            MediaTimeRange(
                start: start.scaled(to: timescale, rounding: .down),
                duration: MediaTime(value: Int64(into), timescale: timescale)),
            MediaTimeRange(
                start: cut,
                duration: MediaTime(value: Int64(length * fine - into), timescale: timescale))
        )
    }

    /// The coarsest timescale on which both start and duration lie; the composition's checks see to it
    /// that there is one.
    private var commonTimescale: Int32 {
        let (first, second) = (start.reduced.timescale, duration.reduced.timescale)
        let (_, factor) = lowestTerms(Int128(first), Int128(second))
        return Int32(Int128(first) * factor)
    }
}

/// A fraction without common factors; both parts are not negative, the divisor is positive.
func lowestTerms(_ dividend: Int128, _ divisor: Int128) -> (Int128, Int128) {
    var (a, b) = (dividend, divisor)
    while b != 0 { (a, b) = (b, a % b) }
    return (dividend / a, divisor / a)
}
