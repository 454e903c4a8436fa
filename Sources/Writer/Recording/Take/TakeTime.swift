public import Media

/// A time in a take report, written as a number of seconds: exact to the nanosecond within 100 days
/// of zero, to the microsecond beyond (wall-clock times).
public struct TakeTime: Sendable, Hashable, Comparable, Codable {
    /// Nanoseconds.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Rounds to the nearest nanosecond.
    public init(_ time: MediaTime) { nanoseconds = time.nanoseconds() }

    public static let zero = TakeTime(nanoseconds: 0)

    public var mediaTime: MediaTime { .nanoseconds(nanoseconds) }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self)
        // a Double of seconds holds nanoseconds up to 2^53 of them
        let isNear = abs(seconds) < 9_000_000
        let scaled = Int64(exactly: (seconds * (isNear ? 1e9 : 1e6)).rounded())
        let (exact, overflow) = (scaled ?? .max).multipliedReportingOverflow(by: isNear ? 1 : 1000)
        guard scaled != nil, !overflow else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a time is out of range")
        }
        nanoseconds = exact
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let isNear = nanoseconds.magnitude < 9_000_000_000_000_000
        try container.encode(
            isNear ? Double(nanoseconds) / 1e9 : Double(nanoseconds / 1000) / 1e6)
    }

    public static func < (left: TakeTime, right: TakeTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
