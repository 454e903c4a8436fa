internal import Media
internal import Reading

/// The open sources of a film's frame tracks: one a track at most, opened when its segment comes into
/// view and closed when it is out of it, so that memory does not grow with the number of clips.
/// Thread-bound.
final class FrameCursors {
    private struct Open {
        let source: MediaSource
        let cursor: FrameCursor
        /// Where the source plays backwards.
        let backward: BackwardFrames?
        let blended: BlendedFrames
        /// Of the cursor's damaged samples, those the shelf knows of (count).
        var noted = 0
    }

    /// What is generated in the place of that.
    private struct Generated {
        let source: MediaSource
        let frames: any GeneratedFrames
    }

    private let composition: Composition
    private let shelf: SourceShelf
    private let target: VideoFormat
    private let threads: Int
    private let frameDuration: MediaTime
    private var open: [Int: Open] = [:]
    private var generated: [Int: Generated] = [:]

    /// - Parameters:
    ///   - target: what the frames are composed into.
    ///   - threads: decoding threads of each source (count).
    ///   - frameDuration: of the film (seconds).
    init(
        _ composition: Composition, shelf: SourceShelf, target: VideoFormat, threads: Int,
        frameDuration: MediaTime
    ) {
        self.frameDuration = frameDuration
        self.composition = composition
        self.shelf = shelf
        self.target = target
        self.threads = threads
    }

    /// The frame of a track at an instant of the timeline; nil in an empty segment.
    func picture(track id: Int, at time: MediaTime) throws(MediaError) -> SampleBuffer? {
        guard let segment = composition.track(id)?.segment(at: time), let source = segment.source
        else {
            close(id)
            return nil
        }
        let (asset, track) = try shelf.track(source)
        let isBlended = segment.blendsFrames && !track.isStill
        let phase = isBlended ? track.phase.atBeginnings : track.phase
        guard let instant = segment.frameTime(at: time, of: phase, every: frameDuration)
        else { return nil }
        if let media = asset.generated {
            return try frames(of: media, for: source, in: id).picture(at: instant)
        }
        let open = try cursor(asset, track, for: segment, in: id, from: instant)
        defer {
            let damaged = open.cursor.damagedSamples
            shelf.note(
                SourceDamage(
                    pictures: damaged - open.noted, isStill: track.isStill,
                    files: Array(open.cursor.damagedFiles.dropFirst(open.noted))),
                in: source.path)
            self.open[id]?.noted = damaged
        }
        let supply: BlendedFrames.Supply = { (instant) throws(MediaError) in
            if let backward = open.backward { return try backward.picture(at: instant) }
            return try open.cursor.picture(at: instant)
        }
        guard isBlended else { return try supply(instant) }
        return try open.blended.picture(
            at: time, of: segment, showing: instant, from: supply)
    }

    /// The instant of the timeline at which the last sync sample of a track at or before another one begins to show,
    /// or its segment; nil in an empty segment, and where frames are not coded one after the other.
    func syncTime(track id: Int, before time: MediaTime) throws(MediaError) -> MediaTime? {
        guard let segment = composition.track(id)?.segment(at: time), let source = segment.source
        else { return nil }
        let (asset, track) = try shelf.track(source)
        guard !track.isStill, !asset.isGenerated, !segment.isReversed,
            let instant = segment.frameTime(
                at: time, of: track.phase, every: frameDuration)
        else { return nil }
        let cursor = try cursor(asset, track, for: segment, in: id, from: instant).cursor
        let found = try cursor.syncTimes(around: instant, before: nil, after: .zero)
        guard let begin = found.before else { return nil }
        if segment.isRamped {
            return .timeline(min(segment.end - 1, segment.tick(ofSource: begin) + 1))
        }
        let way = MediaTimeMapping(source: segment.mapping.target, target: segment.mapping.source)
        return way.sourceTime(atTarget: begin, timescale: Composition.timescale, rounding: .up)
            ?? segment.timeRange.start
    }

    /// Closes what is not of these tracks.
    func keepOnly(_ tracks: some Sequence<Int>) {
        let kept = Set(tracks)
        for id in open.keys where !kept.contains(id) { close(id) }
        for id in generated.keys where !kept.contains(id) { close(id) }
    }

    private func frames(
        of media: any GeneratedMedia, for source: MediaSource, in id: Int
    ) -> any GeneratedFrames {
        if let known = generated[id], known.source == source { return known.frames }
        close(id)
        let made = media.frames(for: target)
        generated[id] = Generated(source: source, frames: made)
        return made
    }

    private func cursor(
        _ asset: Asset, _ track: AssetTrack, for segment: TrackSegment, in id: Int,
        from start: MediaTime
    ) throws(MediaError) -> Open {
        let source = MediaSource(path: asset.path, trackID: track.id)
        let isBackward = segment.isReversed
        if let known = open[id], known.source == source, (known.backward != nil) == isBackward {
            return known
        }
        close(id)
        let cursor = try FrameCursor(
            asset: asset, track: track, startingAt: start, threads: threads,
            fitting: track.isStill ? .longest : nil, fields: .both)
        let opened = Open(
            source: source, cursor: cursor,
            backward: isBackward ? BackwardFrames(cursor, of: track) : nil,
            blended: BlendedFrames(track, frameDuration: frameDuration))
        open[id] = opened
        return opened
    }

    private func close(_ id: Int) {
        open.removeValue(forKey: id)?.cursor.close()
        generated[id] = nil
    }
}

extension MediaTimeMapping {
    /// The source instant of a timeline's, in ticks of the source track.
    ///
    /// Files hold frames' times rounded to their ticks, sometimes after all of them were moved: a frame
    /// that begins at 66⅔ ms has 66 or 67 in Matroska. So an instant between two ticks counts as the later
    /// one, else frames that begin at it would be missed. Where ticks are coarse they count frames, and
    /// their times are exact.
    ///
    /// Pictures that begin part of a frame after the movie are shown so much earlier (`SourcePhase.lateness`). Of frames
    /// that do not come evenly the one is shown that is on in the middle of the film's frame, as far as the span
    /// reaches: each comes once, however early or late within half a frame.
    /// - Parameter frameDuration: of the film (seconds).
    func frameTime(
        at time: MediaTime, of phase: SourcePhase, every frameDuration: MediaTime
    ) -> MediaTime? {
        let timescale = phase.timescale
        let isFine = timescale >= 600
        guard
            let exact = sourceTime(
                atTarget: time, timescale: timescale, rounding: isFine ? .up : .down)
        else { return nil }
        guard isFine else { return exact }
        // what begins where the span ends does not belong to it
        let first = source.start.ticks(per: timescale, rounding: .up)
        let last = max(first, source.end.ticks(per: timescale, rounding: .down) - 1)
        return MediaTime(
            value: min(exact.value + ahead(phase, frameDuration), last) + phase.lateness,
            timescale: timescale)
    }

    /// From a film's frame to its middle, or half a frame of the source where those are shorter (ticks).
    func ahead(_ phase: SourcePhase, _ frameDuration: MediaTime) -> Int64 {
        guard phase.halfStep > 0, target.duration > .zero else { return 0 }
        let speed = source.duration.approximateSeconds / target.duration.approximateSeconds
        let half = frameDuration.approximateSeconds * speed / 2 * Double(phase.timescale)
        return min(phase.halfStep, Int64(half))
    }
}
