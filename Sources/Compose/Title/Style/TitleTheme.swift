/// Fonts and colours that all titles of a film share, but for what a title says itself.
public struct TitleTheme: Sendable, Hashable {
    /// A family's name, or several in the order of preference.
    public var family: String
    /// Of large lines; nil: `family`.
    public var headingFamily: String?
    /// Of the letters.
    public var color: Color
    /// Of lines, blocks and small words.
    public var accent: Color
    /// Of boxes and cards behind letters; it becomes more opaque where letters could not be read on it.
    public var ground: Color

    public init(
        family: String = "Sans", headingFamily: String? = nil, color: Color = .white,
        accent: Color = Color(red: 242.0 / 255, green: 115.0 / 255, blue: 26.0 / 255),
        ground: Color = Color(red: 0, green: 0, blue: 0, alpha: 184.0 / 255)
    ) {
        self.family = family
        self.headingFamily = headingFamily
        self.color = color
        self.accent = accent
        self.ground = ground
    }

    /// White on dark with orange, in whatever font "Sans" is.
    public static let plain = TitleTheme()
    /// White and amber on navy.
    public static let studio = TitleTheme(
        family: "Noto Sans, Sans", headingFamily: "Noto Sans Display, Noto Sans, Sans",
        accent: Color(bytes: 0xFF, 0xB2, 0x1E),
        ground: Color(bytes: 0x0E, 0x1B, 0x2E, alpha: 235.0 / 255))
    /// Ink and brick red on paper, with serifs.
    public static let paper = TitleTheme(
        family: "Noto Serif, Serif", headingFamily: "Noto Serif Display, Noto Serif, Serif",
        color: Color(bytes: 0x24, 0x1D, 0x18), accent: Color(bytes: 0xA8, 0x3A, 0x22),
        ground: Color(bytes: 0xFA, 0xF5, 0xEA, alpha: 245.0 / 255))
    /// White and lime on black, condensed.
    public static let signal = TitleTheme(
        family: "DejaVu Sans Condensed, DejaVu Sans, Sans", accent: Color(bytes: 0xC8, 0xF0, 0x2C),
        ground: Color(bytes: 0x0B, 0x0B, 0x0C, alpha: 240.0 / 255))

    /// What is seen on most pictures without a box: the letters, or the ground where that is the lighter one.
    var lightest: Color {
        color.contrast(to: .black) >= ground.opaque.contrast(to: .black) ? color : ground.opaque
    }

    /// The shipped ones by their names in projects and options.
    public static let named: [(name: String, theme: TitleTheme)] = [
        ("plain", plain), ("studio", studio), ("paper", paper), ("signal", signal),
    ]
}

extension Color {
    fileprivate init(bytes red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: Double = 1) {
        self.init(
            red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255,
            alpha: alpha)
    }
}
