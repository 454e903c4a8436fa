public import Media
public import Reading

extension Asset {
    /// A file of a film's media. A name that cannot be opened, because its links go round in circles say, is that of
    /// a file which is not there; for what is written it is a name under which nothing can be made.
    static func media(_ path: String) throws(MediaError) -> Asset {
        do throws(MediaError) { return try load(path) } catch {
            throw error.code == .cannotCreate ? error.describing(code: .noSuchFile) : error
        }
    }
}

/// A timeline whose media are loaded. A live photo among the clips is its film.
public struct LoadedTimeline: Sendable {
    /// With the films' paths in the place of the photos' of pairs.
    public private(set) var timeline: Timeline
    /// The same with key frames in the place of what clips follow.
    private var followed: Timeline
    public private(set) var assets: [Asset] = []
    /// What is not there that a photo promises.
    private var warnings: [String] = []
    private var notes: [String] = []

    /// Blocks; not for Swift's cooperative pool.
    /// - Throws: `invalid-setting`, and what `Asset.load` throws, naming the file.
    public init(_ timeline: Timeline) throws(MediaError) {
        try timeline.validate()
        for path in timeline.fonts { try FontRegistry.register(path) }
        (self.timeline, followed) = (timeline, timeline)
        for path in timeline.mediaPaths { try load(path) }
        try loadSubtitles()
        let items = timeline.videos + timeline.overlays.flatMap(\.videos)
        for grade in items.flatMap(\.grades) { try grade.loadTables() }
        try timeline.checkTransitionImages()
        try timeline.checkAreaPictures()
        followed = self.timeline
        for (index, item) in timeline.videos.enumerated() where item.followsSomething {
            followed.videos[index] = try following(
                followed.videos[index], ItemName.clip(index, item))
        }
        for (number, track) in timeline.overlays.enumerated() {
            for (index, item) in track.videos.enumerated() where item.followsSomething {
                followed.overlays[number].videos[index] = try following(
                    followed.overlays[number].videos[index],
                    ItemName.overlay(number, index, of: track.videos.count, item))
            }
        }
    }

    /// A clip that follows something with key frames in the place of that.
    private mutating func following(
        _ item: VideoItem, _ name: String
    ) throws(MediaError) -> VideoItem {
        guard let asset = assets.first(where: { $0.path == item.mediaPath }) else { return item }
        let item = try covering(item, name, in: asset)
        guard let kind = item.follow else { return item }
        let (followed, why) = try item.following(kind, in: asset)
        if let followed {
            if let why { warnings.append("\(name): \(why)") }
            return followed
        }
        warnings.append(
            "\(name): no \(kind.rawValue) is followed, because \(why ?? "nothing is known")")
        var plain = item
        plain.follow = nil
        return plain
    }

    /// A clip with effects on what was detected in the place of those that follow it. One that cannot know what it should
    /// cover is refused: a film that shows what nobody should see helps nobody.
    private mutating func covering(
        _ item: VideoItem, _ name: String, in asset: Asset
    ) throws(MediaError) -> VideoItem {
        var item = item
        var effects: [ClipEffect] = []
        for (index, effect) in item.effects.enumerated() {
            guard let kind = effect.follow else {
                effects.append(effect)
                continue
            }
            let what = ItemName.effect(index, of: name)
            let (found, why) = item.covering(effect, kind, in: asset)
            guard let found else {
                throw .setting(
                    what,
                    "\(what) follows each \(kind.rawValue), which is not known: \(why ?? "nothing was detected"); give the effect "
                        + "to other clips only, or take this one out"
                )
            }
            if let why { warnings.append("\(what): \(why)") }
            if found.isEmpty {
                warnings.append("\(what) changes nothing: no \(kind.rawValue) was detected")
            }
            effects += found
        }
        item.effects = effects
        return item
    }

    /// - Throws: what `TimelineBuilder.film()` throws.
    public func film() throws(MediaError) -> Film {
        let builder = TimelineBuilder(followed, assets: assets)
        var film = try builder.film()
        film.notes = notes + film.notes
        let unfinished = assets.flatMap { $0.unfinished(becoming: "shown") }
        film.warnings = warnings + unfinished + film.incompleteness + film.warnings
        if let video = film.videoComposition {
            let clips = try builder.placedClips() + builder.placedOverlays().joined()
            film.warnings += try rateLosses(clips, video)
        }
        return film
    }

    /// A file that several items name is read for each way to read it.
    private mutating func loadSubtitles() throws(MediaError) {
        var requests: [String: [SubtitleFile.Request]] = [:]
        for item in timeline.subtitles
        where !(requests[item.path]?.contains(item.request) ?? false) {
            requests[item.path, default: []].append(item.request)
        }
        var seen: Set<String> = []
        for item in timeline.subtitles where seen.insert(item.path).inserted {
            assets.append(try Asset.subtitles(item.path, requests[item.path] ?? []))
        }
    }

    private mutating func load(_ path: String) throws(MediaError) {
        let asset = try Asset.media(path)
        guard let name = timeline.clipName(of: path), asset.tracks.contains(where: \.isStill) else {
            return assets.append(asset)
        }
        do throws(MediaError) {
            guard let live = try LivePhoto.find(path) else { return assets.append(asset) }
            assets.append(live.movie)
            timeline.replace(path, by: live.movie.path)
            notes.append("\(name): it is a live photo, whose film is shown")
        } catch {
            // messengers take the film away and leave the promise
            warnings.append("\(name) is shown as a still picture: \(error.message)")
            assets.append(asset)
        }
    }
}

extension VideoItem {
    /// Whether it, or an effect of it, follows what was detected.
    fileprivate var followsSomething: Bool {
        follow != nil || effects.contains { $0.follow != nil }
    }
}

extension Timeline {
    /// How messages call the first clip of a file; nil: it is no clip's.
    fileprivate func clipName(of path: String) -> String? {
        if let index = videos.firstIndex(where: { $0.mediaPath == path }) {
            return ItemName.clip(index, videos[index])
        }
        for (number, track) in overlays.enumerated() {
            if let index = track.videos.firstIndex(where: { $0.mediaPath == path }) {
                return ItemName.overlay(
                    number, index, of: track.videos.count, track.videos[index])
            }
        }
        return nil
    }

    /// Makes clips of one file clips of another.
    fileprivate mutating func replace(_ path: String, by other: String) {
        for index in videos.indices where videos[index].mediaPath == path {
            videos[index].path = other
        }
        for track in overlays.indices {
            for index in overlays[track].videos.indices
            where overlays[track].videos[index].mediaPath == path {
                overlays[track].videos[index].path = other
            }
        }
    }
}
