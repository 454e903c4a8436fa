public import Media

extension TrackSegment {
    /// The source instant at one of the timeline, in ticks of `timescale`; nil outside of the segment, in an empty one,
    /// and where it does not fit 64 bits. Exact but for the one rounding; where the speed changes on the way, the
    /// source's ends are rounded to the timeline's grid first.
    public func sourceTime(
        at time: MediaTime, timescale: Int32, rounding: MediaTimeRounding
    ) -> MediaTime? {
        guard !isEmpty, mapping.target.contains(time) else { return nil }
        if course == nil, !isReversed {
            return mapping.sourceTime(atTarget: time, timescale: timescale, rounding: rounding)
        }
        let into = time - timeRange.start
        let (source, target) = piece(at: into)
        guard isReversed else {
            return MediaTimeMapping(source: source, target: target)
                .sourceTime(atTarget: into, timescale: timescale, rounding: rounding)
        }
        // as far from the piece's end as the instant is from its beginning
        let back = target.end - into
        let span = MediaTimeRange(start: .zero, duration: target.duration)
        guard back < span.duration else {
            let end = try? source.end.checkedTicks(per: timescale, rounding: rounding)
            return end.map { MediaTime(value: $0, timescale: timescale) }
        }
        return MediaTimeMapping(source: source, target: span)
            .sourceTime(atTarget: back, timescale: timescale, rounding: rounding)
    }

    /// The span of the source that is played at one speed around an instant, and when (from the segment's beginning).
    private func piece(
        at into: MediaTime
    ) -> (source: MediaTimeRange, target: MediaTimeRange) {
        guard let course else { return (mapping.source, .ticks(0, ticks)) }
        let (from, to) = course.piece(
            at: into.ticks(per: Composition.timescale, rounding: .down))
        let length = to.source - from.source
        let start =
            isReversed
            ? mapping.source.end.timelineTicks - to.source
            : mapping.source.start.timelineTicks + from.source
        return (.ticks(start, length), .ticks(from.target, to.target - from.target))
    }

    /// Which instant of the source's track a frame of the film shows: see `MediaTimeMapping.frameTime`. Backwards it is
    /// the last one before the frame's, so that a frame's end is the beginning of it.
    /// - Parameter frameDuration: of the film (seconds).
    func frameTime(
        at time: MediaTime, of phase: SourcePhase, every frameDuration: MediaTime
    ) -> MediaTime? {
        let timescale = phase.timescale
        if course == nil, !isReversed {
            return mapping.frameTime(at: time, of: phase, every: frameDuration)
        }
        guard let up = sourceTime(at: time, timescale: timescale, rounding: .up),
            let down = sourceTime(at: time, timescale: timescale, rounding: .down)
        else { return nil }
        let isFine = timescale >= 600
        guard isFine else {
            return isReversed
                ? MediaTime(value: max(0, up.value - 1), timescale: timescale) : down
        }
        let first = mapping.source.start.ticks(per: timescale, rounding: .up)
        let last = max(first, mapping.source.end.ticks(per: timescale, rounding: .down) - 1)
        // between two ticks both may be the beginning of a frame
        let ahead = course == nil ? mapping.ahead(phase, frameDuration) : 0
        let value = isReversed ? down.value - 1 - ahead : up.value + ahead
        return MediaTime(
            value: min(max(value, first), last) + phase.lateness, timescale: timescale)
    }

    /// When an instant of the source is shown, to the nearest tick of the timeline; one outside of the segment's span
    /// counts as its nearest end.
    func tick(ofSource time: MediaTime) -> Int64 {
        let (first, last) = (mapping.source.start, mapping.source.end)
        if time <= first { return isReversed ? end : start }
        if time >= last { return isReversed ? start : end }
        if let course {
            let played =
                isReversed
                ? last.timelineTicks - time.timelineTicks
                : time.timelineTicks - first.timelineTicks
            return start + course.target(ofSource: played)
        }
        let way = MediaTimeMapping(source: .ticks(0, ticks), target: mapping.source)
        let into = way.sourceTime(
            atTarget: time, timescale: Composition.timescale, rounding: .nearest)
        return isReversed ? end - (into?.value ?? 0) : start + (into?.value ?? ticks)
    }
}
