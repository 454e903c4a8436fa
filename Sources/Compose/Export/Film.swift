public import Writer

/// A film ready to be exported: what is shown and heard when, and of which sources. Made by
/// `TimelineBuilder`, or by hand.
public struct Film: Sendable {
    public var composition: Composition
    /// How its video tracks become one picture; nil: sound alone.
    public var videoComposition: VideoComposition?
    public var audioMix: AudioMix
    /// Sources that have been read already; others are read when they are needed.
    public var assets: [Asset]
    /// What was conformed and why, one sentence each.
    public var notes: [String]
    /// In order of time.
    public var chapters: [Chapter]

    public init(
        composition: Composition, videoComposition: VideoComposition?,
        audioMix: AudioMix = AudioMix(), assets: [Asset] = [], notes: [String] = [],
        chapters: [Chapter] = []
    ) {
        self.composition = composition
        self.videoComposition = videoComposition
        self.audioMix = audioMix
        self.assets = assets
        self.notes = notes
        self.chapters = chapters
    }
}
