internal import Media
internal import Reading

/// Finds out which frames of a film can be copied. Reads the indexes of the sources; blocks.
struct SmartPlanner {
    /// Shorter runs are encoded: a joint at either end costs more than is saved (seconds).
    private static let shortest = MediaTime.milliseconds(400)

    let film: Film
    let frames: VideoComposition
    /// Of the film's frames.
    let codec: VideoCodec
    let times: FilmTimes
    let shelf: SourceShelf

    /// A span of frames that are frames of one source, one after the other.
    private struct Stretch {
        var frames: Range<Int64>
        let source: MediaSource
        /// Of the first frame.
        let rank: Int
        /// Whether others of the source are beside it.
        var isScattered = false
    }

    /// - Returns: no plan where nothing can be copied, and why, half-sentences in order.
    func plan() throws(MediaError) -> (plan: SmartPlan?, obstacles: [String]) {
        guard frames.compositor == nil else {
            return (nil, ["its frames are made by a compositor of its own"])
        }
        let touch = SmartTouch(film: film, frames: frames)
        var sources = SmartSources(frames, codec, shelf)
        let parts = try parts(touch, &sources)
        var found: [Found] = []
        for part in parts {
            switch part {
            case .touched(let frames, let reason): found.append(Found(frames, because: reason))
            case .stretch(let stretch): found += copies(in: stretch, &sources)
            }
        }
        if let plan = try assembled(found, sources) { return (plan, []) }
        var obstacles: [String] = []
        for reason in found.compactMap(\.reason) where !obstacles.contains(reason) {
            obstacles.append(reason)
        }
        obstacles = obstacles.withoutTrifles
        return (nil, obstacles)
    }

    // MARK: What nothing touches

