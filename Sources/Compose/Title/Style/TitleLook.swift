/// What a ready title style leaves to taste.
public struct TitleLook: Sendable, Hashable {
    /// A family's name (default "Sans").
    public var family: String
    /// Of the letters (default white).
    public var color: Color
    /// Of bars and boxes (default a warm orange).
    public var accent: Color
    /// Whether characters that no installed font has may show as boxes (default no).
    public var allowsMissingGlyphs: Bool

    public init(
        family: String = "Sans", color: Color = .white,
        accent: Color = Color(red: 0.95, green: 0.45, blue: 0.1), allowsMissingGlyphs: Bool = false
    ) {
        self.family = family
        self.color = color
        self.accent = accent
        self.allowsMissingGlyphs = allowsMissingGlyphs
    }
}
