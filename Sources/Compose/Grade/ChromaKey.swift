internal import Media

/// Makes a clip transparent where it has the colour of the screen that it was taken before.
///
/// What counts is a colour's difference: how far its chroma goes the way of the screen's, less how far it goes aside.
/// It is 1 on the screen, less in its shadows, and 0 for greys and for all colours that are further from the screen's hue
/// than 45°. A pixel that the screen and a grey share has the share of the screen, so that hair and blurred edges come out
/// as they were mixed.
public struct ChromaKey: Sendable, Hashable {
    /// Of the screen.
    public var color: Color
    /// How much darker or greyer than the screen's colour something is that vanishes all the same (0…1; default 0.4).
    public var tolerance: Double
    /// How much further a colour is from the screen's that stays whole; between the two it shows in part (0…1; default
    /// 0.4).
    public var softness: Double
    /// How much of the screen's light is taken from what remains (0…1; default 1).
    public var spill: Double

    public init(
        _ color: Color = ChromaKey.green, tolerance: Double = 0.4, softness: Double = 0.4,
        spill: Double = 1
    ) {
        self.color = color
        self.tolerance = tolerance
        self.softness = softness
        self.spill = spill
    }

    /// Usual screens.
    public static let green = Color(red: 0, green: 177.0 / 255, blue: 64.0 / 255)
    public static let blue = Color(red: 0, green: 71.0 / 255, blue: 187.0 / 255)

    /// By their names in projects and options.
    static let screens: [(name: String, color: Color)] = [("green", green), ("blue", blue)]

    /// Least chroma of a colour that differs from greys (of sRGB's, as shares of the most).
    private static let leastChroma = 0.1

    func validate(_ name: String) throws(MediaError) {
        try color.validate("the key colour of \(name)")
        guard color.alpha == 1 else {
            throw .setting(
                name,
                "the key colour of \(name) is not opaque, and a screen's is; leave its opacity out")
        }
        let (most, least) = (
            max(color.red, color.green, color.blue), min(color.red, color.green, color.blue)
        )
        guard most - least >= Self.leastChroma else {
            throw .setting(
                name,
                "the key colour of \(name) is a grey, which has no hue; give it the screen's colour, such as "
                    + "green")
        }
        try checkRange("tolerance of the key of \(name)", tolerance, 0...1, name)
        try checkRange("softness of the key of \(name)", softness, 0...1, name)
        try checkRange("spill of the key of \(name)", spill, 0...1, name)
    }
}
