/// What one filter did with one frame; it travels with the frame, so that what is counted is what arrived.
public struct FrameFiltering: Sendable, Hashable {
    /// How the frame was settled.
    public enum Outcome: Sendable, Hashable {
        /// The filter made it.
        case processed
        /// The fallback stands for it, because the filter took too long.
        case late
        /// The fallback stands for it, because the filter failed.
        case failed
    }

    /// The processor's.
    public var name: String
    /// What stands for frames that are not processed.
    public var fallback: FrameFallback
    public var outcome: Outcome
    /// What was covered or replaced in it (count).
    public var covered: Int
    /// Why the filter failed on it; `nil` where it did not.
    public var failure: String?

    /// - Parameters:
    ///   - name: the processor's.
    ///   - fallback: what stands for frames that are not processed.
    ///   - outcome: how this one was settled.
    ///   - covered: what was covered in it (count).
    ///   - failure: why the filter failed on it.
    public init(
        name: String, fallback: FrameFallback, outcome: Outcome, covered: Int = 0,
        failure: String? = nil
    ) {
        (self.name, self.fallback, self.outcome) = (name, fallback, outcome)
        (self.covered, self.failure) = (covered, failure)
    }
}
