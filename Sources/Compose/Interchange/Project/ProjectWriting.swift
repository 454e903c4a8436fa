internal import Media

/// Makes a project's text of a timeline: what has its usual value is left out.
struct ProjectWriting {
    /// Makes a path one of the project's.
    let relative: (String) -> String

    func project(_ timeline: Timeline) -> JSON5Writer.Value {
        var keys = KeyList()
        keys.add("schema", .text("vcap.film/1"))
        add(timeline.settings, to: &keys)
        keys.add("videos", timeline.videos.map(video))
        keys.add("gapAtEnd", .time(timeline.gapAtEnd), unless: .number("0"))
        keys.add("titles", timeline.titles.map(title))
        keys.add("voiceOvers", timeline.voiceOvers.map(sound))
        keys.add("music", timeline.music.map(sound))
        if let ducking = timeline.ducking { keys.add("ducking", self.ducking(ducking)) }
        if let watermark = timeline.watermark { keys.add("watermark", self.watermark(watermark)) }
        keys.add(
            "chapters",
            timeline.chapters.map { chapter in
                .record([("at", .time(chapter.time)), ("title", .text(chapter.title))])
            })
        return keys.value
    }

    private func add(_ settings: TimelineSettings, to keys: inout KeyList) {
        if let title = settings.title { keys.add("title", .text(title)) }
        if let size = settings.renderSize {
            keys.add("size", .text("\(size.width)x\(size.height)"))
        }
        if let rate = settings.frameRate {
            keys.add("fps", .ratio(rate.numerator, rate.denominator))
        }
        if let color = settings.color { keys.add("color", ProjectColor.value(color)) }
        if let format = settings.pixelFormat { keys.add("bits", .integer(format.bitDepth)) }
        keys.add("background", .text(settings.background.projectText), unless: .text("black"))
        keys.add("fit", .text(settings.fit.rawValue), unless: .text("contain"))
        keys.add("pitch", .text(settings.pitch.rawValue), unless: .text("kept"))
        if let loudness = settings.loudness {
            keys.add("loudness", .double(loudness.integrated))
            keys.add("truePeak", .double(loudness.truePeak), unless: .number("-1"))
        }
        keys.add("stillDuration", .time(settings.stillDuration), unless: .number("4"))
    }

    func video(_ item: VideoItem) -> JSON5Writer.Value {
        var keys = KeyList()
        keys.add("file", .text(relative(item.path)))
        if let name = item.name { keys.add("name", .text(name)) }
        keys.add("start", .time(item.start), unless: .number("0"))
        if let end = item.end { keys.add("end", .time(end)) }
        keys.add(
            "speed", .ratio(item.speed.numerator, item.speed.denominator), unless: .number("1"))
        keys.add("gap", .time(item.gap), unless: .number("0"))
        if let fit = item.fit { keys.add("fit", .text(fit.rawValue)) }
        keys.add("volume", .double(item.volume), unless: .number("1"))
        keys.add("transition", transition(item.transition), unless: .text("cut"))
        return keys.value
    }

    private func transition(_ transition: Transition) -> JSON5Writer.Value {
        if let short = transition.projectText { return .text(short) }
        var keys = KeyList()
        if case .wipe(let direction, let softness) = transition.kind {
            keys.add("kind", .text("wipe"))
            keys.add("duration", .time(transition.duration))
            keys.add("direction", .text(direction.rawValue))
            keys.add("softness", .double(softness))
        }
        return keys.value
    }

    private func title(_ item: TitleItem) -> JSON5Writer.Value {
        var keys = KeyList()
        let usual = TitleLook()
        keys.add("text", .text(item.text))
        keys.add("style", .text(item.style.rawValue), unless: .text("fade"))
        keys.add("at", .time(item.at), unless: .number("0"))
        keys.add("duration", .time(item.duration), unless: .number("4"))
        if let image = item.image { keys.add("image", .text(relative(image))) }
        keys.add("font", .text(item.look.family), unless: .text(usual.family))
        keys.add(
            "color", .text(item.look.color.projectText), unless: .text(usual.color.projectText))
        keys.add(
            "accent", .text(item.look.accent.projectText), unless: .text(usual.accent.projectText))
        keys.add("allowMissingGlyphs", .flag(item.look.allowsMissingGlyphs), unless: .flag(false))
        return keys.value
    }

    func sound(_ item: SoundItem) -> JSON5Writer.Value {
        var keys = KeyList()
        keys.add("file", .text(relative(item.path)))
        if let name = item.name { keys.add("name", .text(name)) }
        keys.add("at", .time(item.at), unless: .number("0"))
        keys.add("start", .time(item.start), unless: .number("0"))
        if let end = item.end { keys.add("end", .time(end)) }
        keys.add("volume", .double(item.volume), unless: .number("1"))
        keys.add("pan", .double(item.pan), unless: .number("0"))
        keys.add(
            "automation",
            item.automation.map { point in
                .record([("time", .time(point.time)), ("volume", .double(point.volume))])
            })
        keys.add("fadeIn", .time(item.fadeIn), unless: .number("0"))
        keys.add("fadeOut", .time(item.fadeOut), unless: .number("0"))
        keys.add("loop", .flag(item.loops), unless: .flag(false))
        return keys.value
    }

    private func ducking(_ ducking: MusicDucking) -> JSON5Writer.Value {
        .record([
            ("under", .text(ducking.under.rawValue)), ("depth", .double(ducking.depth)),
            ("threshold", .double(ducking.threshold)), ("attack", .time(ducking.attack)),
            ("hold", .time(ducking.hold)), ("release", .time(ducking.release)),
        ])
    }

    private func watermark(_ mark: Watermark) -> JSON5Writer.Value {
        var keys = KeyList()
        switch mark.contents {
        case .text(let text): keys.add("text", .text(text))
        case .image(let path): keys.add("image", .text(relative(path)))
        }
        keys.add("corner", .text(mark.corner.rawValue), unless: .text("bottom-right"))
        keys.add("opacity", .double(mark.opacity), unless: .number("0.6"))
        keys.add("size", .double(mark.size), unless: .number("0.1"))
        keys.add("font", .text(mark.look.family), unless: .text("Sans"))
        keys.add("color", .text(mark.look.color.projectText), unless: .text("white"))
        return keys.value
    }
}

/// Keys in the order they are added.
struct KeyList {
    private var members: [(String, JSON5Writer.Value)] = []

    var value: JSON5Writer.Value { .record(members) }

    mutating func add(_ key: String, _ value: JSON5Writer.Value) { members.append((key, value)) }

    mutating func add(
        _ key: String, _ value: JSON5Writer.Value, unless usual: JSON5Writer.Value
    ) {
        if value != usual { add(key, value) }
    }

    mutating func add(_ key: String, _ list: [JSON5Writer.Value]) {
        if !list.isEmpty { add(key, .list(list)) }
    }
}

extension JSON5Writer.Value {
    /// Seconds as a number where a decimal says all, else a rational.
    static func time(_ time: MediaTime) -> JSON5Writer.Value {
        let text = time.projectText
        return text.contains("/") ? .text(text) : .number(text)
    }

    static func ratio(_ value: Int32, _ per: Int32) -> JSON5Writer.Value {
        .time(MediaTime(value: Int64(value), timescale: per))
    }
}
