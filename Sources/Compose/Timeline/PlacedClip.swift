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
    /// What of its source plays (movie time of the source; nil: a frame of it stands still).
    let range: MediaTimeRange?
    /// Empty: the clip is silent.
    let voices: [Voice]
    /// Whether it lies over the clips of the film.
    var isOverlay = false
    /// Ticks of the timeline.
    let start: Int64
    let ticks: Int64
    /// How it advances in its source; nil: at one speed.
    var course: SourceCourse?
    /// Pan and zoom of its own or of the film's still pictures.
    var wantedMotion = ClipMotion.none
    /// How many clips before have one.
    var motionTurn = 0
    /// Ticks shared with the clip before and the one after.
    var overlapBefore: Int64 = 0
    var overlapAfter: Int64 = 0
    /// When its audio is heard.
    var heard: HeardSpan
    /// Of the composition; the builder sets them where it puts the clip there.
    var videoTrackID: Int?
    var audioTrackIDs: [Int] = []

    /// A span of one of the source's tracks.
    struct Part {
        let track: AssetTrack
        /// Movie time of the source.
        let range: MediaTimeRange
    }

    /// One of its audio tracks in the mix.
    struct Voice {
        let part: Part
        /// Without the clip's own (factor).
        let volume: Double
        let pan: Double
        /// What changes of both.
        var keyframes: [AudioKeyframe] = []
        /// With the clip's own.
        let treatment: AudioTreatment
    }

    var sound: Part? { voices.first?.part }
    var end: Int64 { start + ticks }
    var format: VideoFormat? { picture?.track.format?.video }
    /// Whether its frames are a file's and have a rate.
    var isMovie: Bool { item.generator == nil && picture?.track.isMovie ?? false }
}

extension TimelineBuilder {
    /// The clips of the film itself.
    func placedClips() throws(MediaError) -> [PlacedClip] {
        var clips = try placed(timeline.videos) { ItemName.clip($0, $1) }
        clips.setMotions(ofStills: timeline.settings.stillMotion)
        return clips
    }

    /// Those of each track over them.
    func placedOverlays() throws(MediaError) -> [[PlacedClip]] {
        var tracks: [[PlacedClip]] = []
        for (number, track) in timeline.overlays.enumerated() {
            var clips = try placed(track.videos) {
                ItemName.overlay(number, $0, of: track.videos.count, $1)
            }
            for index in clips.indices { clips[index].isOverlay = true }
            clips.setMotions(ofStills: .none)
            tracks.append(clips)
        }
        return tracks
    }

    /// Each clip begins where the one before ends, earlier by the transition, later by the gap.
    private func placed(
        _ items: [VideoItem], name: (Int, VideoItem) -> String
    ) throws(MediaError) -> [PlacedClip] {
        var placed: [PlacedClip] = []
        for (index, item) in items.enumerated() {
            let name = name(index, item)
            let parts = try parts(of: item, name)
            let overlap = item.transition.duration.timelineTicks
            let before = placed.last?.end ?? 0
            let start = item.at?.timelineTicks ?? (before - overlap + item.gap.timelineTicks)
            guard item.at == nil || start >= before else {
                throw .setting(
                    name,
                    "\(name) begins at \(MediaTime.timeline(start).spoken), but \(placed[index - 1].name) "
                        + "lasts until \(MediaTime.timeline(before).spoken); begin later, or put it into "
                        + "another overlay")
            }
            guard let lead = parts.picture ?? parts.voices.first?.part,
                let run = item.freeze.map({ ($0.timelineTicks, nil) })
                    ?? item.run(over: lead.range.duration)
            else {
                throw .setting(name, "\(name) has no length; give it more of its source")
            }
            if lead.track.isStill { try checkStill(item, name) }
            let ticks = run.ticks
            guard start >= 0, MediaTime.timeline(start + ticks) <= Composition.longestDuration
            else {
                throw start < 0
                    ? tooLong(placed[index - 1], and: overlap, into: name)
                    : .setting(name, "with \(name) the film would last longer than 24 h")
            }
            placed.append(
                PlacedClip(
                    index: index, item: item, name: name, asset: parts.asset,
                    picture: parts.picture, range: parts.range, voices: parts.voices,
                    start: start, ticks: ticks, course: run.course, overlapBefore: overlap,
                    heard: HeardSpan(start: start, end: start + ticks, crossBefore: overlap)))
            if index > 0 {
                placed[index - 1].overlapAfter = overlap
                placed[index - 1].heard.crossAfter = overlap
                try checkOverlap(placed[index - 1], into: name)
            }
            try checkOverlap(placed[index], into: name)
        }
        for clip in placed { try clip.checkFades() }
        try placed.cutAudio()
        placed.crossRecordings()
        return placed
    }

