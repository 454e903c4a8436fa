/// One track of a file on disk.
public struct MediaSource: Sendable, Hashable {
    /// The file.
    public var path: String
    /// The container's number of the track (`AssetTrack.id`).
    public var trackID: Int

    public init(path: String, trackID: Int) {
        self.path = path
        self.trackID = trackID
    }
}
