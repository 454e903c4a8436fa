public import Media

/// A place in the film that players offer to go to.
public struct Chapter: Sendable, Hashable {
    /// When it begins (seconds of the film; not negative).
    public var time: MediaTime
    public var title: String

    public init(_ title: String, at time: MediaTime) {
        self.time = time
        self.title = title
    }
}
