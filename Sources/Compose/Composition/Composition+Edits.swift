public import Media
public import Reading

extension Composition {
    /// Adds an empty track at the end.
    /// - Parameters:
    ///   - mediaType: What it holds.
    ///   - preferredID: The id it gets where that is 1…2³¹−1 and no other track has it; nil, or where it cannot: one
    ///     above the highest.
    /// - Returns: The new track's id.
    @discardableResult
    public mutating func addTrack(_ mediaType: MediaType, preferredID: Int? = nil) -> Int {
        let free = preferredID.flatMap { id in
            (1...Int(Int32.max)).contains(id) && track(id) == nil ? id : nil
        }
        let id = free ?? (tracks.map(\.id).max() ?? 0) + 1
        tracks.append(CompositionTrack(id: id, mediaType: mediaType))
        return id
    }

    /// Takes a track out; the others stay as they are.
    /// - Throws: `invalid-edit` when there is no such track.
    public mutating func removeTrack(_ id: Int) throws(MediaError) {
        tracks.remove(at: try index(of: id))
    }

    /// Inserts a span of a source track; what lies in the track at that time and later moves on by the
    /// span's length, other tracks stay. Past the track's end the time between stays empty.
    ///
    /// - Parameters:
    ///   - range: Movie time of the source.
    ///   - asset: The source.
    ///   - track: Of the asset, and of the composition's track's kind.
    ///   - time: On the timeline.
    ///   - id: The composition's track.
    /// - Throws: `invalid-edit`, naming track and time.
    public mutating func insert(
        _ range: MediaTimeRange, of asset: Asset, track: AssetTrack, at time: MediaTime,
        into id: Int
    ) throws(MediaError) {
        let index = try index(of: id)
        let start = try tick(time, "an insertion into track \(id)")
        guard tracks[index].mediaType == track.mediaType else {
            throw .edit(
                "track \(id)",
                "track \(track.id) of \(asset.path) is \(track.mediaType.rawValue), so it cannot be "
                    + "inserted into the \(tracks[index].mediaType.rawValue) track \(id)")
        }
        if track.mediaType == .metadata, !tracks[index].takes(track) {
            throw .edit(
                "track \(id)",
                "track \(track.id) of \(asset.path) has other metadata keys than the track \(id), so it "
                    + "cannot be inserted into it; add a track")
        }
        let isFirst = tracks[index].segments.allSatisfy(\.isEmpty)
        let segment = try segment(range, of: asset, track: track, at: start)
        try checkLength(max(tracks[index].endTick, start) + segment.ticks, id)
        tracks[index].insert(segment, at: start)
        if tracks[index].naturalSize == nil {
            tracks[index].naturalSize = track.format?.video?.uprightPixelSize
        }
        if isFirst, track.mediaType == .text { tracks[index].language = track.language }
        if isFirst { tracks[index].metadataFormat = track.format?.metadata }
    }

    /// Inserts nothing for a span of the timeline; what lies in the track there and later moves on.
    /// - Parameters:
    ///   - range: On the timeline.
    ///   - id: The track; nil: every track.
    /// - Throws: `invalid-edit`, naming track and time.
    public mutating func insertEmpty(
        _ range: MediaTimeRange, into id: Int? = nil
    ) throws(MediaError) {
        let span = try ticks(range, "an empty span")
        guard span.ticks > 0 else { return }
        for index in try indices(of: id) {
            let end = max(tracks[index].endTick, span.start) + span.ticks
            try checkLength(end, tracks[index].id)
            tracks[index].insert(
                TrackSegment(emptyFrom: span.start, ticks: span.ticks), at: span.start)
        }
    }

    /// Takes out a span of the timeline; what lies after it moves up. Past a track's end there is
    /// nothing to take out.
    /// - Parameters:
    ///   - range: On the timeline.
    ///   - id: The track; nil: every track.
    /// - Throws: `invalid-edit`, naming track and time.
    public mutating func remove(
        _ range: MediaTimeRange, from id: Int? = nil
    ) throws(MediaError) {
        let span = try ticks(range, "a removal")
        for index in try indices(of: id) {
            tracks[index].remove(from: span.start, to: span.start + span.ticks)
        }
    }

    /// Gives a span of the timeline another length, so that it runs faster or slower; what lies after
    /// it moves. The new length is rounded down to the grid, so that no frame comes late.
    /// - Parameters:
    ///   - range: On the timeline.
    ///   - duration: Its new length (seconds; positive).
    ///   - id: The track; nil: every track that reaches into the span.
    /// - Throws: `invalid-edit`, naming track and time.
    public mutating func scale(
        _ range: MediaTimeRange, toDuration duration: MediaTime, of id: Int? = nil
    ) throws(MediaError) {
        let span = try ticks(range, "a change of speed")
        let newTicks = try tick(duration, "a new length", rounding: .down)
        guard span.ticks > 0, newTicks > 0 else {
            throw .edit(
                "\(range.start.spoken)",
                "a change of speed at \(range.start.spoken) needs a span and a new length above zero"
            )
        }
        for index in try indices(of: id) {
            if id == nil, tracks[index].endTick <= span.start { continue }
            let end = max(tracks[index].endTick, span.start + span.ticks)
            try checkLength(end - span.ticks + newTicks, tracks[index].id)
            var track = tracks[index]
            if let lost = track.scale(from: span.start, ticks: span.ticks, to: newTicks) {
                throw .edit(
                    "track \(track.id)",
                    "at this speed the segment at \(MediaTime.timeline(lost).spoken) of track "
                        + "\(track.id) would have no length; give the span more time")
            }
            tracks[index] = track
        }
    }

    /// Lets the last segment of a track go through its source otherwise.
    mutating func playLast(of id: Int, _ play: SegmentPlay) {
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { return }
        tracks[index].playLast(play)
    }

    /// Mixes the frames of a span of the timeline where they are not the film's, because it plays at another speed or
    /// has another rate; or shows each as it is again.
    /// - Parameters:
    ///   - isOn: Whether they are mixed.
    ///   - range: On the timeline.
    ///   - id: The track; nil: every video track.
    /// - Throws: `invalid-edit`, naming track and time.
    public mutating func blendFrames(
        _ isOn: Bool = true, in range: MediaTimeRange, of id: Int? = nil
    ) throws(MediaError) {
        let span = try ticks(range, "a span of mixed frames")
        guard span.ticks > 0 else { return }
        for index in try indices(of: id)
        where tracks[index].mediaType == .video && tracks[index].endTick > span.start {
            tracks[index].blendFrames(isOn, from: span.start, to: span.start + span.ticks)
        }
    }

    /// Turns a span of the timeline round: what lay at its end comes first, and plays backwards. Past a track's end
    /// it is filled up with nothing.
    /// - Parameters:
    ///   - range: On the timeline.
    ///   - id: The track; nil: every track that reaches into the span.
    /// - Throws: `invalid-edit`, naming track and time.
    public mutating func reverse(
        _ range: MediaTimeRange, of id: Int? = nil
    ) throws(MediaError) {
        let span = try ticks(range, "a span that plays backwards")
        guard span.ticks > 0 else { return }
        for index in try indices(of: id) {
            if id == nil, tracks[index].endTick <= span.start { continue }
            try checkLength(max(tracks[index].endTick, span.start + span.ticks), tracks[index].id)
            tracks[index].reverse(from: span.start, to: span.start + span.ticks)
        }
    }
}
