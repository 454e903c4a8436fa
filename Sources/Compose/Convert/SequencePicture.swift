public import Media

/// One picture of a sequence and how long it shows.
public struct SequencePicture: Sendable, Hashable {
    /// The picture's file; nil: the background alone.
    public var path: String?
    /// How long it shows (seconds; above 0).
    public var duration: MediaTime

    public init(_ path: String?, duration: MediaTime) {
        self.path = path
        self.duration = duration
    }
}
