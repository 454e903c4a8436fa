internal import Media
internal import Reading

/// Finds out which frames of a film can be copied. Reads the indexes of the sources; blocks.
struct SmartPlanner {
    let film: Film
    let frames: VideoComposition
    /// Of the film's frames.
    let codec: VideoCodec
    let times: FilmTimes
    let shelf: SourceShelf

    /// A span of frames that are frames of one clip, one after the other.
    private struct Stretch {
        var frames: Range<Int64>
        /// The first frame.
        let place: Place
        /// Whether others of the clip are beside it.
        var isScattered = false
    }

    /// A frame of a clip.
    private struct Place {
        let segment: TrackSegment
        let source: MediaSource
        /// In the order shown, in its file.
        let rank: Int
    }

    /// - Returns: no plan where nothing can be copied, and why, half-sentences in order.
    func plan() throws(MediaError) -> (plan: SmartPlan?, obstacles: [String]) {
        guard frames.compositor == nil else {
            return (nil, ["the film's frames are made by a compositor of its own"])
        }
        let touch = SmartTouch(film, frames, shelf: shelf)
        var sources = SmartSources(frames, codec, shelf)
        let parts = try parts(touch, &sources)
        var found: [SmartFound] = []
        for part in parts {
            switch part {
            case .touched(let frames, let reason):
                found.append(SmartFound(frames, because: reason))
            case .stretch(let stretch): found += copies(in: stretch, &sources)
            }
        }
        let track = SmartTrack(sources: sources, namesSources: sources.areSeveral)
        if let plan = try track.plan(found) { return (plan, []) }
        return (nil, found.compactMap(\.reason).spoken(naming: track.namesSources))
    }

    // MARK: What nothing touches

    private enum Part {
        case touched(Range<Int64>, because: SmartReason)
        case stretch(Stretch)
    }

    private func parts(
        _ touch: SmartTouch, _ sources: inout SmartSources
    ) throws(MediaError) -> [Part] {
        var parts: [Part] = []
        for number in 0..<times.frameCount {
            let next = number + 1
            switch try place(of: times.time(ofFrame: number), touch, &sources) {
            case .failure(let reason):
                if case .touched(let range, reason) = parts.last {
                    parts[parts.count - 1] = .touched(range.lowerBound..<next, because: reason)
                } else {
                    parts.append(.touched(number..<next, because: reason))
                }
            case .success(let place):
                if case .stretch(var stretch) = parts.last,
                    stretch.place.source == place.source,
                    stretch.place.rank + stretch.frames.count == place.rank
                {
                    stretch.frames = stretch.frames.lowerBound..<next
                    parts[parts.count - 1] = .stretch(stretch)
                } else {
                    var stretch = Stretch(frames: number..<next, place: place)
                    if case .stretch(var last) = parts.last, last.place.segment == place.segment {
                        (last.isScattered, stretch.isScattered) = (true, true)
                        parts[parts.count - 1] = .stretch(last)
                    }
                    parts.append(.stretch(stretch))
                }
            }
        }
        return parts
    }

    /// Which frame of which source a film frame is.
    private func place(
        of time: MediaTime, _ touch: SmartTouch, _ sources: inout SmartSources
    ) throws(MediaError) -> Result<Place, SmartReason> {
        let plain: SmartTouch.Plain
        switch try touch.verdict(at: time) {
        case .touched(let reason): return .failure(reason)
        case .changed(let source):
            // a clip of another size is scaled, say
            let reason = try sources.obstacle(source)
            return .failure(
                reason
                    ?? SmartReason(
                        text: "it is moved, cropped, masked, blurred, faded, keyed or graded",
                        source: source))
        case .plain(let found): plain = found
        }
        switch try sources.source(plain.source) {
        case .failure(let reason): return .failure(reason)
        case .success(let source):
            let instant = plain.segment.mapping.frameTime(
                at: time, of: source.track.phase, every: times.frameDuration)
            guard let rank = instant.flatMap(source.index.rank) else {
                return .failure(
                    SmartReason(
                        text: "its edit list holds a frame or shows none", source: plain.source))
            }
            return .success(Place(segment: plain.segment, source: plain.source, rank: rank))
        }
    }

    // MARK: What can be copied of it

    /// Frames of a run that is worth copying (count).
    private var least: Double {
        SmartSource.leastFrames(every: times.frameDuration.approximateSeconds)
    }

    private func copies(in stretch: Stretch, _ sources: inout SmartSources) -> [SmartFound] {
        let (name, first) = (stretch.place.source, stretch.place.rank)
        guard case .success(let source)? = sources.known(name) else { return [] }
        let limit = first + stretch.frames.count
        func number(_ rank: Int) -> Int64 { stretch.frames.lowerBound + Int64(rank - first) }
        var found: [SmartFound] = []
        var begin = first
        for (ranks, reorder) in source.runs(among: first..<limit, least: least) {
            let (rank, end) = (ranks.lowerBound, ranks.upperBound)
            if begin < rank {
                found.append(SmartFound(number(begin)..<number(rank), because: .inside.of(name)))
            }
            found.append(
                SmartFound(number(rank)..<number(end), of: name, rank: rank, reorder: reorder))
            begin = end
        }
        if begin < limit {
            let isShort = Double(limit - first) < least
            let isOpen = begin == first && !source.hasRefresh(from: begin, below: limit)
            let short: SmartReason = stretch.isScattered ? .scattered : .short
            let reason = isShort ? short : isOpen ? .open : .inside
            found.append(
                SmartFound(number(begin)..<number(limit), because: reason.of(name)))
        }
        return found
    }
}
