public import Media

/// A span of a source on a span of the timeline, or nothing on a span of the timeline.
public struct TrackSegment: Sendable, Hashable {
    /// Nil: nothing is shown or heard.
    public let source: MediaSource?
    /// Source: movie time of the source. Target: the timeline.
    public let mapping: MediaTimeMapping

    /// On the timeline.
    public var timeRange: MediaTimeRange { mapping.target }
    public var isEmpty: Bool { source == nil }

    /// How much faster than recorded (factor, for printing only).
    public var approximateSpeed: Double {
        mapping.source.duration.approximateSeconds / mapping.target.duration.approximateSeconds
    }
}

extension TrackSegment {
    init(emptyFrom start: Int64, ticks: Int64) {
        source = nil
        mapping = MediaTimeMapping(
            source: MediaTimeRange(start: .zero, duration: .timeline(ticks)),
            target: MediaTimeRange(start: .timeline(start), duration: .timeline(ticks)))
    }

    init(_ source: MediaSource, _ range: MediaTimeRange, from start: Int64, ticks: Int64) {
        self.source = source
        mapping = MediaTimeMapping(
            source: range,
            target: MediaTimeRange(start: .timeline(start), duration: .timeline(ticks)))
    }

    /// First tick on the timeline.
    var start: Int64 { mapping.target.start.value }
    /// Ticks of the timeline (positive).
    var ticks: Int64 { mapping.target.duration.value }
    /// First tick after.
    var end: Int64 { start + ticks }

    /// The same span of the source somewhere else, or at another speed.
    func placed(at start: Int64, ticks: Int64? = nil) -> TrackSegment {
        guard let source else {
            return TrackSegment(emptyFrom: start, ticks: ticks ?? self.ticks)
        }
        return TrackSegment(source, mapping.source, from: start, ticks: ticks ?? self.ticks)
    }

    /// The parts before and after a tick inside the segment. Together they show what the whole did.
    func cut(at tick: Int64) -> (TrackSegment, TrackSegment) {
        let into = tick - start
        guard let source else {
            return (
                TrackSegment(emptyFrom: start, ticks: into),
                TrackSegment(emptyFrom: tick, ticks: ticks - into)
            )
        }
        let (before, after) = mapping.source.cut(into, of: ticks)
        return (
            TrackSegment(source, before, from: start, ticks: into),
            TrackSegment(source, after, from: tick, ticks: ticks - into)
        )
    }

    /// Whether the other segment continues where this one ends, at the same speed.
    func continues(with next: TrackSegment) -> Bool {
        guard source == next.source, end == next.start else { return false }
        guard !isEmpty else { return true }
        let own = mapping.source
        let other = next.mapping.source
        guard own.end == other.start, own.duration.timescale == other.duration.timescale else {
            return false
        }
        return Int128(own.duration.value) * Int128(next.ticks)
            == Int128(other.duration.value) * Int128(ticks)
    }

    /// This segment and the one it continues with.
    func joined(with next: TrackSegment) -> TrackSegment {
        guard let source else {
            return TrackSegment(emptyFrom: start, ticks: ticks + next.ticks)
        }
        let range = MediaTimeRange(
            start: mapping.source.start,
            duration: mapping.source.duration + next.mapping.source.duration)
        return TrackSegment(source, range, from: start, ticks: ticks + next.ticks)
    }
}
