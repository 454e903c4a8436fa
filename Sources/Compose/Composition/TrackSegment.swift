public import Media

/// A span of a source on a span of the timeline, or nothing on a span of the timeline.
public struct TrackSegment: Sendable, Hashable {
    /// Nil: nothing is shown or heard.
    public let source: MediaSource?
    /// Source: movie time of the source. Target: the timeline. Where `isReversed`, the source's end lies at the target's
    /// start; where the speed changes on the way, only the ends of both are those of each other.
    public let mapping: MediaTimeMapping
    /// How it runs through its source.
    let play: SegmentPlay

    /// Whether the source's span is shown from its end to its start.
    public var isReversed: Bool { play.isReversed }
    /// Whether its speed changes on the way.
    public var isRamped: Bool { play.course != nil }
    /// Whether its frames are mixed where they are not the film's.
    public var blendsFrames: Bool { play.blendsFrames }
    /// How it advances in its source; nil: at one speed.
    var course: SourceCourse? { play.course }

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
        (source, play) = (nil, SegmentPlay())
        mapping = MediaTimeMapping(
            source: MediaTimeRange(start: .zero, duration: .timeline(ticks)),
            target: MediaTimeRange(start: .timeline(start), duration: .timeline(ticks)))
    }

    /// - Parameter play: its course is as long as `ticks`.
    init(
        _ source: MediaSource, _ range: MediaTimeRange, from start: Int64, ticks: Int64,
        _ play: SegmentPlay = SegmentPlay()
    ) {
        (self.source, self.play) = (source, play)
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
        let length = ticks ?? self.ticks
        guard let source else { return TrackSegment(emptyFrom: start, ticks: length) }
        var play = play
        if length != self.ticks { play.course = course?.scaled(to: length) }
        return TrackSegment(source, mapping.source, from: start, ticks: length, play)
    }

    /// The same span of the source, played the other way round.
    var reversed: TrackSegment {
        var play = play
        play.isReversed.toggle()
        play.course = course?.reversed
        return playing(play)
    }

    /// The same, going through its source otherwise; a course says how long that takes.
    func playing(_ play: SegmentPlay) -> TrackSegment {
        guard let source else { return self }
        return TrackSegment(
            source, mapping.source, from: start, ticks: play.course?.ticks ?? ticks, play)
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
        // of the source what is played first
        let played = course.map { ($0.source(at: into), $0.sourceTicks) } ?? (into, ticks)
        let (front, back) = mapping.source.cut(
            isReversed ? played.1 - played.0 : played.0, of: played.1)
        let parts = course?.cut(at: into)
        return (
            TrackSegment(
                source, isReversed ? back : front, from: start, ticks: into,
                play.along(parts?.before)),
            TrackSegment(
                source, isReversed ? front : back, from: tick, ticks: ticks - into,
                play.along(parts?.after))
        )
    }

    /// Whether the other segment continues where this one ends, at the same one speed.
    func continues(with next: TrackSegment) -> Bool {
        guard source == next.source, end == next.start else { return false }
        guard !isEmpty else { return true }
        guard play == next.play, course == nil else { return false }
        let own = mapping.source
        let other = next.mapping.source
        guard isReversed ? own.start == other.end : own.end == other.start,
            own.duration.timescale == other.duration.timescale
        else { return false }
        return Int128(own.duration.value) * Int128(next.ticks)
            == Int128(other.duration.value) * Int128(ticks)
    }

    /// This segment and the one it continues with.
    func joined(with next: TrackSegment) -> TrackSegment {
        guard let source else {
            return TrackSegment(emptyFrom: start, ticks: ticks + next.ticks)
        }
        let range = MediaTimeRange(
            start: (isReversed ? next : self).mapping.source.start,
            duration: mapping.source.duration + next.mapping.source.duration)
        return TrackSegment(source, range, from: start, ticks: ticks + next.ticks, play)
    }
}
