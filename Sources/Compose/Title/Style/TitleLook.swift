/// What a title has of its own, in the place of its film's theme.
public struct TitleLook: Sendable, Hashable {
    /// A family's name, of all its lines.
    public var family: String?
    /// Of the letters.
    public var color: Color?
    /// Of lines, bars and boxes.
    public var accent: Color?
    /// Whether characters that no installed font has may show as boxes (default no).
    public var allowsMissingGlyphs: Bool

    /// - Parameters: nil: the theme's.
    public init(
        family: String? = nil, color: Color? = nil, accent: Color? = nil,
        allowsMissingGlyphs: Bool = false
    ) {
        self.family = family
        self.color = color
        self.accent = accent
        self.allowsMissingGlyphs = allowsMissingGlyphs
    }

    /// The theme with what the look says.
    func over(_ theme: TitleTheme) -> TitleTheme {
        var theme = theme
        if let family { (theme.family, theme.headingFamily) = (family, nil) }
        theme.color = color ?? theme.color
        theme.accent = accent ?? theme.accent
        return theme
    }
}
