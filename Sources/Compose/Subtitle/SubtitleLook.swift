/// How subtitles are drawn that say nothing of it themselves (SubRip, WebVTT, timed text), and those of a SubStation
/// script where its styles are not wanted.
public struct SubtitleLook: Sendable, Hashable {
    /// Where the lines stand; several fill up from there.
    public enum Place: String, Sendable, Hashable, CaseIterable {
        case top, middle, bottom
    }

    /// A family's name; nil: Sans.
    public var family: String?
    /// Height of a line (fraction of the film's shorter side; 0.01…0.5; default 0.075).
    public var size: Double
    /// Of the letters (default white).
    public var color: Color
    /// Around the letters (default black).
    public var outline: Color
    /// Behind the lines; nil: the frame.
    public var box: Color?
    /// Of the lines in the frame (default bottom).
    public var place: Place
    /// From the edge, and from the sides (fraction of the film's shorter side; 0…0.45; default 0.05).
    public var margin: Double

    public init(
        family: String? = nil, size: Double = 0.075, color: Color = .white, outline: Color = .black,
        box: Color? = nil, place: Place = .bottom, margin: Double = 0.05
    ) {
        self.family = family
        self.size = size
        self.color = color
        self.outline = outline
        self.box = box
        self.place = place
        self.margin = margin
    }
}
