public import Media

// For tasks: what reads files, on a thread of its own.

extension Timeline {
    /// A project file's timeline: `ProjectFile.read(_:allowing:)` for tasks.
    /// - Throws: as `ProjectFile.read(_:allowing:)`.
    public init(
        loading project: String, allowing mediaFolders: [String] = []
    ) async throws(MediaError) {
        self = try await NamedThread.run("vcap-load") { () throws(MediaError) in
            try ProjectFile.read(project, allowing: mediaFolders)
        }
    }
}

extension OpenTimelineFile {
    /// As `read(_:allowing:)`, on a thread of its own.
    public static func load(
        _ path: String, allowing mediaFolders: [String] = []
    ) async throws(MediaError) -> (timeline: Timeline, notCarried: [String]) {
        try await NamedThread.run("vcap-load") { () throws(MediaError) in
            try read(path, allowing: mediaFolders)
        }
    }
}

extension LoadedTimeline {
    /// A timeline whose media are loaded on a thread of its own: `init(_:)` for tasks.
    /// - Throws: as `init(_:)`.
    public init(loading timeline: Timeline) async throws(MediaError) {
        self = try await NamedThread.run("vcap-load") { () throws(MediaError) in
            try LoadedTimeline(timeline)
        }
    }
}

extension Conversion {
    /// Frames of files, one after the other, the first one's structure read on a thread of its own:
    /// `init(sequence:settings:)` for tasks.
    /// - Throws: as `init(sequence:settings:)`.
    public init(
        loading sequence: [SequencePicture], settings: ConversionSettings = ConversionSettings()
    ) async throws(MediaError) {
        self = try await NamedThread.run("vcap-load") { () throws(MediaError) in
            try Conversion(sequence: sequence, settings: settings)
        }
    }
}
