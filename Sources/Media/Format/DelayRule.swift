/// What becomes of an animation's delays that are too short to be meant: one that is shorter than `least`
/// becomes `substitute`.
public struct DelayRule: Sendable, Hashable {
    /// The shortest delay that is taken at its word (seconds; not negative).
    public var least: MediaTime
    /// What a shorter one becomes (seconds; positive).
    public var substitute: MediaTime

    public init(least: MediaTime, substitute: MediaTime) {
        (self.least, self.substitute) = (least, substitute)
    }

    /// As browsers have it: what is stated to last 10 ms or less lasts 100 ms.
    public static let browsers = DelayRule(
        least: .milliseconds(11), substitute: .milliseconds(100))

    /// No frame for less than a time (seconds; positive).
    public static func atLeast(_ shortest: MediaTime) -> DelayRule {
        DelayRule(least: shortest, substitute: shortest)
    }
}
