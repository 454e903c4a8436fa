public import Media
public import Reading

/// Makes a film of a timeline: places the clips, makes ramps of transitions and volumes, layers of
/// titles, and notes what had to be conformed. Pure; reentrant.
public struct TimelineBuilder: Sendable {
    let timeline: Timeline
    let assets: [String: Asset]

    /// - Parameters:
    ///   - timeline: what becomes a film.
    ///   - assets: what `Timeline.mediaPaths` names.
    public init(_ timeline: Timeline, assets: [Asset]) {
        self.timeline = timeline
        self.assets = Dictionary(assets.map { ($0.path, $0) }) { first, _ in first }
    }

    /// The film. Its length is Σ lengths of the clips − Σ overlaps + Σ gaps, exactly; an overlay or a voice-over that
    /// continues longer keeps it going over the background, music is cut to it.
    /// - Throws: `invalid-setting` or `invalid-edit`, naming the item.
    public func film() throws(MediaError) -> Film {
        try timeline.validate()
        var clips = try placedClips()
        var overlays = try placedOverlays()
        let voices = try placedVoices()
        let end = try filmEnd(clips, overlays, voices)
        try checkChapters(until: end)
        try checkWatermark(until: end)
        let music = try placedMusic(until: end)
        var desk = MixDesk()
        var composition = Composition()
        clips = try insert(clips, into: &composition, &desk)
        for index in overlays.indices {
            overlays[index] = try insert(overlays[index], into: &composition, &desk)
        }
        var burnt = try insertTimed(of: clips, into: &composition)
        burnt += try insertSubtitles(beside: clips, into: &composition)
        let speech = try insert(voices, into: &composition, &desk)
        let accompaniment = try insert(music, into: &composition, &desk)
        var mix = AudioMix(inputs: desk.inputs, loudness: timeline.settings.loudness)
        if let ducking = timeline.ducking, !accompaniment.isEmpty {
            let own = (clips + overlays.joined()).flatMap(\.audioTrackIDs)
            let heard: [Int] =
                switch ducking.under {
                case .voiceOvers: speech
                case .clips: own
                case .both: speech + own
                }
            let listened = Set(heard).sorted()
            if !listened.isEmpty {
                mix.ducking = [ducking.rule(trackIDs: accompaniment, under: listened)]
            }
        }
        mix.levels = (clips + overlays.joined()).compactMap(\.levelRule)
        var frame = try videoComposition(clips, overlays, until: end, in: &composition)
        frame?.burntTracks = burnt
        try mix.validate()
        try frame?.validate(for: composition)
        let carried = carriedChapters(clips, until: end)
        let all = clips + overlays.joined()
        let notes =
            try notes(all, voices + music, frame, until: end) + carried.notes + subtitleNotes()
        var film = Film(
            composition: composition, videoComposition: frame, audioMix: mix,
            assets: timeline.mediaPaths.compactMap { assets[$0] }
                + subtitleAssets + generated(of: all),
            notes: notes.map(\.description),
            warnings: try warnings(all, voices + music, frame, until: end) + carried.warnings
                + subtitleWarnings(clips, until: end, hasVideo: frame != nil),
            chapters: carried.chapters)
        film.unreadPictures = all.compactMap(\.unreadPictures)
        film.range = try range(until: end)
        film.startTimeCode = try startTimeCode(frame)
        film.renderingNotes = Set(notes.filter(\.isOfRendering).map(\.description))
        film.mixingNotes = Set(notes.filter(\.isOfMixing).map(\.description))
        return film
    }

    /// Between in and out; nil where that is all of it.
    private func range(until end: Int64) throws(MediaError) -> MediaTimeRange? {
        let (start, stop) = (timeline.inPoint?.timelineTicks, timeline.outPoint?.timelineTicks)
        guard start != nil || stop != nil else { return nil }
        let begin = start ?? 0
        guard begin < end else {
            throw .setting(
                "in",
                "the in point lies at \(MediaTime.timeline(begin).spoken), but the film ends at "
                    + MediaTime.timeline(end).spoken)
        }
        let part = MediaTimeRange.ticks(begin, min(stop ?? end, end) - begin)
        return part == .ticks(0, end) ? nil : part
    }

    private func checkChapters(until end: Int64) throws(MediaError) {
        for (index, chapter) in timeline.chapters.enumerated()
        where chapter.time.timelineTicks >= end {
            let name = ItemName.chapter(index, chapter)
            throw .setting(
                name,
                "\(name) begins at \(chapter.time.spoken), but the film ends at "
                    + MediaTime.timeline(end).spoken)
        }
    }

    private func checkWatermark(until end: Int64) throws(MediaError) {
        guard let range = timeline.watermark?.timeRange, range.start.timelineTicks >= end else {
            return
        }
        throw .setting(
            "watermark",
            "the watermark comes at \(range.start.spoken), but the film ends at "
                + MediaTime.timeline(end).spoken)
    }

    /// What is generated for clips, each once.
    private func generated(of clips: [PlacedClip]) -> [Asset] {
        var seen: Set<String> = []
        return clips.map(\.asset).filter { $0.isGenerated && seen.insert($0.path).inserted }
    }

    func asset(_ path: String, _ name: String) throws(MediaError) -> Asset {
        guard let asset = assets[path] else {
            throw MediaError(
                code: .noSuchFile, subject: path,
                message: "\(name) needs \(path), which has not been loaded; give it to the builder")
        }
        return asset
    }

    /// Where the film ends (ticks).
    private func filmEnd(
        _ clips: [PlacedClip], _ overlays: [[PlacedClip]], _ voices: [PlacedAudio]
    ) throws(MediaError) -> Int64 {
        let titles = timeline.titles.map { $0.at.timelineTicks + $0.duration.timelineTicks }
        let ends =
            clips.map(\.end) + overlays.compactMap { $0.last?.end } + voices.map(\.end)
            + (clips.isEmpty && overlays.isEmpty ? titles : [])
            + (clips.last.map { [$0.end + timeline.gapAtEnd.timelineTicks] } ?? [])
        if let end = ends.max() {
            for (index, item) in timeline.titles.enumerated()
            where item.at.timelineTicks >= end {
                let name = ItemName.title(index, item)
                throw .setting(
                    name,
                    "\(name) begins at \(item.at.spoken), but the film ends at "
                        + MediaTime.timeline(end).spoken)
            }
            return end
        }
        var longest: Int64 = 0
        for (index, item) in timeline.music.enumerated() {
            let name = ItemName.music(index, item)
            guard !item.loops else {
                throw .setting(
                    name,
                    "\(name) loops, but nothing else says where the film ends; add a clip or a "
                        + "title, or let it play once")
            }
            let audio = try PlacedAudio(item, name, asset(item.path, name))
            longest = max(longest, audio.end)
        }
        return longest
    }
}

extension TimelineBuilder {
    /// Loads the media and makes the film. Blocks; not for Swift's cooperative pool.
    /// - Throws: what `Asset.load` and `film()` throw, naming the item.
    public static func film(loading timeline: Timeline) throws(MediaError) -> Film {
        try LoadedTimeline(timeline).film()
    }
}

extension Film {
    /// A timeline's film, made on a thread of its own: for tasks.
    /// - Throws: as `TimelineBuilder.film(loading:)`.
    public init(loading timeline: Timeline) async throws(MediaError) {
        self = try await NamedThread.run("vcap-load") { () throws(MediaError) in
            try TimelineBuilder.film(loading: timeline)
        }
    }
}
