/// A span of source time placed on a span of target time, at any speed.
public struct MediaTimeMapping: Sendable, Hashable {
    /// The span in the source's time.
    public let source: MediaTimeRange
    /// The span in the target's time.
    public let target: MediaTimeRange

    public init(source: MediaTimeRange, target: MediaTimeRange) {
        self.source = source
        self.target = target
    }

    /// The source instant shown at a target instant, in ticks of `timescale`, rounded once; `nil` outside
    /// the target span, where the target span is empty, or where the result does not fit 64 bits.
    ///
    /// Exact for every pair of spans: the fractions are never cut before the one rounding.
    public func sourceTime(
        atTarget time: MediaTime, timescale: Int32, rounding: MediaTimeRounding
    ) -> MediaTime? {
        guard target.contains(time) else { return nil }
        let value: Int64? =
            switch rounding {
            case .down: floorTicks(time, Int128(timescale)).flatMap { Int64(exactly: $0.floor) }
            case .up:
                floorTicks(time, Int128(timescale)).flatMap {
                    Int64(exactly: $0.isExact ? $0.floor : $0.floor + 1)
                }
            case .nearest:
                // half a tick up, then down: in half ticks
                floorTicks(time, 2 * Int128(timescale)).flatMap {
                    Int64(exactly: ($0.floor + 1) >> 1)
                }
            }
        return value.map { MediaTime(value: $0, timescale: timescale) }
    }

    /// `scale · (source.start + (time − target.start) · source.duration / target.duration)`, cut to a
    /// whole number.
    private func floorTicks(
        _ time: MediaTime, _ scale: Int128
    ) -> (floor: Int128, isExact: Bool)? {
        // the speed as a reduced fraction, so that usual speeds stay small
        let (speed, ofSpeed) = reduced(
            Int128(source.duration.value) * Int128(target.duration.timescale),
            Int128(source.duration.timescale) * Int128(target.duration.value))
        let into = time.subtractingExactly(target.start)
        let (count, ofCount) = reduced(into.value * scale, into.timescale)
        let (crossed, ofSecond) = reduced(speed, ofCount)
        let (steps, ofFirst) = reduced(count, ofSpeed)
        let (dividend, overflow) = crossed.multipliedReportingOverflow(by: steps)
        let (divisor, isTooFine) = ofFirst.multipliedReportingOverflow(by: ofSecond)
        guard !overflow, !isTooFine else { return nil }
        let (offset, rest) = dividend.floorDivision(by: divisor)
        let (start, startRest) = (Int128(source.start.value) * scale)
            .floorDivision(by: Int128(source.start.timescale))
        // rest/divisor + startRest/startScale, each below 1: is the sum one or more?
        let missing = Int128(source.start.timescale) - startRest
        let left = missing.multipliedFullWidth(by: divisor)
        let right = rest.multipliedFullWidth(by: Int128(source.start.timescale))
        let isWhole = left.high == right.high && left.low == right.low
        let carries =
            left.high < right.high || (left.high == right.high && left.low <= right.low)
        return (start + offset + (carries ? 1 : 0), isWhole || (rest == 0 && startRest == 0))
    }
}

/// A fraction in lowest terms; the divisor is positive.
private func reduced(_ dividend: Int128, _ divisor: Int128) -> (Int128, Int128) {
    var (a, b) = (dividend.magnitude, divisor.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    return a > 1 ? (dividend / Int128(a), divisor / Int128(a)) : (dividend, divisor)
}

extension MediaTime {
    /// The difference as a fraction, whatever the timescales.
    fileprivate func subtractingExactly(
        _ other: MediaTime
    ) -> (value: Int128, timescale: Int128) {
        if timescale == other.timescale {
            return (Int128(value) - Int128(other.value), Int128(timescale))
        }
        return (
            Int128(value) * Int128(other.timescale) - Int128(other.value) * Int128(timescale),
            Int128(timescale) * Int128(other.timescale)
        )
    }
}

extension Int128 {
    /// Quotient towards negative infinity, and what is left (not negative); the divisor is positive.
    fileprivate func floorDivision(by divisor: Int128) -> (Int128, Int128) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
