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

    /// Counts one frame.
    package mutating func count(_ frame: FrameFiltering) {
        switch frame.outcome {
        case .processed: processed += 1
        case .late: late += 1
        case .failed: failed += 1
        }
        covered += frame.covered
        failure = frame.failure ?? failure
    }
}

extension [FilterCounts] {
    /// Counts what the filters of a source did with one frame, in their order.
    package mutating func count(_ frame: [FrameFiltering]) {
        for (index, filtering) in frame.enumerated() {
            if index == count {
                append(FilterCounts(name: filtering.name, fallback: filtering.fallback))
            }
            self[index].count(filtering)
        }
    }
}
