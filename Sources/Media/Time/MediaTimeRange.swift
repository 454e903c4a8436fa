/// A half-open span of time: `start` is inside, `end` is not.
///
/// Every range in the interface says its frame of reference (source, segment, track, timeline).
public struct MediaTimeRange: Sendable, Hashable {
    /// First instant inside the range (seconds; any time).
    public let start: MediaTime
    /// Length (seconds; not negative).
    public let duration: MediaTime

    /// - Precondition: `duration` is not negative.
    public init(start: MediaTime, duration: MediaTime) {
        precondition(duration >= .zero, "a time range cannot have a negative duration")
        self.start = start
        self.duration = duration
    }

    /// The range between two instants.
    /// - Precondition: `end` is not before `start`.
    public init(from start: MediaTime, to end: MediaTime) {
        self.init(start: start, duration: end - start)
    }

    /// First instant after the range.
    public var end: MediaTime { start + duration }

    public var isEmpty: Bool { duration == .zero }

    public func contains(_ time: MediaTime) -> Bool { start <= time && time < end }

    public func intersection(_ other: MediaTimeRange) -> MediaTimeRange? {
        let from = max(start, other.start)
        let to = min(end, other.end)
        return from < to ? MediaTimeRange(from: from, to: to) : nil
    }
}

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

    /// The source instant shown at a target instant, in ticks of `timescale`; `nil` outside the
    /// target span or where the target span is empty.
    public func sourceTime(
        atTarget time: MediaTime, timescale: Int32, rounding: MediaTimeRounding
    ) -> MediaTime? {
        guard target.contains(time) else { return nil }
        let into = time - target.start
        // into * source / target as one fraction: (a/b) * (c/d) / (e/f) = (a*c*f) / (b*d*e)
        let dividend = Int128(into.value) * Int128(source.duration.value)
        let divisor = Int128(into.timescale) * Int128(source.duration.timescale)
        let scaledDividend = dividend * Int128(target.duration.timescale)
        let scaledDivisor = divisor * Int128(target.duration.value)
        let ticks = divide(
            scaledDividend * Int128(timescale), by: scaledDivisor, rounding: rounding)
        guard let offset = Int64(exactly: ticks) else { return nil }
        return source.start + MediaTime(value: offset, timescale: timescale)
    }
}
