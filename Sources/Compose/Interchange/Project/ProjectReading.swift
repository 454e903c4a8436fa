internal import Media

/// Makes a timeline of a project's tables.
struct ProjectReading {
    /// Checks a path and makes it one that can be opened.
    let resolve: (String, TextPosition) throws(JSON5Failure) -> String
    /// Where the items stand, by the names that messages give them.
    private(set) var places: [String: TextPosition] = [:]

    init(resolve: @escaping (String, TextPosition) throws(JSON5Failure) -> String) {
        self.resolve = resolve
    }

    mutating func timeline(_ project: ProjectRecord) throws(JSON5Failure) -> Timeline {
        var timeline = Timeline(settings: settings(project))
        for (index, entry) in project.list("videos").enumerated() {
            guard case .record(let record) = entry.value else { continue }
            let item = try video(record)
            places[ItemName.clip(index, item)] = entry.position
            places[ItemName.transition(index, item)] =
                record.entries["transition"]?.position ?? entry.position
            timeline.videos.append(item)
        }
        for (index, entry) in project.list("titles").enumerated() {
            guard case .record(let record) = entry.value else { continue }
            let item = try title(record)
            places[ItemName.title(index, item)] = entry.position
            timeline.titles.append(item)
        }
        for (index, entry) in project.list("voiceOvers").enumerated() {
            guard case .record(let record) = entry.value else { continue }
            let item = try sound(record)
            places[ItemName.voiceOver(index, item)] = entry.position
            timeline.voiceOvers.append(item)
        }
        for (index, entry) in project.list("music").enumerated() {
            guard case .record(let record) = entry.value else { continue }
            let item = try sound(record)
            places[ItemName.music(index, item)] = entry.position
            timeline.music.append(item)
        }
        timeline.gapAtEnd = project.time("gapAtEnd") ?? .zero
        timeline.ducking = project.record("ducking").map(ducking)
        if let record = project.record("watermark") { timeline.watermark = try watermark(record) }
        timeline.chapters = project.list("chapters").compactMap { entry in
            guard case .record(let record) = entry.value else { return nil }
            return Chapter(record.text("title") ?? "", at: record.time("at") ?? .zero)
        }
        return timeline
    }

    private func settings(_ project: ProjectRecord) -> TimelineSettings {
        var settings = TimelineSettings(
            background: project.color("background") ?? .black,
            fit: project.choice("fit") ?? .contain, pitch: project.choice("pitch") ?? .kept,
            stillDuration: project.time("stillDuration") ?? Composition.stillDuration,
            title: project.text("title"))
        if case .size(let size) = project["size"] { settings.renderSize = size }
        if case .rate(let rate) = project["fps"] { settings.frameRate = rate }
        if let loudness = project.number("loudness") {
            settings.loudness = LoudnessTarget(
                integrated: loudness, truePeak: project.number("truePeak") ?? -1)
        }
        settings.color = ProjectColor.color(project["color"])
        settings.pixelFormat = project.text("bits").map { $0 == "10" ? .yuv420p10le : .yuv420p }
        return settings
    }

    private func path(_ record: ProjectRecord, _ key: String) throws(JSON5Failure) -> String? {
        guard let path = record.text(key), let entry = record.entries[key] else { return nil }
        return try resolve(path, entry.position)
    }

    private func video(_ record: ProjectRecord) throws(JSON5Failure) -> VideoItem {
        var item = VideoItem(
            try path(record, "file") ?? "", name: record.text("name"),
            start: record.time("start") ?? .zero, end: record.time("end"),
            fit: record.choice("fit"), volume: record.number("volume") ?? 1,
            gap: record.time("gap") ?? .zero)
        if let length = record.time("duration") {
            guard item.end == nil else {
                throw JSON5Failure(
                    position: record.entries["duration"]?.position ?? record.position,
                    message: "a clip needs either \"end\" or \"duration\"")
            }
            item.end =
                (try? item.start.adding(length))
                ?? .timeline(item.start.timelineTicks + length.timelineTicks)
        }
        if case .speed(let speed) = record["speed"] { item.speed = speed }
        item.transition = Self.transition(record["transition"])
        return item
    }

    static func transition(_ value: ProjectValue?) -> Transition {
        switch value {
        case .transition(let transition): transition
        case .record(let long): transition(long)
        default: .cut
        }
    }

    private static func transition(_ record: ProjectRecord) -> Transition {
        let direction: Transition.Direction = record.choice("direction") ?? .left
        let kind: Transition.Kind =
            switch record.text("kind") {
            case "push": .push(direction)
            case "wipe": .wipe(direction, softness: record.number("softness") ?? 0.02)
            case "fade": .fade(through: record.color("color") ?? .black)
            default: .dissolve
            }
        return Transition(kind, duration: record.time("duration") ?? .zero)
    }

    private func title(_ record: ProjectRecord) throws(JSON5Failure) -> TitleItem {
        var look = TitleLook()
        look.family = record.text("font") ?? look.family
        look.color = record.color("color") ?? look.color
        look.accent = record.color("accent") ?? look.accent
        look.allowsMissingGlyphs = record.flag("allowMissingGlyphs") ?? false
        return TitleItem(
            record.text("text") ?? "", style: record.choice("style") ?? .fade,
            at: record.time("at") ?? .zero, duration: record.time("duration") ?? .seconds(4),
            image: try path(record, "image"), look: look)
    }

    private func sound(_ record: ProjectRecord) throws(JSON5Failure) -> SoundItem {
        Self.sound(record, path: try path(record, "file") ?? "")
    }

    static func sound(_ record: ProjectRecord?, path: String) -> SoundItem {
        guard let record else { return SoundItem(path) }
        let points = record.list("automation").compactMap { entry -> SoundItem.VolumePoint? in
            guard case .record(let point) = entry.value else { return nil }
            return SoundItem.VolumePoint(point.time("time") ?? .zero, point.number("volume") ?? 1)
        }
        return SoundItem(
            path, name: record.text("name"),
            at: record.time("at") ?? .zero, start: record.time("start") ?? .zero,
            end: record.time("end"), volume: record.number("volume") ?? 1,
            pan: record.number("pan") ?? 0, automation: points,
            fadeIn: record.time("fadeIn") ?? .zero, fadeOut: record.time("fadeOut") ?? .zero,
            loops: record.flag("loop") ?? false)
    }

    private func ducking(_ record: ProjectRecord) -> MusicDucking {
        let usual = MusicDucking()
        return MusicDucking(
            under: record.choice("under") ?? usual.under,
            depth: record.number("depth") ?? usual.depth,
            threshold: record.number("threshold") ?? usual.threshold,
            attack: record.time("attack") ?? usual.attack,
            hold: record.time("hold") ?? usual.hold,
            release: record.time("release") ?? usual.release)
    }

    private func watermark(_ record: ProjectRecord) throws(JSON5Failure) -> Watermark {
        let contents: Watermark.Contents
        switch (record.text("text"), try path(record, "image")) {
        case (let text?, nil): contents = .text(text)
        case (nil, let path?): contents = .image(path: path)
        default:
            throw JSON5Failure(
                position: record.position,
                message: "a watermark needs either \"text\" or \"image\"")
        }
        var mark = Watermark(contents)
        mark.corner = record.choice("corner") ?? mark.corner
        mark.opacity = record.number("opacity") ?? mark.opacity
        mark.size = record.number("size") ?? mark.size
        mark.look.family = record.text("font") ?? mark.look.family
        mark.look.color = record.color("color") ?? mark.look.color
        return mark
    }
}
