internal import Media

/// What has become of a camera's frames on their way to a preview.
public struct PreviewCounts: Sendable, Hashable {
    /// Frames that were handed over (count).
    public var shown = 0
    /// Frames that came while those before were not taken yet (count): the preview is behind, nobody else.
    public var late = 0
    /// Frames that the camera lost on its own side, or that could not be decoded (count).
    public var lost = 0
    /// What the last interruption says while it lasts; `nil` while frames come.
    public var interruption: String?
    /// How often it was interrupted so far (count).
    public var interruptions = 0
    /// Whether no frames will come any more.
    public var hasEnded = false

    public init() {}

    mutating func take(_ event: SourceEvent) {
        switch event {
        case .sample: interruption = nil
        case .dropped(let drop):
            if drop.cause == .late { late += drop.count } else { lost += drop.count }
        case .interrupted(let what):
            // by intent
            guard what.reason != .disabled else { return }
            interruptions += 1
            interruption = what.message
        case .resumed: interruption = nil
        case .ended: hasEnded = true
        }
    }
}
