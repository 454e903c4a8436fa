/// Why a time could not be computed.
public enum MediaTimeError: Error, Sendable, Equatable {
    /// The result needs more than 64 bits of value.
    case overflow
    /// The exact sum needs a timescale above `Int32.max`; rescale one side first.
    case noCommonTimescale(Int32, Int32)
}

/// How a rescale chooses between two neighbouring ticks.
public enum MediaTimeRounding: Sendable, CaseIterable {
    /// Towards negative infinity.
    case down
    /// Towards positive infinity.
    case up
    /// To the nearest tick; a tie goes up.
    case nearest
}

extension MediaTime {
    /// The time in ticks of `timescale`.
    /// - Throws: `MediaTimeError.overflow` when the result does not fit 64 bits.
    public func checkedTicks(
        per timescale: Int32, rounding: MediaTimeRounding
    ) throws(MediaTimeError) -> Int64 {
        precondition(timescale > 0, "a timescale must be positive")
        if timescale == self.timescale { return value }
        let ticks = divide(
            Int128(value) * Int128(timescale), by: Int128(self.timescale), rounding: rounding)
        guard let exact = Int64(exactly: ticks) else { throw .overflow }
        return exact
    }

    /// The time in ticks of `timescale`; traps on overflow.
    public func ticks(per timescale: Int32, rounding: MediaTimeRounding) -> Int64 {
        do { return try checkedTicks(per: timescale, rounding: rounding) } catch {
            preconditionFailure("\(self) does not fit 64 bits at timescale \(timescale)")
        }
    }

    /// The time at another timescale; traps on overflow.
    public func scaled(to timescale: Int32, rounding: MediaTimeRounding) -> MediaTime {
        MediaTime(value: ticks(per: timescale, rounding: rounding), timescale: timescale)
    }

    /// The time in nanoseconds, the unit of every clock; traps on overflow (292 years).
    public func nanoseconds(rounding: MediaTimeRounding = .nearest) -> Int64 {
        ticks(per: MediaTime.hostTimescale, rounding: rounding)
    }

    /// The exact sum.
    public func adding(_ other: MediaTime) throws(MediaTimeError) -> MediaTime {
        if timescale == other.timescale {
            let (sum, overflow) = value.addingReportingOverflow(other.value)
            if overflow { throw .overflow }
            return MediaTime(value: sum, timescale: timescale)
        }
        let common = try commonTimescale(with: other)
        let left = try checkedTicks(per: common, rounding: .down)
        let right = try other.checkedTicks(per: common, rounding: .down)
        let (sum, overflow) = left.addingReportingOverflow(right)
        if overflow { throw .overflow }
        return MediaTime(value: sum, timescale: common)
    }

    private func commonTimescale(with other: MediaTime) throws(MediaTimeError) -> Int32 {
        let divisor = greatestCommonDivisor(UInt64(timescale), UInt64(other.timescale))
        let product = Int64(timescale) / Int64(divisor) * Int64(other.timescale)
        guard let common = Int32(exactly: product) else {
            throw .noCommonTimescale(timescale, other.timescale)
        }
        return common
    }

    public static prefix func - (time: MediaTime) -> MediaTime {
        MediaTime(value: time.value == .min ? .max : -time.value, timescale: time.timescale)
    }

    /// The sum: exact where one timescale holds both, else to the nearest nanosecond, past 292 years to the nearest
    /// tick of the coarser timescale; the farthest time there is where 64 bits do not hold it. A caller that must know
    /// uses `adding(_:)`.
    public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
        do { return try left.adding(right) } catch { return left.nearestSum(right) }
    }

    private func nearestSum(_ other: MediaTime) -> MediaTime {
        // at most 2^95, and 2^126 with a timescale
        let numerator =
            Int128(value) * Int128(other.timescale) + Int128(other.value) * Int128(timescale)
        let denominator = Int128(timescale) * Int128(other.timescale)
        func sum(at scale: Int32) -> Int128 {
            divide(numerator * Int128(scale), by: denominator, rounding: .nearest)
        }
        if timescale != other.timescale, let ticks = Int64(exactly: sum(at: Self.hostTimescale)) {
            return MediaTime(value: ticks, timescale: Self.hostTimescale)
        }
        let coarse = min(timescale, other.timescale)
        return MediaTime(value: Int64(clamping: sum(at: coarse)), timescale: coarse)
    }

    /// The difference, as exact as the sum.
    public static func - (left: MediaTime, right: MediaTime) -> MediaTime { left + -right }

    public static func += (left: inout MediaTime, right: MediaTime) { left = left + right }

    public static func -= (left: inout MediaTime, right: MediaTime) { left = left - right }

    /// The product; the farthest time there is where 64 bits do not hold it.
    public static func * (time: MediaTime, factor: Int64) -> MediaTime {
        let product = Int128(time.value) * Int128(factor)
        return MediaTime(value: Int64(clamping: product), timescale: time.timescale)
    }
}

/// Integer division with a named rounding; the divisor is positive.
func divide(_ dividend: Int128, by divisor: Int128, rounding: MediaTimeRounding) -> Int128 {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    let floor = remainder < 0 ? quotient - 1 : quotient
    let above = remainder < 0 ? remainder + divisor : remainder
    switch rounding {
    case .down: return floor
    case .up: return above > 0 ? floor + 1 : floor
    case .nearest: return above * 2 >= divisor ? floor + 1 : floor
    }
}
