/// One track of a file on disk, or of a generator.
public struct MediaSource: Sendable, Hashable {
    /// The file. That of a generator ends in a slash, as no file's does.
    public var path: String
    /// The container's number of the track (`AssetTrack.id`).
    public var trackID: Int

    public init(path: String, trackID: Int) {
        self.path = path
        self.trackID = trackID
    }

    /// Whether it is no file's.
    var isGenerated: Bool { path.hasSuffix("/") }
}
