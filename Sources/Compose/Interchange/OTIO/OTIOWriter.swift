internal import Media
internal import Reading

/// Makes OpenTimelineIO's JSON of a timeline. What its objects have no room for goes into metadata that
/// only vcap reads, and into a list.
struct OTIOWriter {
    let timeline: Timeline
    let clips: [PlacedClip]
    let overlays: [[PlacedClip]]
    let voices: [PlacedAudio]
    let music: [PlacedAudio]
    let rate: FrameRate
    let writer: ProjectWriter
    /// The keys of a project's clip that OpenTimelineIO has no place for …
    static let clipKeys = [
        "blend", "fit", "loudness", "volume", "pan", "lowCut", "gate", "limiter", "transition",
        "audioCut", "place", "crop", "key", "mask", "effects", "grade",
        "opacity", "cornerRadius",
        "border",
        "shadow", "fadeIn", "fadeOut", "track", "audio", "view", "motion", "follow",
        "keyframes",
    ]
    /// … of one whose speed changes what it shows of its source, too, which others' times do not hold …
    static let rampKeys = ["start", "end", "speed", "reverse"]
    /// … and those of audio.
    static let soundKeys = [
        "volume", "pan", "lowCut", "gate", "limiter", "keyframes", "automation", "fadeIn",
        "fadeOut", "loop",
    ]
    private(set) var notCarried: [String] = []

    init(
        _ timeline: Timeline, _ builder: TimelineBuilder, _ writer: ProjectWriter
    ) throws(MediaError) {
        self.timeline = timeline
        self.writer = writer
        clips = try builder.placedClips()
        overlays = try builder.placedOverlays()
        voices = try builder.placedVoices()
        let last = clips.last.map { $0.end + timeline.gapAtEnd.timelineTicks }
        let end =
            ((clips + overlays.joined()).map(\.end) + voices.map(\.end) + [last].compactMap { $0 })
            .max() ?? .max
        var music: [PlacedAudio] = []
        for (index, item) in timeline.music.enumerated() {
            let name = ItemName.music(index, item)
            var audio = try PlacedAudio(item, name, builder.asset(item.path, name))
            if end < .max { try audio.fit(until: end) }
            music.append(audio)
        }
        self.music = music
        let shown = clips + overlays.joined()
        let first =
            shown.first { $0.isMovie }
            ?? shown.first { $0.item.generator == nil && $0.picture != nil }
        rate =
            timeline.settings.frameRate ?? first?.picture.map { FrameRate.film(of: $0.track) }
            ?? FrameRate(30)
    }

    mutating func document() -> JSONValue {
        let rows = [clips] + overlays
        var tracks = rows.enumerated().map { number, row in
            track(
                "Video", number == 0 ? "clips" : "overlay \(number)",
                children(
                    row, as: .frames, gapAtEnd: number == 0 ? timeline.gapAtEnd : .zero))
        }
        for (number, row) in rows.enumerated() where row.contains(where: isHeard) {
            let name = number == 0 ? "clips' audio" : "audio of overlay \(number)"
            tracks.append(
                track("Audio", name, children(row, as: .audio), metadata: ofClips))
        }
        for (kind, sounds) in [("voice-over", voices), ("music", music)] {
            for audio in sounds { tracks.append(track("Audio", kind, audioChildren(audio, kind))) }
        }
        noteLosses()
        var plain = timeline
        (plain.videos, plain.voiceOvers, plain.music, plain.chapters) = ([], [], [], [])
        (plain.gapAtEnd, plain.overlays) = (.zero, [])
        return object(
            "Timeline.1", timeline.settings.title ?? "vcap film",
            [
                ("metadata", .object([("vcap", ProjectTables.project.write(plain, writer))])),
                ("global_start_time", start),
                (
                    "tracks",
                    object(
                        "Stack.1", "tracks",
                        common + [
                            ("markers", .array(timeline.chapters.map(marker))),
                            ("children", .array(tracks)),
                        ])
                ),
            ])
    }

    /// The film's time code as a time of its first frame.
    private var start: JSONValue {
        guard let code = timeline.settings.startTimeCode?.timeCode(at: rate) else { return .null }
        return OTIOTime.value(code.rate.time(ofFrames: code.frame), rate: rate)
    }

    /// Where a file's own time begins: at its time code.
    private func mediaStart(_ asset: Asset) -> MediaTime {
        if let start = OTIOSequence.start(asset) { return start }
        guard let code = asset.metadata.timeCode?.start else { return .zero }
        return code.rate.time(ofFrames: code.frame)
    }

