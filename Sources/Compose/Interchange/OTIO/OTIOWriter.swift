internal import Media
internal import Reading

/// Makes OpenTimelineIO's JSON of a timeline. What its objects have no room for goes into metadata that
/// only vcap reads, and into a list.
struct OTIOWriter {
    let timeline: Timeline
    let clips: [PlacedClip]
    let voices: [PlacedSound]
    let music: [PlacedSound]
    let rate: FrameRate
    let writing: ProjectWriting
    private(set) var notCarried: [String] = []

    init(
        _ timeline: Timeline, _ builder: TimelineBuilder, _ writing: ProjectWriting
    ) throws(MediaError) {
        self.timeline = timeline
        self.writing = writing
        clips = try builder.placedClips()
        voices = try builder.placedVoices()
        let last = clips.last.map { $0.end + timeline.gapAtEnd.timelineTicks }
        let end = (clips.map(\.end) + voices.map(\.end) + [last].compactMap { $0 }).max() ?? .max
        var music: [PlacedSound] = []
        for (index, item) in timeline.music.enumerated() {
            let name = ItemName.music(index, item)
            var sound = try PlacedSound(item, name, builder.asset(item.path, name))
            if end < .max { try sound.fit(until: end) }
            music.append(sound)
        }
        self.music = music
        let first = clips.first { $0.isMovie } ?? clips.first { $0.picture != nil }
        rate =
            timeline.settings.frameRate ?? first?.picture.map { FrameRate.film(of: $0.track) }
            ?? FrameRate(30)
    }

    mutating func document() -> JSON5Writer.Value {
        var tracks = [track("Video", "clips", videoChildren())]
        for (kind, sounds) in [("voice-over", voices), ("music", music)] {
            for sound in sounds { tracks.append(track("Audio", kind, soundChildren(sound, kind))) }
        }
        noteLosses()
        var plain = timeline
        (plain.videos, plain.voiceOvers, plain.music, plain.chapters) = ([], [], [], [])
        plain.gapAtEnd = .zero
        return object(
            "Timeline.1", timeline.settings.title ?? "vcap film",
            [
                ("metadata", .record([("vcap", writing.project(plain))])),
                ("global_start_time", .null),
                (
                    "tracks",
                    object(
                        "Stack.1", "tracks",
                        common + [
                            ("markers", .list(timeline.chapters.map(marker))),
                            ("children", .list(tracks)),
                        ])
                ),
            ])
    }

    private var common: [(String, JSON5Writer.Value)] {
        [("metadata", .record([])), ("source_range", .null), ("effects", .list([]))]
    }

    private func object(
        _ schema: String, _ name: String, _ members: [(String, JSON5Writer.Value)]
    ) -> JSON5Writer.Value {
        .record([("OTIO_SCHEMA", .text(schema)), ("name", .text(name))] + members)
    }

    private func track(
        _ kind: String, _ name: String, _ children: [JSON5Writer.Value]
    ) -> JSON5Writer.Value {
        object(
            "Track.1", name,
            common + [
                ("markers", .list([])), ("kind", .text(kind)), ("children", .list(children)),
            ])
    }

    private func marker(_ chapter: Chapter) -> JSON5Writer.Value {
        object(
            "Marker.2", chapter.title,
            [
                ("metadata", .record([])), ("color", .text("GREEN")),
                ("marked_range", OTIOTime.range(chapter.time, .zero, rate: rate)),
            ])
    }

    /// Clips meet in the middle of their overlap, and the transition tells how far each reaches over.
    private func videoChildren() -> [JSON5Writer.Value] {
        var children: [JSON5Writer.Value] = []
        for clip in clips {
            if clip.item.gap > .zero { children.append(gap(clip.item.gap)) }
            let before = clip.overlapBefore - clip.overlapBefore / 2
            let after = clip.overlapAfter / 2
            if clip.overlapBefore > 0 {
                children.append(
                    transition(
                        clip, reachesBack: before,
                        reachesOn: clip.overlapBefore / 2))
            }
            guard let part = clip.picture ?? clip.sound else { continue }
            let start = part.range.start.timelineTicks + sourceTicks(before, clip)
            children.append(
                self.clip(
                    OTIOAddress.name(clip.item.name, clip.item.path), clip.item.path, clip.asset,
                    start: .timeline(start), length: .timeline(clip.ticks - before - after),
                    effects: speed(clip.item.speed),
                    metadata: extras(writing.video(clip.item), ["fit", "volume", "transition"])))
        }
        if timeline.gapAtEnd > .zero { children.append(gap(timeline.gapAtEnd)) }
        return children
    }

    private func sourceTicks(_ ticks: Int64, _ clip: PlacedClip) -> Int64 {
        let speed = clip.item.speed
        return Int64(Int128(ticks) * Int128(speed.numerator) / Int128(speed.denominator))
    }

