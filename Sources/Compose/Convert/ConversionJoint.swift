internal import Media
internal import Movie
internal import Reading
internal import Writing

/// How a part of a track is written where nothing can hide frames that only others need: the frames up to the first
/// that decodes by itself and those behind the last whole group are encoded, the others copied.
struct ConversionJoint: Sendable, Hashable {
    let plan: SmartPlan
    /// Of the new movie.
    let times: FrameTimes
    let codec: VideoCodec
}

extension OutputContainer {
    /// Whether copied frames can stand beside encoded ones.
    var holdsJoinedFrames: Bool { [.mp4, .mov, .matroska].contains(self) }
}

extension ConversionPlanner {
    /// A part of a track with as many frames copied as can be. Reads its index; blocks.
    /// - Returns: nil where none can be.
    func joined(
        _ track: AssetTrack, _ format: VideoFormat, _ range: MediaTimeRange, _ part: MediaTimeRange
    ) throws(MediaError) -> ConversionPlan.Track? {
        guard container.holdsJoinedFrames, conversion.filters.isEmpty, let codec = format.codec,
            codec == .h264 || codec == .hevc, format.depth == nil, track.hasAlpha != true,
            track.dolbyVision.isEmpty, !track.hasHDR10Plus,
            !(track.isDeep && codec == .h264), isWorthReading(part)
        else { return nil }
        let depth = track.isDeep ? 10 : 8
        guard SmartSource.obstacle(toJoining: track, format, depth: depth) == nil,
            let joint = try joint(track, codec, range, part)
        else { return nil }
        let output = VideoOutputSettings(
            codec: codec, rate: .quality(18), keyFrameInterval: .seconds(2))
        let frames = joint.plan.runs.reduce(Int64(0)) { $0 + Int64($1.frames.count) }
        var planned = ConversionPlan.Track(
            source: track,
            treatment: .join(output, frames: frames, copied: joint.plan.copiedFrames),
            reasons: ["a .\(container.rawValue) file cannot hide frames that others need"],
            range: part)
        planned.joint = joint
        return planned
    }

    /// Of other files than mp4 and mov every sample is read to know where groups begin: for a small part that costs
    /// more than is saved.
    private func isWorthReading(_ part: MediaTimeRange) -> Bool {
        ["mp4", "mov"].contains(asset.container) || part.duration * 10 >= asset.duration
    }

    private func joint(
        _ track: AssetTrack, _ codec: VideoCodec, _ range: MediaTimeRange, _ part: MediaTimeRange
    ) throws(MediaError) -> ConversionJoint? {
        let found: SmartSource?
        do throws(MediaError) { found = try SmartSource(asset, track) } catch {
            // what can be decoded of it is converted
            guard error.code == .damagedFile else { throw error }
            return nil
        }
        guard let source = found else { return nil }
        let end = range.start + part.end
        guard let (first, starts) = source.index.starts(from: range.start, to: end) else {
            return nil
        }
        let times = FrameTimes(starts.map { $0.since(range.start) }, until: part.end)
        let least = SmartSource.leastFrames(
            every: part.duration.approximateSeconds / Double(starts.count))
        guard let plan = try plan(source, first..<first + starts.count, least: least) else {
            return nil
        }
        return ConversionJoint(plan: plan, times: times, codec: codec)
    }

    private func plan(
        _ source: SmartSource, _ ranks: Range<Int>, least: Double
    ) throws(MediaError) -> SmartPlan? {
        let name = MediaSource(path: asset.path, trackID: source.track.id)
        var sets = SmartSets(source.sets.codec)
        guard let record = sets.add(source.configuration) else { return nil }
        var runs: [SmartPlan.Run] = []
        func number(_ rank: Int) -> Int64 { Int64(rank - ranks.lowerBound) }
        func encode(_ begin: Int, _ end: Int) {
            guard begin < end else { return }
            let reason = SmartReason.inside.of(name)
            runs.append(
                .init(frames: number(begin)..<number(end), work: .encode(because: [reason])))
        }
        var (begin, reorder) = (ranks.lowerBound, 0)
        for run in source.runs(among: ranks, least: least) {
            let place = source.index.places[run.ranks.lowerBound]
            guard try source.isCopied(from: place, as: record, in: sets) else { continue }
            encode(begin, run.ranks.lowerBound)
            begin = run.ranks.upperBound
            reorder = max(reorder, run.reorder)
            runs.append(
                .init(
                    frames: number(run.ranks.lowerBound)..<number(begin),
                    work: .copy(
                        name, place: place, from: source.index.time(ofRank: run.ranks.lowerBound),
                        record: record)))
        }
        encode(begin, ranks.upperBound)
        guard runs.contains(where: \.isCopied) else { return nil }
        return SmartPlan(
            runs: runs, reorder: reorder, records: sets.records, namesSources: false)
    }
}

extension CodedIndex {
    /// The frames on show in a part of the track, where they simply follow one another: by how many are shown before
    /// the first, and when each begins (movie time), the first with the part.
    /// - Returns: nil where nothing is shown at its beginning, a frame is held, the edit list goes elsewhere, or one begins
    ///   within a millisecond of another.
    fileprivate func starts(
        from start: MediaTime, to end: MediaTime
    ) -> (first: Int, starts: [MediaTime])? {
        guard var first = rank(at: start) else { return nil }
        var starts = [start]
        // as `SourceFrames` has it
        if first + 1 < places.count, time(ofRank: first) < start, time(ofRank: first + 1) < end,
            time(ofRank: first + 1).since(start) < SourceFrames.leastFirst
        {
            first += 1
        }
        for next in (first + 1)..<max(first + 1, places.count) {
            let time = time(ofRank: next)
            guard time < end else { break }
            // two in one tick of the container would not both be in it
            guard time.since(starts[starts.count - 1]) >= SourceFrames.leastFirst,
                rank(at: time) == next
            else { return nil }
            starts.append(time)
        }
        return (first, starts)
    }
}