    private var common: [(String, JSONValue)] {
        [("metadata", .object([])), ("source_range", .null), ("effects", .array([]))]
    }

    private func object(
        _ schema: String, _ name: String, _ members: [(String, JSONValue)]
    ) -> JSONValue {
        .object([("OTIO_SCHEMA", .string(schema)), ("name", .string(name))] + members)
    }

    private func track(
        _ kind: String, _ name: String, _ children: [JSONValue],
        metadata: JSONValue = .object([])
    ) -> JSONValue {
        object(
            "Track.1", name,
            [
                ("metadata", metadata), ("source_range", .null), ("effects", .array([])),
                ("markers", .array([])), ("kind", .string(kind)), ("children", .array(children)),
            ])
    }

    private func marker(_ chapter: Chapter) -> JSONValue {
        object(
            "Marker.2", chapter.title,
            [
                ("metadata", .object([])), ("color", .string("GREEN")),
                ("marked_range", OTIOTime.range(chapter.time, .zero, rate: rate)),
            ])
    }

    /// What of clips a track has.
    private enum Share {
        case frames
        case audio
    }

    /// By which a reader of ours knows the track that repeats the clips for their audio.
    private var ofClips: JSONValue {
        extras(.object([]), kind: OTIOReader.kindOfClipsAudio)
    }

    /// Whether a clip is heard at any time.
    func isHeard(_ clip: PlacedClip) -> Bool {
        !clip.voices.isEmpty
            && (clip.item.volume > 0
                || clip.item.keyframes.contains { $0.volume.map { $0 > 0 } ?? false })
    }

    /// Clips meet in the middle of their overlap, and the transition says how far each reaches over.
    private func children(
        _ clips: [PlacedClip], as share: Share, gapAtEnd: MediaTime = .zero
    ) -> [JSONValue] {
        var children: [JSONValue] = []
        var last: Int64 = 0
        for clip in clips {
            if clip.start > last {
                children.append(
                    gap(clip.item.gap > .zero ? clip.item.gap : .timeline(clip.start - last)))
            }
            last = clip.end
            let before = clip.overlapBefore - clip.overlapBefore / 2
            let after = clip.overlapAfter / 2
            if clip.overlapBefore > 0 {
                children.append(
                    transition(
                        clip, reachesBack: before,
                        reachesOn: clip.overlapBefore / 2))
            }
            let length = MediaTime.timeline(clip.ticks - before - after)
            if share == .audio, !isHeard(clip) {
                children.append(gap(length))
                continue
            }
            guard let part = clip.picture ?? clip.sound else { continue }
            let isFrozen = clip.item.freeze != nil
            let skipped = sourceTicks(clip.item.isReversed ? after : before, clip)
            let start = part.range.start.timelineTicks + (isFrozen ? 0 : skipped)
            children.append(
                self.clip(
                    OTIOAddress.name(clip.item.name, clip.item.label), reference(to: clip),
                    start: .timeline(start) + mediaStart(clip.asset),
                    length: length, effects: isFrozen ? [freezeFrame] : speed(of: clip),
                    metadata: share == .audio ? .object([]) : extras(ownKeys(of: clip))))
        }
        if gapAtEnd > .zero { children.append(gap(gapAtEnd)) }
        return children
    }

    private func ownKeys(of clip: PlacedClip) -> JSONValue {
        let item = clip.item.ofProjects
        guard clip.course != nil else {
            return ProjectTables.video.write(item, only: Self.clipKeys, writer)
        }
        let keys = ProjectTables.video.write(item, only: Self.clipKeys + Self.rampKeys, writer)
        guard keys["speed"] == nil else { return keys }
        // by it a reader sees that the speed changes
        return .object((keys.members ?? []).map { ($0.key, $0.value) } + [("speed", .number(1))])
    }

    private func sourceTicks(_ ticks: Int64, _ clip: PlacedClip) -> Int64 {
        // on a course as at its mean
        if let course = clip.course {
            return Int64(Int128(ticks) * Int128(course.sourceTicks) / Int128(course.ticks))
        }
        let speed = clip.item.speed
        return Int64(Int128(ticks) * Int128(speed.numerator) / Int128(speed.denominator))
    }

