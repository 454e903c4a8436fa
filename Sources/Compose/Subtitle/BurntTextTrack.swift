/// A text track of a composition whose texts are drawn into the frames.
public struct BurntTextTrack: Sendable, Hashable {
    /// Of the composition.
    public var trackID: Int
    /// Of texts that have no styles of their own.
    public var look: SubtitleLook

    public init(trackID: Int, look: SubtitleLook = SubtitleLook()) {
        self.trackID = trackID
        self.look = look
    }
}