    private enum Part {
        case touched(Range<Int64>, because: String)
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
                if case .touched(let range, reason.text) = parts.last {
                    parts[parts.count - 1] = .touched(
                        range.lowerBound..<next, because: reason.text)
                } else {
                    parts.append(.touched(number..<next, because: reason.text))
                }
            case .success(let place):
                if case .stretch(var stretch) = parts.last, stretch.source == place.source,
                    stretch.rank + stretch.frames.count == place.rank
                {
                    stretch.frames = stretch.frames.lowerBound..<next
                    parts[parts.count - 1] = .stretch(stretch)
                } else {
                    var stretch = Stretch(
                        frames: number..<next, source: place.source, rank: place.rank)
                    if case .stretch(var last) = parts.last, last.source == place.source {
                        (last.isScattered, stretch.isScattered) = (true, true)
                        parts[parts.count - 1] = .stretch(last)
                    }
                    parts.append(.stretch(stretch))
                }
            }
        }
        return parts
    }

    private struct Reason: Error {
        let text: String
    }

    /// Which frame of which source a film frame is.
    private func place(
        of time: MediaTime, _ touch: SmartTouch, _ sources: inout SmartSources
    ) throws(MediaError) -> Result<(source: MediaSource, rank: Int), Reason> {
        let plain: SmartTouch.Plain
        switch touch.verdict(at: time) {
        case .touched(let reason): return .failure(Reason(text: reason))
        case .changed(let source):
            // a clip of another size is scaled, say
            let reason = try sources.obstacle(source) ?? "it is moved, cropped, faded or graded"
            return .failure(Reason(text: reason))
        case .plain(let found): plain = found
        }
        switch try sources.source(plain.source) {
        case .failure(let reason): return .failure(Reason(text: reason.text))
        case .success(let source):
            let instant = plain.segment.mapping.frameTime(
                at: time, timescale: source.track.timescale, lateness: source.track.lateness)
            guard let rank = instant.flatMap(source.index.rank) else {
                return .failure(Reason(text: "its edit list holds a frame or shows none"))
            }
            return .success((plain.source, rank))
        }
    }

    // MARK: What can be copied of it

    /// Frames of a run that is worth copying (count).
    private var least: Double {
        max(2, Self.shortest.approximateSeconds / times.frameDuration.approximateSeconds)
    }

    /// Frames, and of what they can be copied.
    private struct Found {
        var frames: Range<Int64>
        var reason: String?
        var source: MediaSource?
        var rank = 0
        var reorder = 0

        init(_ frames: Range<Int64>, because reason: String) {
            (self.frames, self.reason) = (frames, reason)
        }

        init(_ frames: Range<Int64>, of source: MediaSource, rank: Int, reorder: Int) {
            (self.frames, self.source, self.rank) = (frames, source, rank)
            self.reorder = reorder
        }
    }

    private func copies(in stretch: Stretch, _ sources: inout SmartSources) -> [Found] {
        guard case .success(let source)? = sources.known(stretch.source) else { return [] }
        let limit = stretch.rank + stretch.frames.count
        func number(_ rank: Int) -> Int64 {
            stretch.frames.lowerBound + Int64(rank - stretch.rank)
        }
        var found: [Found] = []
        var (rank, begin) = (stretch.rank, stretch.rank)
        while rank < limit {
            let run = source.closedRun(from: rank, below: limit)
            guard Double(run.count) >= least else {
                rank += max(1, run.count)
                continue
            }
            if begin < rank {
                found.append(
                    Found(number(begin)..<number(rank), because: Self.inside))
            }
            found.append(
                Found(
                    number(rank)..<number(rank + run.count), of: stretch.source, rank: rank,
                    reorder: run.reorder))
            rank += run.count
            begin = rank
        }
        if begin < limit {
            let isShort = Double(limit - stretch.rank) < least
            let isOpen =
                begin == stretch.rank && !source.hasRefresh(from: begin, below: limit)
            let short = stretch.isScattered ? Self.scattered : Self.short
            found.append(
                Found(
                    number(begin)..<number(limit),
                    because: isShort ? short : isOpen ? Self.open : Self.inside))
        }
        return found
    }

    /// Of few frames, between which and the next ones frames are left out or repeated; and of few frames.
    fileprivate static let scattered = "its frames do not come at the film's rate"
    fileprivate static let short = "less than 0.4 s of it are in a row there"
    /// Of frames among which no whole group begins.
    private static let open = "no closed group of frames begins there"
    private static let inside = "its frames need others there that are cut away or changed"

    // MARK: One track

    /// What of it can share one track.
    private func assembled(
        _ found: [Found], _ sources: SmartSources
    ) throws(MediaError) -> SmartPlan? {
        let sets = sets(of: found, sources)
        var runs: [SmartPlan.Run] = []
        var reorder = 0
        for part in found {
            guard let name = part.source, let source = sources.copied(name) else {
                runs.encode(part.frames, because: part.reason ?? Self.inside)
                continue
            }
            let place = source.index.places[part.rank]
            guard let record = sets.records.firstIndex(of: source.configuration),
                try source.isCopied(from: place, as: record, in: sets)
            else {
                runs.encode(
                    part.frames, because: "its parameter sets find no place beside the others'")
                continue
            }
            reorder = max(reorder, part.reorder)
            runs.append(
                SmartPlan.Run(
                    frames: part.frames,
                    work: .copy(
                        name, place: place, from: source.index.time(ofRank: part.rank),
                        record: record)))
        }
        guard runs.contains(where: \.isCopied) else { return nil }
        return SmartPlan(
            runs: runs.map(\.explained), reorder: reorder, records: sets.records)
    }

    /// The sets of what most is copied of come first and stay as they are.
    private func sets(of found: [Found], _ sources: SmartSources) -> SmartSets {
        var counts: [(record: [UInt8], frames: Int)] = []
        for part in found {
            guard let source = part.source.flatMap(sources.copied) else { continue }
            if let known = counts.firstIndex(where: { $0.record == source.configuration }) {
                counts[known].frames += part.frames.count
            } else {
                counts.append((source.configuration, part.frames.count))
            }
        }
        var sets = SmartSets(sources.codec)
        let order = counts.indices.sorted { (-counts[$0].frames, $0) < (-counts[$1].frames, $1) }
        for place in order { _ = sets.add(counts[place].record) }
        return sets
    }
}

extension [SmartPlan.Run] {
    /// What is encoded one after the other is one run, whatever the reasons.
    fileprivate mutating func encode(_ frames: Range<Int64>, because reason: String) {
        guard let last, case .encode(var reasons) = last.work else {
            append(SmartPlan.Run(frames: frames, work: .encode(because: [reason])))
            return
        }
        if !reasons.contains(reason) { reasons.append(reason) }
        self[count - 1] = SmartPlan.Run(
            frames: last.frames.lowerBound..<frames.upperBound, work: .encode(because: reasons))
    }
}

extension SmartPlan.Run {
    fileprivate var explained: SmartPlan.Run {
        guard case .encode(let reasons) = work else { return self }
        return SmartPlan.Run(frames: frames, work: .encode(because: reasons.withoutTrifles))
    }
}

extension [String] {
    /// What is said of a few frames only goes without saying beside what is said of others.
    fileprivate var withoutTrifles: [String] {
        let others = filter { $0 != SmartPlanner.short && $0 != SmartPlanner.scattered }
        return others.isEmpty ? self : others
    }
}
