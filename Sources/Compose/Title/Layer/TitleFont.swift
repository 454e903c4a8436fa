/// Which letters text is set in. A family that is not installed is replaced, with a warning.
public struct TitleFont: Sendable, Hashable, Codable {
    public enum Style: String, Sendable, Hashable, CaseIterable, Codable {
        case normal, italic, oblique
    }

    /// A family's name, or several separated by commas in the order of preference (default "Sans").
    public var family: String
    /// Size of the em square (pixels; positive, at most 10,000).
    public var size: Double
    /// 100 (thin) … 1000 (heaviest); 400 is regular, 700 bold.
    public var weight: Int
    public var style: Style

    public init(
        family: String = "Sans", size: Double = 48, weight: Int = 400, style: Style = .normal
    ) {
        self.family = family
        self.size = size
        self.weight = weight
        self.style = style
    }
}
