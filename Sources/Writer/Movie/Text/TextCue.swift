public import Media

/// A text and when it is shown.
public struct TextCue: Sendable, Hashable {
    /// Movie time.
    public var timeRange: MediaTimeRange
    /// Lines divided by line feeds, without styles.
    public var text: String

    /// Longest text (bytes of UTF-8): as long as a `tx3g` sample can be.
    public static let longestText = 65_535

    public init(timeRange: MediaTimeRange, text: String) {
        self.timeRange = timeRange
        self.text = text
    }
}
