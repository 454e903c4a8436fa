internal import Glibc

extension Color {
    /// The least contrast at which letters are read with ease (WCAG 2.2, 1.4.3).
    static let readableContrast = 4.5

    /// The contrast ratio of two opaque colours (1…21; WCAG 2.2).
    func contrast(to other: Color) -> Double {
        let (one, two) = (relativeLuminance, other.relativeLuminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The colour itself where it can be read on a ground, else black or white, whichever is seen better.
    func readable(on ground: Color) -> Color {
        guard contrast(to: ground) < Self.readableContrast else { return self }
        return Color.black.contrast(to: ground) > Color.white.contrast(to: ground) ? .black : .white
    }

    /// Of sRGB values.
    private var relativeLuminance: Double {
        func linear(_ value: Double) -> Double {
            value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