    private func checkStill(_ item: VideoItem, _ name: String) throws(MediaError) {
        guard item.isReversed || item.isRamped else { return }
        let what = item.isReversed ? "to play backwards" : "whose speed could change"
        throw .setting(name, "\(name) is a still picture, which has nothing \(what)")
    }

    private func checkOverlap(_ clip: PlacedClip, into next: String) throws(MediaError) {
        if clip.overlapBefore + clip.overlapAfter > clip.ticks {
            throw tooLong(clip, and: clip.overlapAfter, into: next)
        }
    }

    private func tooLong(_ clip: PlacedClip, and after: Int64, into next: String) -> MediaError {
        let sum = MediaTime.timeline(clip.overlapBefore + after).spoken
        return .setting(
            ItemName.transition(to: next),
            "the transitions of \(clip.name) last \(sum) together, but the clip lasts "
                + "\(MediaTime.timeline(clip.ticks).spoken); shorten them")
    }

    /// What of the source is shown and heard.
    private func parts(
        of item: VideoItem, _ name: String
    ) throws(MediaError) -> (
        asset: Asset, picture: PlacedClip.Part?, range: MediaTimeRange?,
        voices: [PlacedClip.Voice]
    ) {
        let asset = try asset(of: item, name)
        let frames =
            try item.track.map { number throws(MediaError) in
                try asset.named(number, .video, name)
            } ?? asset.usable(.video)
        if item.freeze != nil {
            return (asset, try frozen(item, frames, name), nil, [])
        }
        let sounds = try asset.voices(of: item, name)
        guard let lead = frames ?? sounds.first?.track else {
            let reasons = asset.tracks.filter { $0.format == nil && $0.mediaType.setsLength }
                .map { "track \($0.id): \($0.reasonUnread)" }
            throw MediaError(
                code: .unsupported, subject: item.path,
                message: "\(name) has neither video nor audio that vcap can read"
                    + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))"))
        }
        let range = try lead.span(from: item.start, to: item.end ?? usualEnd(of: item, lead), name)
        let voices = sounds.compactMap { sound in
            (sound.track.id == lead.id ? range : range.clipped(to: sound.track)).map {
                PlacedClip.Voice(
                    part: PlacedClip.Part(track: sound.track, range: $0),
                    volume: sound.voice.volume, pan: sound.voice.pan,
                    keyframes: sound.voice.keyframes,
                    treatment: sound.voice.treatment.over(item.treatment))
            }
        }
        return (asset, frames.map { PlacedClip.Part(track: $0, range: range) }, range, voices)
    }
}