    private func soundChildren(_ sound: PlacedSound, _ kind: String) -> [JSON5Writer.Value] {
        var children: [JSON5Writer.Value] = []
        if sound.start > 0 { children.append(gap(.timeline(sound.start))) }
        let keys = ["volume", "pan", "automation", "fadeIn", "fadeOut", "loop"]
        let metadata = extras(writing.sound(sound.item), keys, kind: kind)
        // a loop is written once, as long as it plays
        guard let span = sound.spans.first else { return children }
        let length = sound.item.loops ? span.range.duration : .timeline(sound.ticks)
        children.append(
            clip(
                OTIOAddress.name(sound.item.name, sound.item.path), sound.item.path, sound.asset,
                start: span.range.start, length: length, effects: [], metadata: metadata))
        return children
    }

    private func gap(_ length: MediaTime) -> JSON5Writer.Value {
        object(
            "Gap.1", "",
            [
                ("metadata", .record([])),
                ("source_range", OTIOTime.range(.zero, length, rate: rate)),
                ("effects", .list([])), ("markers", .list([])),
            ])
    }

    private func clip(
        _ name: String, _ path: String, _ asset: Asset, start: MediaTime, length: MediaTime,
        effects: [JSON5Writer.Value], metadata: JSON5Writer.Value
    ) -> JSON5Writer.Value {
        let reference = object(
            "ExternalReference.1", "",
            [
                ("metadata", .record([])),
                (
                    "available_range",
                    asset.duration > .zero
                        ? OTIOTime.range(.zero, asset.duration, rate: rate) : .null
                ),
                ("target_url", .text(OTIOAddress.url(writing.relative(path)))),
            ])
        return object(
            "Clip.1", name,
            [
                ("metadata", metadata),
                ("source_range", OTIOTime.range(start, length, rate: rate)),
                ("effects", .list(effects)), ("markers", .list([])),
                ("media_reference", reference),
            ])
    }

    private func speed(_ speed: Speed) -> [JSON5Writer.Value] {
        guard speed != .normal else { return [] }
        return [
            object(
                "LinearTimeWarp.1", "speed",
                [
                    ("metadata", .record([])), ("effect_name", .text("LinearTimeWarp")),
                    ("time_scalar", .number("\(speed.approximate)")),
                ])
        ]
    }

    private func transition(
        _ clip: PlacedClip, reachesBack: Int64, reachesOn: Int64
    ) -> JSON5Writer.Value {
        let isDissolve = clip.item.transition.kind == .dissolve
        return object(
            "Transition.1", "",
            [
                ("metadata", .record([])),
                ("transition_type", .text(isDissolve ? "SMPTE_Dissolve" : "Custom_Transition")),
                ("in_offset", OTIOTime.value(.timeline(reachesBack), rate: rate)),
                ("out_offset", OTIOTime.value(.timeline(reachesOn), rate: rate)),
            ])
    }

    /// The keys of an item that OpenTimelineIO has no place for.
    private func extras(
        _ item: JSON5Writer.Value, _ keys: [String], kind: String? = nil
    ) -> JSON5Writer.Value {
        guard case .record(let members) = item else { return .record([]) }
        var kept = members.filter { keys.contains($0.0) }
        if let kind { kept.insert(("kind", .text(kind)), at: 0) }
        return kept.isEmpty ? .record([]) : .record([("vcap", .record(kept))])
    }

    private mutating func noteLosses() {
        func note(_ what: String) -> String {
            "\(what): kept in metadata, which other programs do not read"
        }
        for (index, item) in timeline.titles.enumerated() {
            notCarried.append(note(ItemName.title(index, item)))
        }
        for clip in clips {
            if clip.item.volume != 1 { notCarried.append(note("the volume of \(clip.name)")) }
            if clip.item.fit != nil { notCarried.append(note("the fit of \(clip.name)")) }
            if clip.item.transition.kind != .dissolve, clip.overlapBefore > 0 {
                notCarried.append(note("the look of the transition to \(clip.name)"))
            }
        }
        for sound in voices + music {
            let usual = SoundItem(sound.item.path)
            let item = sound.item
            if item.loops { notCarried.append(note("the loop of \(sound.name)")) }
            if item.volume != 1 || item.pan != 0 || !item.automation.isEmpty
                || item.fadeIn != usual.fadeIn || item.fadeOut != usual.fadeOut
            {
                notCarried.append(note("volume, pan and fades of \(sound.name)"))
            }
        }
        if timeline.watermark != nil { notCarried.append(note("the watermark")) }
        if timeline.ducking != nil { notCarried.append(note("the ducking")) }
    }
}
