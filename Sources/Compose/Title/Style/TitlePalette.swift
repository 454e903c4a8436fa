/// A theme's colours, so that letters can be read on their boxes over any picture.
struct TitlePalette {
    /// Of letters on the ground.
    let ink: Color
    let ground: Color
    /// Of lines and marks.
    let accent: Color
    /// Of small letters on the ground: the accent, towards the ink as far as it must be.
    let accentInk: Color
    /// Boxes of the accent's colour, and the letters on them.
    let block: Color
    let blockInk: Color

    init(_ theme: TitleTheme) {
        let ink = theme.color.opaque
        let ground = Self.box(theme.ground, under: ink)
        (self.ink, self.ground, accent) = (ink, ground, theme.accent)
        blockInk = ink.readable(on: theme.accent.opaque)
        block = Self.box(theme.accent, under: blockInk)
        accentInk =
            stride(from: 0, through: 1, by: 0.125).lazy
            .map { theme.accent.opaque.mixed(with: ink, $0) }
            .first { Self.isReadable($0, on: ground) } ?? ink
    }

    /// The box itself where letters can be read on it, else a black or white one; more opaque where what lies
    /// behind it could show too much.
    private static func box(_ box: Color, under ink: Color) -> Color {
        var result = box
        if ink.contrast(to: box.opaque) < Color.readableContrast {
            result = Color.black.contrast(to: ink) > Color.white.contrast(to: ink) ? .black : .white
            result.alpha = box.alpha
        }
        while result.alpha < 1, !isReadable(ink, on: result) {
            result.alpha = min(1, result.alpha + 0.02)
        }
        return result
    }

    private static func isReadable(_ ink: Color, on box: Color) -> Bool {
        [Color.black, .white].allSatisfy {
            ink.contrast(to: box.opaque.mixed(with: $0, 1 - box.alpha)) >= Color.readableContrast
        }
    }
}

extension Color {
    var opaque: Color { Color(red: red, green: green, blue: blue) }

    /// Without opacity, by their sRGB values.
    func mixed(with other: Color, _ share: Double) -> Color {
        func mix(_ one: Double, _ two: Double) -> Double { one + (two - one) * share }
        return Color(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
