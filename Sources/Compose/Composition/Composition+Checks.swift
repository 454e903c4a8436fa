internal import Media
internal import Reading

/// Everything an edit is given is checked here, before anything changes.
extension Composition {
    func index(of id: Int) throws(MediaError) -> Int {
        guard let index = tracks.firstIndex(where: { $0.id == id }) else {
            let names = tracks.map { "\($0.id)" }.joined(separator: ", ")
            throw .edit(
                "track \(id)",
                "the composition has no track \(id); "
                    + (names.isEmpty ? "it has none at all" : "it has \(names)"))
        }
        return index
    }

    func indices(of id: Int?) throws(MediaError) -> [Int] {
        if let id { return [try index(of: id)] }
        return Array(tracks.indices)
    }

    /// An instant or length on the grid.
    func tick(
        _ time: MediaTime, _ what: String, rounding: MediaTimeRounding = .nearest
    ) throws(MediaError) -> Int64 {
        guard time >= .zero, time <= Composition.longestDuration else {
            throw .edit(
                time.spoken,
                "\(what) at \(time.spoken) is not on the timeline, which goes from 0 to 24 h")
        }
        return time.ticks(per: Composition.timescale, rounding: rounding)
    }

    func ticks(
        _ range: MediaTimeRange, _ what: String
    ) throws(MediaError) -> (start: Int64, ticks: Int64) {
        (try tick(range.start, what), try tick(range.duration, what))
    }

    func checkLength(_ end: Int64, _ id: Int) throws(MediaError) {
        guard MediaTime.timeline(end) <= Composition.longestDuration else {
            throw .edit(
                "track \(id)",
                "track \(id) would last \(MediaTime.timeline(end).spoken); a timeline has at most 24 h"
            )
        }
    }

    /// A span of a source track as a segment.
    func segment(
        _ range: MediaTimeRange, of asset: Asset, track: AssetTrack, at start: Int64
    ) throws(MediaError) -> TrackSegment {
        let subject = "track \(track.id) of \(asset.path)"
        let exact = range.withCommonTimescale(track.timescale)
        guard exact.start >= .zero, exact.end <= track.reach,
            track.duration <= Composition.longestDuration
        else {
            throw .edit(
                subject,
                "\(range.duration.spoken) from \(range.start.spoken) are not in \(subject), which "
                    + "lasts \(track.duration.spoken)")
        }
        let ticks = exact.duration.ticks(per: Composition.timescale, rounding: .down)
        guard ticks > 0 else {
            throw .edit(
                subject, "the span of \(subject) at \(range.start.spoken) has no length")
        }
        let source = MediaSource(path: asset.path, trackID: track.id)
        return TrackSegment(source, exact, from: start, ticks: ticks)
    }
}

extension MediaTimeRange {
    /// The same range; or, where 31 bits of timescale do not hold both its start and its end, the nearest
    /// one in a track's ticks.
    func withCommonTimescale(_ timescale: Int32) -> MediaTimeRange {
        let (first, second) = (start.reduced, duration.reduced)
        if (try? first.adding(second)) != nil {
            return MediaTimeRange(start: first, duration: second)
        }
        let from = start.ticks(per: timescale, rounding: .nearest)
        let length = duration.ticks(per: timescale, rounding: .nearest)
        return MediaTimeRange(
            start: MediaTime(value: from, timescale: timescale),
            duration: MediaTime(value: length, timescale: timescale))
    }

    /// What of the range a source track has; nil: nothing.
    func clipped(to track: AssetTrack) -> MediaTimeRange? {
        let range = withCommonTimescale(track.timescale)
        guard range.start >= .zero, range.start < track.reach, !range.isEmpty else { return nil }
        if range.end <= track.reach { return range }
        if let rest = try? track.reach.adding(-range.start) {
            return MediaTimeRange(start: range.start, duration: rest)
        }
        let from = range.start.scaled(to: track.timescale, rounding: .nearest)
        let end = track.reach.scaled(to: track.timescale, rounding: .down)
        return from < end ? MediaTimeRange(from: from, to: end) : nil
    }
}