extension TimelineBuilder {
    /// The shortest span of the source that shows the frame.
    private func frozen(
        _ item: VideoItem, _ track: AssetTrack?, _ name: String
    ) throws(MediaError) -> PlacedClip.Part {
        guard let track, !track.isStill else {
            throw .setting(
                name,
                track == nil
                    ? "\(name) has no video that could stand still; leave freeze out"
                    : "\(name) is a still picture; give it an end in the place of freeze")
        }
        // a tick of the track, or of the timeline where that is longer; one that is a whole frame might reach into the next
        let isFine = (600...Composition.timescale).contains(track.timescale)
        let tick = MediaTime(
            value: 1, timescale: isFine ? track.timescale : Composition.timescale)
        var start = item.start
        if (try? start.adding(tick)) == nil {
            start = start.scaled(to: tick.timescale, rounding: .down)
        }
        let end = (try? start.adding(tick)) ?? start
        return PlacedClip.Part(track: track, range: try track.span(from: start, to: end, name))
    }
}

extension PlacedClip {
    /// - Throws: where the fades leave nothing of the clip, or go into its transitions.
    fileprivate func checkFades() throws(MediaError) {
        let fades = item.fadeIn.timelineTicks + item.fadeOut.timelineTicks
        guard fades > 0, fades + overlapBefore + overlapAfter > ticks else { return }
        let what = overlapBefore + overlapAfter > 0 ? "fades and transitions" : "fades"
        let sum = MediaTime.timeline(fades + overlapBefore + overlapAfter).spoken
        throw .setting(
            name,
            "the \(what) of \(name) last \(sum) together, but it shows for "
                + "\(MediaTime.timeline(ticks).spoken); shorten them")
    }
}

extension [PlacedClip] {
    /// - Parameter usual: of still pictures that do not say.
    fileprivate mutating func setMotions(ofStills usual: ClipMotion) {
        var turn = 0
        for index in indices {
            let (item, picture) = (self[index].item, self[index].picture)
            let hasView = item.view != nil || item.keyframes.contains { $0.view != nil }
            let isStill = item.generator == nil && picture?.track.isStill ?? false
            self[index].wantedMotion = item.motion ?? (isStill && !hasView ? usual : .none)
            self[index].motionTurn = turn
            if self[index].wantedMotion == .automatic { turn += 1 }
        }
    }
}

extension Asset {
    /// A track by the container's number.
    fileprivate func named(
        _ number: Int, _ type: MediaType, _ name: String
    ) throws(MediaError) -> AssetTrack {
        if let track = tracks.first(where: { $0.id == number && $0.mediaType == type }) {
            guard track.format != nil, track.reach > .zero else {
                throw MediaError(
                    code: .unsupported, subject: path,
                    message: "\(name): track \(number) cannot be used, because "
                        + (track.format == nil ? track.reasonUnread : "it is empty"))
            }
            return track
        }
        let what = type == .video ? "video" : "audio"
        let own = tracks.filter { $0.mediaType == type && $0.format != nil }.map { "\($0.id)" }
        throw .setting(
            name,
            "\(name) has no \(what) track \(number)"
                + (own.isEmpty ? "; it has none" : "; it has \(own.joined(separator: ", "))"))
    }

    /// The audio that a clip is heard with: what it names; else the first track, of a take each microphone's.
    fileprivate func voices(
        of item: VideoItem, _ name: String
    ) throws(MediaError) -> [(track: AssetTrack, voice: ClipVoice)] {
        guard let voices = item.voices else {
            let usable = tracks.filter {
                $0.mediaType == .audio && $0.format != nil && $0.reach > .zero
            }
            return usable.prefix(metadata.deviceNames.isEmpty ? 1 : usable.count)
                .map { ($0, ClipVoice(track: $0.id)) }
        }
        var result: [(track: AssetTrack, voice: ClipVoice)] = []
        for voice in voices { result.append((try named(voice.track, .audio, name), voice)) }
        return result
    }
}

extension Asset {
    /// The first track of a kind that can be read.
    func usable(_ type: MediaType) -> AssetTrack? {
        tracks.first { $0.mediaType == type && $0.format != nil && $0.reach > .zero }
    }
}

extension AssetTrack {
    /// Where a clip of all of it ends (movie time).
    private var ownEnd: MediaTime {
        let lateness = MediaTime(value: -phase.lateness, timescale: timescale)
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
