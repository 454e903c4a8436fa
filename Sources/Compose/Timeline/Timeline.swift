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
            ((videos + overlays.flatMap(\.videos)).map(\.path) + (voiceOvers + music).map(\.path))
            .filter { seen.insert($0).inserted }
    }
}
