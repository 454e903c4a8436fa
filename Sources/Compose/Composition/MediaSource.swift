internal import Reading

/// One track of a file on disk, of a sequence of pictures, or of a generator.
public struct MediaSource: Sendable, Hashable {
    /// The file; of a sequence its address (`ImageSequence.address(of:)`). That of a generator ends in a slash, as no
    /// file's does.
    public var path: String
    /// The container's number of the track (`AssetTrack.id`).
    public var trackID: Int

    public init(path: String, trackID: Int) {
        self.path = path
        self.trackID = trackID
    }

    /// Whether it is a sequence of pictures.
    package var isSequence: Bool { ImageSequence.parse(path) != nil }

    /// What lists and messages call it, without its folders: the file, or the pattern of its pictures.
    package var shortName: String {
        let name = ImageSequence.parse(path)?.pattern ?? path
        return name.split(separator: "/").last.map(String.init) ?? name
    }

    /// Whether it is no file's.
    var isGenerated: Bool { path.hasSuffix("/") }
}
