/// An exact rational point in time or length of time: `value / timescale` seconds.
///
/// A `MediaTime` is always valid; "no time" is `nil`. Comparison is exact for every pair.
/// The operators do not trap: a sum is exact where one timescale holds it, else the nearest time there is. Who must
/// know uses the throwing forms (`adding(_:)`). Reentrant.
public struct MediaTime: Sendable {
    /// Number of ticks (1/`timescale` s each; any `Int64`).
    public let value: Int64
    /// Ticks per second (1/s; 1…`Int32.max`).
    public let timescale: Int32

    /// - Precondition: `timescale` is positive.
    public init(value: Int64, timescale: Int32) {
        precondition(timescale > 0, "a timescale must be positive")
        self.value = value
        self.timescale = timescale
    }

    public static let zero = MediaTime(value: 0, timescale: 1)

    /// The timescale of every clock reading in vcap.
    public static let hostTimescale: Int32 = 1_000_000_000

    public static func nanoseconds(_ value: Int64) -> MediaTime {
        MediaTime(value: value, timescale: hostTimescale)
    }

    public static func milliseconds(_ value: Int64) -> MediaTime {
        MediaTime(value: value, timescale: 1000)
    }

    public static func seconds(_ value: Int64) -> MediaTime {
        MediaTime(value: value, timescale: 1)
    }

    /// Seconds as floating point, for printing only.
    public var approximateSeconds: Double { Double(value) / Double(timescale) }
}

extension MediaTime: Equatable, Hashable, Comparable {
    public static func == (left: MediaTime, right: MediaTime) -> Bool {
        if left.timescale == right.timescale { return left.value == right.value }
        return left.cross(right.timescale) == right.cross(left.timescale)
    }

    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        if left.timescale == right.timescale { return left.value < right.value }
        return left.cross(right.timescale) < right.cross(left.timescale)
    }

    public func hash(into hasher: inout Hasher) {
        let reduced = self.reduced
        hasher.combine(reduced.value)
        hasher.combine(reduced.timescale)
    }

    private func cross(_ other: Int32) -> Int128 { Int128(value) * Int128(other) }

    /// The same time with the smallest timescale that holds it.
    public var reduced: MediaTime {
        let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
        guard divisor > 1 else { return self }
        return MediaTime(value: value / Int64(divisor), timescale: timescale / Int32(divisor))
    }
}

extension MediaTime: CustomStringConvertible {
    public var description: String { "\(value)/\(timescale)" }
}

package func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}