    private func audioChildren(_ audio: PlacedAudio, _ kind: String) -> [JSONValue] {
        var children: [JSONValue] = []
        if audio.start > 0 { children.append(gap(.timeline(audio.start))) }
        let keys = ProjectTables.music.write(audio.item, only: Self.soundKeys, writer)
        let metadata = extras(keys, kind: kind)
        // a loop is written once, as long as it plays
        guard let span = audio.spans.first else { return children }
        let length = audio.item.loops ? span.range.duration : .timeline(audio.ticks)
        children.append(
            clip(
                OTIOAddress.name(audio.item.name, audio.item.path),
                reference(to: audio.item.path, audio.asset),
                start: span.range.start + mediaStart(audio.asset),
                length: length, effects: [], metadata: metadata))
        return children
    }

    private func gap(_ length: MediaTime) -> JSONValue {
        object(
            "Gap.1", "",
            [
                ("metadata", .object([])),
                ("source_range", OTIOTime.range(.zero, length, rate: rate)),
                ("effects", .array([])), ("markers", .array([])),
            ])
    }

    private func reference(to clip: PlacedClip) -> JSONValue {
        guard let generator = clip.item.generator else {
            if let pictures = OTIOSequence.members(clip, writer) {
                return object("ImageSequenceReference.1", "", pictures)
            }
            return reference(to: clip.item.path, clip.asset)
        }
        return object("GeneratorReference.1", "", OTIOGenerator.members(generator, writer))
    }

    private func reference(to path: String, _ asset: Asset) -> JSONValue {
        object(
            "ExternalReference.1", "",
            [
                ("metadata", .object([])),
                (
                    "available_range",
                    asset.duration > .zero
                        ? OTIOTime.range(mediaStart(asset), asset.duration, rate: rate) : .null
                ),
                ("target_url", .string(OTIOAddress.url(writer.relative(path)))),
            ])
    }

    private func clip(
        _ name: String, _ reference: JSONValue, start: MediaTime, length: MediaTime,
        effects: [JSONValue], metadata: JSONValue
    ) -> JSONValue {
        object(
            "Clip.1", name,
            [
                ("metadata", metadata),
                ("source_range", OTIOTime.range(start, length, rate: rate)),
                ("effects", .array(effects)), ("markers", .array([])),
                ("media_reference", reference),
            ])
    }

    /// The frame at the range's start, for as long as the range lasts.
    private var freezeFrame: JSONValue {
        object(
            "FreezeFrame.1", "freeze",
            [
                ("metadata", .object([])), ("effect_name", .string("FreezeFrame")),
                ("time_scalar", .number(written: "0.0")),
            ])
    }

    /// Its own, or its mean where that changes; negative: it plays backwards.
    private func speed(of clip: PlacedClip) -> [JSONValue] {
        let item = clip.item
        let mean = clip.course.map { Double($0.sourceTicks) / Double($0.ticks) }
        guard item.speed != .normal || item.isReversed || mean != nil else { return [] }
        let speed = mean ?? item.speed.approximate
        return [
            object(
                "LinearTimeWarp.1", "speed",
                [
                    ("metadata", .object([])), ("effect_name", .string("LinearTimeWarp")),
                    ("time_scalar", .number(written: "\(item.isReversed ? -speed : speed)")),
                ])
        ]
    }

    private func transition(
        _ clip: PlacedClip, reachesBack: Int64, reachesOn: Int64
    ) -> JSONValue {
        let isDissolve = clip.item.transition.kind == .dissolve
        return object(
            "Transition.1", "",
            [
                ("metadata", .object([])),
                ("transition_type", .string(isDissolve ? "SMPTE_Dissolve" : "Custom_Transition")),
                ("in_offset", OTIOTime.value(.timeline(reachesBack), rate: rate)),
                ("out_offset", OTIOTime.value(.timeline(reachesOn), rate: rate)),
            ])
    }

    /// Keys of an item as metadata of vcap's own.
    private func extras(_ item: JSONValue, kind: String? = nil) -> JSONValue {
        var kept = (item.members ?? []).map { ($0.key, $0.value) }
        if let kind { kept.insert(("kind", .string(kind)), at: 0) }
        return kept.isEmpty ? .object([]) : .object([("vcap", .object(kept))])
    }

