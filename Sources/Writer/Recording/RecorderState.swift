/// Where a recording is in its life.
public enum RecorderState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Built, not started.
    case idle
    /// Started; not every source has delivered yet.
    case waitingForSources = "waiting-for-sources"
    case recording
    case paused
    /// The end is set; the last samples are being written and the file closed.
    case stopping
    case finished
    case failed

    /// Whether nothing can change any more.
    public var isOver: Bool { self == .finished || self == .failed }
}
