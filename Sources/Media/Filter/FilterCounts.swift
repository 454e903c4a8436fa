/// What a filter did with the frames that came to it.
public struct FilterCounts: Sendable, Hashable, Codable {
    /// The processor's.
    public var name: String
    /// Frames that it processed (frames).
    public var processed = 0
    /// What it covered or replaced in all of them (count).
    public var covered = 0
    /// Frames that its fallback stands for, because it took too long (frames).
    public var late = 0
    /// Frames that its fallback stands for, because it failed (frames).
    public var failed = 0
    /// What stands for them.
    public var fallback: FrameFallback
    /// Why it failed last; `nil` while it has not.
    public var failure: String?

    /// - Parameters:
    ///   - name: the processor's.
    ///   - fallback: what stands for frames that are not processed.
    public init(name: String, fallback: FrameFallback) {
        (self.name, self.fallback) = (name, fallback)
    }

    /// Frames that its fallback stands for (frames).
    public var unprocessed: Int { late + failed }

    /// Without what was counted before.
    package func since(_ before: FilterCounts) -> FilterCounts {
        var counts = self
        counts.processed -= before.processed
        counts.covered -= before.covered
        counts.late -= before.late
        counts.failed -= before.failed
        if counts.failed == 0 { counts.failure = nil }
        return counts
    }
}