    private mutating func noteLosses() {
        func note(_ what: String) -> String {
            "\(what): kept in metadata, which other programs do not read"
        }
        for (index, item) in timeline.titles.enumerated() {
            notCarried.append(note(ItemName.title(index, item)))
        }
        for clip in clips + overlays.joined() {
            if clip.item.place != nil || clip.item.crop != ClipCrop()
                || clip.item.look != ClipLook()
            {
                notCarried.append(note("the place, crop and look of \(clip.name)"))
            }
            if clip.item.key != nil { notCarried.append(note("the key of \(clip.name)")) }
            if clip.item.mask != nil { notCarried.append(note("the mask of \(clip.name)")) }
            if !clip.item.effects.isEmpty {
                notCarried.append(note("the effects of \(clip.name)"))
            }
            if !clip.item.grade.isEmpty {
                notCarried.append(note("the grade of \(clip.name)"))
            }
            if clip.item.grades.contains(where: { !$0.effects.isEmpty })
                || clip.item.effects.contains(where: { !$0.isOfProjects })
            {
                notCarried.append(
                    "effects of one's own of \(clip.name): a project has no word for them")
            }
            if !clip.item.keyframes.isEmpty {
                notCarried.append(note("the key frames of \(clip.name)"))
            }
            if clip.item.view != nil || clip.item.follow != nil
                || clip.item.motion ?? .none != .none
            {
                notCarried.append(note("the view and motion of \(clip.name)"))
            }
            if clip.item.fadeIn > .zero || clip.item.fadeOut > .zero {
                notCarried.append(note("the fades of \(clip.name)"))
            }
            if clip.item.track != nil || clip.item.voices != nil {
                notCarried.append(note("the tracks that \(clip.name) is of"))
            }
            if clip.item.sequence?.gaps == .ignore {
                notCarried.append(note("the gaps of \(clip.name)"))
            }
            if clip.item.blendsFrames {
                notCarried.append(note("the mixed frames of \(clip.name)"))
            }
            if let generator = clip.item.generator, !OTIOGenerator.isUsual(generator) {
                notCarried.append(
                    "\(clip.name): a generator that other programs may not know")
            }
            if clip.item.audioCut != nil {
                notCarried.append(note("the audio cut of \(clip.name)"))
            }
            if clip.item.loudness != nil {
                notCarried.append(note("the loudness of \(clip.name)"))
            }
            // a silent clip is in no track of audio
            let isSilent = clip.item.volume == 0 && !isHeard(clip) && hasAudioTracks
            if clip.item.volume != 1, !isSilent {
                notCarried.append(note("the volume of \(clip.name)"))
            }
            if clip.item.pan != 0 { notCarried.append(note("the pan of \(clip.name)")) }
            if let what = clip.item.treatment.named {
                notCarried.append(note("the \(what) of \(clip.name)"))
            }
            if clip.item.fit != nil { notCarried.append(note("the fit of \(clip.name)")) }
            if clip.item.transition.isCustom {
                notCarried.append(
                    "the look of the transition to \(clip.name): it is an effect of a program's own, and "
                        + "a dissolve when the file is read")
            } else if clip.overlapBefore > 0,
                clip.item.transition.kind != .dissolve || clip.item.transition.curve != .linear
            {
                notCarried.append(note("the look of the transition to \(clip.name)"))
            }
        }
        for audio in voices + music {
            let usual = AudioItem(audio.item.path)
            let item = audio.item
            if item.loops { notCarried.append(note("the loop of \(audio.name)")) }
            if item.volume != 1 || item.pan != 0 || !item.keyframes.isEmpty
                || item.fadeIn != usual.fadeIn || item.fadeOut != usual.fadeOut
            {
                notCarried.append(note("volume, pan and fades of \(audio.name)"))
            }
            if let what = item.treatment.named {
                notCarried.append(note("the \(what) of \(audio.name)"))
            }
        }
        if timeline.inPoint != nil || timeline.outPoint != nil {
            notCarried.append(note("in and out"))
        }
        notCarried += lostSettings.map(note)
        if timeline.settings.stillMotion != .none {
            notCarried.append(note("the motion of still pictures"))
        }
        if timeline.watermark != nil { notCarried.append(note("the watermark")) }
        if !timeline.subtitles.isEmpty { notCarried.append(note("the subtitles of files")) }
        if timeline.clipSubtitles != .tracks || timeline.clipSubtitleLook != SubtitleLook() {
            notCarried.append(note("what becomes of the clips' subtitles"))
        }
        if !timeline.fonts.isEmpty { notCarried.append(note("the fonts")) }
        if timeline.ducking != nil { notCarried.append(note("the ducking")) }
    }
}
