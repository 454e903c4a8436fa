public import Media

/// A film as a person describes it: clips one after the other with transitions, titles, voices and music
/// over them. `TimelineBuilder` makes the `Film` of it.
public struct Timeline: Sendable, Hashable {
    public var settings: TimelineSettings
    /// In order; each follows the one before it.
    public var videos: [VideoItem]
    /// Tracks of clips over those, each over the one before it. The film lasts until the last of all clips ends.
    public var overlays: [OverlayTrack]
    /// Over the frames, the last one in front.
    public var titles: [TitleItem]
    /// What is spoken over the film.
    public var voiceOvers: [AudioItem]
    public var music: [AudioItem]
    /// Turns the music down; nil: it stays as loud.
    public var ducking: MusicDucking?
    public var watermark: Watermark?
    public var chapters: [Chapter]
    /// Files of subtitles: tracks of text, in their order, or drawn into the frames (default none).
    public var subtitles: [SubtitleItem] = []
    /// What becomes of those that the clips bring along (default tracks).
    public var clipSubtitles = ClipSubtitles.tracks
    /// How those are drawn that have no styles of their own.
    public var clipSubtitleLook = SubtitleLook()
    /// Font files, or folders of them, which are registered when the timeline is loaded (default none).
    public var fonts: [String] = []
    /// How long the background shows after the last clip (seconds; default 0).
    public var gapAtEnd: MediaTime
    /// Where the part that is exported begins and ends (seconds of the film; nil: where the film does).
    public var inPoint: MediaTime?
    public var outPoint: MediaTime?

    public init(
        settings: TimelineSettings = TimelineSettings(), videos: [VideoItem] = [],
        titles: [TitleItem] = [], voiceOvers: [AudioItem] = [], music: [AudioItem] = [],
        ducking: MusicDucking? = nil, watermark: Watermark? = nil, chapters: [Chapter] = [],
        gapAtEnd: MediaTime = .zero, inPoint: MediaTime? = nil, outPoint: MediaTime? = nil,
        overlays: [OverlayTrack] = []
    ) {
        self.settings = settings
        self.videos = videos
        self.titles = titles
        self.voiceOvers = voiceOvers
        self.music = music
        self.ducking = ducking
        self.watermark = watermark
        self.chapters = chapters
        self.gapAtEnd = gapAtEnd
        self.inPoint = inPoint
        self.outPoint = outPoint
        self.overlays = overlays
    }

    /// The movies and sounds that the builder needs as assets, each once, in the order of use.
    public var mediaPaths: [String] {
        var seen: Set<String> = []
        return
            ((videos + overlays.flatMap(\.videos)).filter { $0.generator == nil }.map(\.mediaPath)
            + (voiceOvers + music).map(\.path))
            .filter { seen.insert($0).inserted }
    }

    /// The picture files of its transitions, each once, in the order of use.
    public var transitionImagePaths: [String] {
        var seen: Set<String> = []
        return joins.flatMap(\.transition.imagePaths).filter { seen.insert($0).inserted }
    }
}

extension Timeline {
    /// Its transitions, by the names that messages give them.
    private var joins: [(name: String, transition: Transition)] {
        videos.enumerated().map { (ItemName.transition($0, $1), $1.transition) }
            + overlays.enumerated().flatMap { number, track in
                track.videos.enumerated().map { index, item in
                    let name = ItemName.overlay(number, index, of: track.videos.count, item)
                    return (ItemName.transition(to: name), item.transition)
                }
            }
    }

    /// The first clip with effects that no project holds.
    var clipWithEffects: String? {
        let items =
            videos.enumerated().map { (ItemName.clip($0, $1), $1) }
            + overlays.enumerated().flatMap { number, track in
                track.videos.enumerated().map {
                    (ItemName.overlay(number, $0, of: track.videos.count, $1), $1)
                }
            }
        return items.first {
            $0.1.grades.contains { !$0.effects.isEmpty }
                || $0.1.effects.contains { !$0.isOfProjects }
        }?.0
    }

    /// How messages call the first transition that is an effect of somebody's own; nil: there is none.
    var customTransition: String? { joins.first { $0.transition.isCustom }?.name }

    /// - Throws: what opening the picture of a transition throws, naming both.
    func checkTransitionImages() throws(MediaError) {
        for (name, transition) in joins {
            for path in transition.imagePaths {
                do throws(MediaError) {
                    if case .luma = transition.kind {
                        try StillLuma.check(path)
                    } else {
                        try StillPicture.check(path)
                    }
                } catch {
                    throw MediaError(
                        code: error.code, function: error.function, subject: path,
                        errno: error.errno, message: "the picture of \(name): \(error.message)")
                }
            }
        }
    }
}
