/// Which package of Debian and Ubuntu has a font for characters that no installed one has.
enum FontAdvice {
    /// "fonts-noto-cjk", or several joined by "and".
    static func packages(for characters: [Character]) -> String {
        var names: [String] = []
        for scalar in characters.flatMap(\.unicodeScalars) {
            let name = package(for: scalar)
            if !names.contains(name) { names.append(name) }
        }
        return names.joined(separator: " and ")
    }

    private static func package(for scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        // Hangul, Kana, Bopomofo, Han and their punctuation, full and half width forms
        case 0x1100...0x11FF, 0x2E80...0x303F, 0x3040...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFFEF,
            0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFF:
            return "fonts-noto-cjk"
        case _ where scalar.properties.isEmojiPresentation: return "fonts-noto-color-emoji"
        // arrows, mathematics, dingbats and other signs
        case 0x2100...0x2BFF, 0x1D400...0x1D7FF, 0x1F000...0x1FAFF: return "fonts-noto-core"
        // scripts of the supplementary planes, cuneiform and hieroglyphs among them
        case 0x10000...: return "fonts-noto-extra"
        default: return "fonts-noto-core"
        }
    }
}
