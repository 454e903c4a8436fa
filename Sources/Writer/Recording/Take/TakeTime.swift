public import Media

/// A time in a take report: exact to the nanosecond, written as a number of seconds.
public struct TakeTime: Sendable, Hashable, Comparable, Codable {
    /// Nanoseconds.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Rounds to the nearest nanosecond.
    public init(_ time: MediaTime) { nanoseconds = time.nanoseconds() }

    public static let zero = TakeTime(nanoseconds: 0)

    public var mediaTime: MediaTime { .nanoseconds(nanoseconds) }

    /// Seconds. Numbers up to 90 days come back from JSON with the same nanosecond.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let scaled = (try container.decode(Double.self) * 1e9).rounded()
        guard let exact = Int64(exactly: scaled) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a time is out of range")
        }
        nanoseconds = exact
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Double(nanoseconds) / 1e9)
    }

    public static func < (left: TakeTime, right: TakeTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
