/// Rounds the times of one track to its ticks, once, and keeps them strictly increasing.
///
/// Two times that are apart before rounding can meet in one tick after it (on resume, at high
/// rates): the later one is refused, and the caller counts it.
struct TickSequence: Sendable {
    /// Ticks per second (1/s; positive).
    let timescale: Int64
    /// The last tick given out.
    private(set) var last: Int64?
    /// How many times were refused (count).
    private(set) var refused = 0

    init(timescale: Int32) { self.timescale = Int64(timescale) }

    /// Movie nanoseconds to the nearest tick; a tie goes up.
    static func ticks(_ nanoseconds: Int64, timescale: Int64) -> Int64 {
        ticks(nanoseconds, from: 1_000_000_000, to: timescale)
    }

    /// Ticks of one timescale to the nearest of another; a tie goes up.
    static func ticks(_ value: Int64, from: Int64, to: Int64) -> Int64 {
        let dividend = Int128(value) * Int128(to) * 2 + Int128(from)
        let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: Int128(from) * 2)
        return Int64(rest < 0 ? quotient - 1 : quotient)
    }

    /// The tick of a movie time; `nil` (counted) when it would not be after the last one.
    mutating func next(_ nanoseconds: Int64) -> Int64? {
        take(Self.ticks(nanoseconds, timescale: timescale))
    }

    /// A tick as it is; `nil` (counted) when it is not after the last one.
    mutating func take(_ tick: Int64) -> Int64? {
        if let last, tick <= last {
            refused += 1
            return nil
        }
        last = tick
        return tick
    }
}
