internal import Glibc
public import Media

/// Which time code a take has.
public enum TakeTimeCode: Sendable, Hashable, CustomStringConvertible {
    /// The local time of day at the take's first frame; it advances in pauses (free run). Drop frame at 29.97, 59.94 and
    /// 119.88 frames a second, so that it stays with the clock.
    case clock
    /// From `00:00:00:00` at the take's first frame; it advances in pauses (free run). Drop frame as the clock.
    case free
    /// From this at the take's first frame; pauses leave no trace in it (record run).
    case start(TimeCodeText)

    /// `clock`, `free`, `HH:MM:SS:FF` or in drop frame `HH:MM:SS;FF`.
    public init?(_ text: String) {
        switch text {
        case "clock": self = .clock
        case "free": self = .free
        default:
            guard let start = TimeCodeText(text) else { return nil }
            self = .start(start)
        }
    }

    public var description: String {
        switch self {
        case .clock: "clock"
        case .free: "free"
        case .start(let text): text.description
        }
    }

    /// Why frames of a rate cannot have it, a half-sentence; nil: they can.
    func obstacle(at rate: FrameRate) -> String? {
        guard TimeCodeRate(rate) != nil else {
            return "\(rate) frames a second are near no whole number up to 255"
        }
        guard case .start(let text) = self else { return nil }
        return text.obstacle(at: rate)
    }

    /// The movie's, from its first frame on.
    /// - Parameter wall: when that began (nanoseconds since 1970-01-01T00:00:00Z).
    /// - Returns: nil where there is an obstacle.
    func begin(at rate: FrameRate, wall: Int64) -> MovieTimeCode? {
        switch self {
        case .start(let text): return text.timeCode(at: rate).map { MovieTimeCode($0) }
        case .free, .clock:
            guard let own = TimeCodeRate(ofClockAt: rate) else { return nil }
            let time = self == .clock ? Self.timeOfDay(wall) : 0
            return MovieTimeCode(TimeCode(timeOfDay: time, rate: own), runsInPauses: true)
        }
    }

    /// Since midnight by the local clock (ns).
    private static func timeOfDay(_ wall: Int64) -> Int64 {
        var seconds = time_t(wall / 1_000_000_000)
        var local = tm()
        localtime_r(&seconds, &local)
        let whole = Int64(local.tm_hour) * 3600 + Int64(local.tm_min) * 60 + Int64(local.tm_sec)
        return whole * 1_000_000_000 + wall % 1_000_000_000
    }
}
