public import Media
public import Reading

/// A film ready to be exported: what is shown and heard when, and of which sources. Made by
/// `TimelineBuilder`, or by hand.
public struct Film: Sendable {
    public var composition: Composition
    /// How its video tracks become one frame; nil: as they lie in the composition. Audio alone is a matter of
    /// the preset.
    public var videoComposition: VideoComposition?
    public var audioMix: AudioMix
    /// Sources that have been read already; others are read when they are needed.
    public var assets: [Asset]
    /// What was conformed and why, one sentence each.
    public var notes: [String]
    /// What the film does not have of its sources, or cannot show well, one sentence each.
    public var warnings: [String]
    /// In order of time.
    public var chapters: [Chapter]
    /// Clips whose frames cannot be read, one sentence each. Their audio only can be exported; frames of the
    /// film are refused.
    public var unreadPictures: [String] = []
    /// Those of `notes` that do not hold where frames are copied.
    var renderingNotes: Set<String> = []
    /// Those that do not hold where the audio is copied.
    package internal(set) var mixingNotes: Set<String> = []
    /// The time code of its first frame (nil: it has none).
    public var startTimeCode: TimeCode?
    /// What is exported of it where nothing else is asked for (nil: all of it).
    public var range: MediaTimeRange?

    public init(
        composition: Composition, videoComposition: VideoComposition?,
        audioMix: AudioMix = AudioMix(), assets: [Asset] = [], notes: [String] = [],
        warnings: [String] = [], chapters: [Chapter] = []
    ) {
        self.composition = composition
        self.videoComposition = videoComposition
        self.audioMix = audioMix
        self.assets = assets
        self.notes = notes
        self.warnings = warnings
        self.chapters = chapters
    }
}

extension Film {
    /// Every file that is read for it, each once: what it is made of, the pictures of titles, watermarks and
    /// transitions, and the fonts that are registered. Never written over.
    public var inputPaths: [String] {
        var seen: Set<String> = []
        return
            (composition.sourcePaths.flatMap(files(of:)) + (videoComposition?.imagePaths ?? [])
            + FontRegistry.paths)
            .filter { seen.insert($0).inserted }
    }

    /// The numbered pictures that are clips of it and that a new file of this path would belong to; nil: it would to
    /// none.
    package func sequence(joinedBy path: String) -> String? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let folder = MediaRoots.canonical(String(path.dropLast(name.count)).orHere)
        for path in composition.sourcePaths {
            guard let (pattern, _) = ImageSequence.parse(path),
                let numbered = NumberedPath(reading: pattern),
                MediaRoots.canonical(numbered.folder.orHere) == folder,
                numbered.number(of: numbered.folder + name) != nil
            else { continue }
            return pattern
        }
        return nil
    }

    /// A file of the composition, or the pictures of a sequence: those that were loaded, else those that are there.
    private func files(of path: String) -> [String] {
        guard let (pattern, _) = ImageSequence.parse(path) else { return [path] }
        if let known = assets.first(where: { $0.path == path }) { return known.pictureFiles }
        guard let numbered = NumberedPath(reading: pattern) else { return [] }
        return numbered.numbersOnDisk().map(numbered.path)
    }
}

extension String {
    /// A folder as it is typed before a name.
    fileprivate var orHere: String { isEmpty ? "." : self }
}
