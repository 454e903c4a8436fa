internal import Media

/// Clips of frames one after the other, and where each lies.
struct OTIORow {
    private(set) var videos: [VideoItem]
    /// In the same order.
    private(set) var places: [OTIOPlace]

    init(_ videos: [VideoItem] = [], _ places: [OTIOPlace] = []) {
        (self.videos, self.places) = (videos, places)
    }

    var isEmpty: Bool { videos.isEmpty }
    /// Where its last clip ends (ticks); nil: a clip does not state its length.
    var end: Int64? {
        guard let last = places.last else { return 0 }
        return last.length.flatMap { length in last.at.map { $0 + length } }
    }

    /// Another row's clips behind its own.
    /// - Parameter start: where the other one's time begins in this one's (ticks), not before this one ends.
    mutating func append(_ other: OTIORow, at start: Int64) {
        guard let end, var first = other.videos.first, let place = other.places.first?.at else {
            return
        }
        first.gap = .timeline(start + place - end)
        videos += [first] + other.videos.dropFirst()
        places += other.places.map { $0.moved(by: start) }
    }

    /// Whether all that a range needs is known, and it neither begins nor ends within a transition: a timeline has whole
    /// ones only, between two clips that it shows.
    func isTrimmable(to window: Range<Int64>) -> Bool {
        zip(videos, places).allSatisfy { clip, place in
            guard let at = place.at, place.length != nil,
                clip.end != nil || clip.freeze != nil, !clip.isRamped
            else { return false }
            guard let over = place.over else { return clip.transition.kind == .cut }
            let reach = (at - over.back)...(at + over.on)
            let isBefore = reach.upperBound <= window.lowerBound
            let isBehind = window.upperBound <= reach.lowerBound
            return isBefore || isBehind || window.holds(over, at: at)
        }
    }

    /// Without what lies outside of a range, in the range's time. A clip reaches as far as before into the transitions
    /// that stay.
    func trimmed(to window: Range<Int64>) -> OTIORow {
        var row = OTIORow()
        var shown = window.lowerBound
        for (index, (clip, place)) in zip(videos, places).enumerated() {
            var item = clip
            guard let at = place.at, let length = place.length else { continue }
            let (from, to) = (max(at, window.lowerBound), min(at + length, window.upperBound))
            guard from < to else { continue }
            // of the source, before and behind what is shown
            let cut = (item.speed.source(from - at), item.speed.source(at + length - to))
            let skipped = item.isReversed ? cut.1 : cut.0
            let start = place.start + (item.freeze == nil ? skipped : 0)
            let end = start + item.speed.source(to - from)
            let isJoined = place.over.map { window.holds($0, at: at) } ?? false
            if !isJoined {
                if item.isReversed {
                    item.end = .timeline(end)
                } else {
                    item.start = .timeline(start)
                }
                item.transition = .cut
            }
            let next = index + 1 < places.count ? places[index + 1] : nil
            let overNext = next.flatMap { next in
                next.over.flatMap { over in
                    next.at.flatMap { window.holds(over, at: $0) ? over : nil }
                }
            }
            if item.freeze != nil {
                let reach = (isJoined ? place.over?.back ?? 0 : 0) + (overNext?.on ?? 0)
                item.freeze = .timeline(to - from + reach)
            } else if overNext == nil {
                if item.isReversed {
                    item.start = .timeline(start)
                } else {
                    item.end = .timeline(end)
                }
            }
            item.gap = .timeline(from - shown)
            shown = to
            row.videos.append(item)
            var kept = place
            (kept.at, kept.start, kept.length) = (from - window.lowerBound, start, to - from)
            kept.over = isJoined ? place.over : nil
            row.places.append(kept)
        }
        return row
    }
}

extension Range<Int64> {
    /// Whether a transition over a cut at a place lies within it, with something of both clips.
    fileprivate func holds(_ over: (back: Int64, on: Int64), at cut: Int64) -> Bool {
        lowerBound < cut && cut < upperBound && lowerBound <= cut - over.back
            && cut + over.on <= upperBound
    }
}

extension Speed {
    /// A length of the film as one of the source (ticks).
    func source(_ ticks: Int64) -> Int64 {
        Int64(Int128(ticks) * Int128(numerator) / Int128(denominator))
    }

    /// A length of the source as one of the film (ticks).
    func film(_ ticks: Int64) -> Int64 {
        Int64(Int128(ticks) * Int128(denominator) / Int128(numerator))
    }
}
