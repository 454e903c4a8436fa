internal import Media

/// When the units of a counting device fall on the host clock: exact, however long it runs.
struct DeviceSchedule: Sendable, Hashable {
    /// Start of device time (host clock, ns).
    let origin: Int64
    /// Units (frames or audio frames) a second of device time.
    let rate: FrameRate
    /// How much faster than the host clock the device runs (parts per million; above −1,000,000).
    let ppm: Int64

    private static let million: Int128 = 1_000_000
    private static let nanoseconds: Int128 = 1_000_000_000

    /// Host time of a unit, to the nearest nanosecond.
    func hostTime(of unit: Int64) -> MediaTime {
        let dividend = Int128(unit) * Int128(rate.denominator) * Self.nanoseconds * Self.million
        let divisor = Int128(rate.numerator) * (Self.million + Int128(ppm))
        return .nanoseconds(origin + Int64(Self.nearest(dividend, divisor)))
    }

    /// The first unit at or after a host time.
    func firstUnit(atOrAfter time: MediaTime) -> Int64 {
        let elapsed = Int128(time.nanoseconds(rounding: .up) - origin)
        let dividend = elapsed * Int128(rate.numerator) * (Self.million + Int128(ppm))
        let divisor = Self.nanoseconds * Self.million * Int128(rate.denominator)
        var unit = Int64(Self.floor(dividend, divisor))
        while hostTime(of: unit) < time { unit += 1 }
        return unit
    }

    /// Device time of a unit.
    func deviceTime(of unit: Int64) -> MediaTime {
        MediaTime(value: unit * Int64(rate.denominator), timescale: rate.numerator)
    }

    /// Device time at a host time, to the nanosecond below.
    func deviceTime(at time: MediaTime) -> MediaTime {
        let elapsed = Int128(time.nanoseconds() - origin)
        return .nanoseconds(
            Int64(Self.floor(elapsed * (Self.million + Int128(ppm)), Self.million)))
    }

    /// Whether a unit is the first at or after a whole second of device time.
    func beginsSecond(_ unit: Int64) -> Bool { second(of: unit) > second(of: unit - 1) }

    /// The first unit at or after a whole second of device time.
    func unit(beginningSecond second: Int64) -> Int64 {
        -Int64(
            Self.floor(
                -Int128(second) * Int128(rate.numerator), Int128(rate.denominator)))
    }

    /// The whole second of device time a unit lies in.
    func second(of unit: Int64) -> Int64 {
        Int64(Self.floor(Int128(unit) * Int128(rate.denominator), Int128(rate.numerator)))
    }

    /// The unit of this schedule nearest to a unit of another with the same origin.
    func unit(nearest unit: Int64, of other: DeviceSchedule) -> Int64 {
        let seconds = Int128(unit) * Int128(other.rate.denominator)
        let dividend = seconds * Int128(rate.numerator) * (Self.million + Int128(ppm))
        let divisor =
            Int128(other.rate.numerator) * Int128(rate.denominator)
            * (Self.million + Int128(other.ppm))
        return Int64(Self.nearest(dividend, divisor))
    }

    private static func floor(_ dividend: Int128, _ divisor: Int128) -> Int128 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func nearest(_ dividend: Int128, _ divisor: Int128) -> Int128 {
        floor(2 * dividend + divisor, 2 * divisor)
    }
}
