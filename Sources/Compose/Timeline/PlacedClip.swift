internal import Media
internal import Reading

/// A clip and where it lies: what the builder knows after the arithmetic.
struct PlacedClip {
    let index: Int
    let item: VideoItem
    let name: String
    let asset: Asset
    /// Nil: the clip shows nothing.
    let picture: Part?
    /// Nil: the clip is silent.
    let sound: Part?
    /// Ticks of the timeline.
    let start: Int64
    let ticks: Int64
    /// Ticks shared with the clip before and the one after.
    var overlapBefore: Int64 = 0
    var overlapAfter: Int64 = 0
    /// Of the composition.
    var videoTrackID: Int?
    var audioTrackID: Int?

    /// A span of one of the source's tracks.
    struct Part {
        let track: AssetTrack
        /// Movie time of the source.
        let range: MediaTimeRange
    }

    var end: Int64 { start + ticks }
    var format: VideoFormat? { picture?.track.format?.video }
    /// Whether its frames have a rate: no still picture and no animation.
    var isMovie: Bool { picture.map { !$0.track.isStill && !$0.track.isAnimation } ?? false }
}

extension TimelineBuilder {
    /// Each clip begins where the one before ends, earlier by the transition, later by the gap.
    func placedClips() throws(MediaError) -> [PlacedClip] {
        var placed: [PlacedClip] = []
        for (index, item) in timeline.videos.enumerated() {
            let name = ItemName.clip(index, item)
            let parts = try parts(of: item, name)
            let overlap = item.transition.duration.timelineTicks
            let start = (placed.last?.end ?? 0) - overlap + item.gap.timelineTicks
            guard let lead = parts.picture ?? parts.sound,
                let ticks = item.speed.ticks(of: lead.range.duration), ticks > 0
            else {
                throw .setting(name, "\(name) has no length; give it more of its source")
            }
            guard start >= 0, MediaTime.timeline(start + ticks) <= Composition.longestDuration
            else {
                throw start < 0
                    ? tooLong(placed[index - 1], and: overlap, into: index)
                    : .setting(name, "with \(name) the film would last longer than 24 h")
            }
            placed.append(
                PlacedClip(
                    index: index, item: item, name: name, asset: parts.asset,
                    picture: parts.picture, sound: parts.sound, start: start, ticks: ticks,
                    overlapBefore: overlap))
            if index > 0 {
                placed[index - 1].overlapAfter = overlap
                try checkOverlap(placed[index - 1], into: index)
            }
            try checkOverlap(placed[index], into: index)
        }
        return placed
    }

    private func checkOverlap(_ clip: PlacedClip, into next: Int) throws(MediaError) {
        if clip.overlapBefore + clip.overlapAfter > clip.ticks {
            throw tooLong(clip, and: clip.overlapAfter, into: next)
        }
    }

    private func tooLong(_ clip: PlacedClip, and after: Int64, into next: Int) -> MediaError {
        let sum = MediaTime.timeline(clip.overlapBefore + after).spoken
        return .setting(
            ItemName.transition(next, timeline.videos[next]),
            "the transitions of \(clip.name) last \(sum) together, but the clip lasts "
                + "\(MediaTime.timeline(clip.ticks).spoken); shorten them")
    }

    /// Where a still picture ends whose length was not set.
    private func stillEnd(_ item: VideoItem, _ track: AssetTrack) -> MediaTime? {
        guard track.isStill else { return nil }
        let length = timeline.settings.stillDuration.timelineTicks
        return .timeline(item.start.timelineTicks + length)
    }

    /// What of the source is shown and heard.
    private func parts(
        of item: VideoItem, _ name: String
    ) throws(MediaError) -> (asset: Asset, picture: PlacedClip.Part?, sound: PlacedClip.Part?) {
        let asset = try asset(item.path, name)
        let frames = asset.usable(.video)
        let sounds = asset.usable(.audio)
        guard let lead = frames ?? sounds else {
            let reasons = asset.tracks.filter { $0.format == nil && $0.mediaType.setsLength }
                .map { "track \($0.id): \($0.reasonUnread)" }
            throw MediaError(
                code: .unsupported, subject: item.path,
                message: "\(name) has neither video nor audio that vcap can read"
                    + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))"))
        }
        let range = try lead.span(from: item.start, to: item.end ?? stillEnd(item, lead), name)
        guard frames != nil else {
            return (asset, nil, PlacedClip.Part(track: lead, range: range))
        }
        let sound = sounds.flatMap { track in
            range.clipped(to: track).map { PlacedClip.Part(track: track, range: $0) }
        }
        return (asset, PlacedClip.Part(track: lead, range: range), sound)
    }
}

extension Asset {
    /// The first track of a kind that can be read.
    func usable(_ type: MediaType) -> AssetTrack? {
        tracks.first { $0.mediaType == type && $0.format != nil && $0.reach > .zero }
    }
}

extension AssetTrack {
    /// By how much its frames begin after the movie, where that is at most half of one (ticks of the track): WebM
    /// with Opus begins with audio. A film shows them as much earlier all along: the nearest ones, each once.
    var lateness: Int64 {
        guard mediaType == .video, !isStill, !isAnimation, start > .zero,
            let step = nominalRate?.frameDuration ?? commonestFrameDuration, start + start <= step
        else { return 0 }
        return start.ticks(per: timescale, rounding: .up)
    }

    /// Where a clip of all of it ends (movie time).
    private var ownEnd: MediaTime {
        let lateness = MediaTime(value: -lateness, timescale: timescale)
        return lateness < .zero ? (try? reach.adding(lateness)) ?? reach : reach
    }

    /// The span of the track between two movie times.
    func span(
        from start: MediaTime, to end: MediaTime?, _ name: String
    ) throws(MediaError) -> MediaTimeRange {
        guard start < reach else {
            throw .setting(
                name, "\(name) starts at \(start.spoken), but its source lasts \(reach.spoken)")
        }
        // a time that was printed in milliseconds may lie behind the end by part of one
        if let end, end > reach, end.timelineTicks > reach.timelineTicks + 705_600 {
            throw .setting(
                name, "\(name) ends at \(end.spoken), but its source lasts \(reach.spoken)")
        }
        let until = min(end ?? ownEnd, reach)
        if let length = try? until.adding(-start), length > .zero {
            if let range = MediaTimeRange(start: start, duration: length).clipped(to: self) {
                return range
            }
        }
        // the nearest ticks of the source, where no timescale holds both times
        let from = start.scaled(to: timescale, rounding: .nearest)
        let to = until.scaled(to: timescale, rounding: .nearest)
        guard from < to else {
            throw .setting(name, "\(name) has no length; give it more of its source")
        }
        return MediaTimeRange(from: from, to: to)
    }
}
