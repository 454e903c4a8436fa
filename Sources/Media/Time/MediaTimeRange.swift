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

    /// The shortest range that holds both, and what lies between them.
    public func union(_ other: MediaTimeRange) -> MediaTimeRange {
        MediaTimeRange(from: min(start, other.start), to: max(end, other.end))
    }

    /// Whether all of another range lies inside; one without a length does where its start may lie, the end
    /// included.
    public func contains(_ other: MediaTimeRange) -> Bool {
        start <= other.start && other.end <= end
    }
}
