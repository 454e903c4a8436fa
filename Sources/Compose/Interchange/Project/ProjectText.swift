internal import Media

/// Texts that stand for values in a project.
enum ProjectText {
    /// A positive number, exactly: `2`, `0.5`, `30000/1001`.
    static func ratio(_ text: String) -> (Int32, Int32)? {
        let number =
            text.contains("/") ? ExactNumber(rational: text) : ExactNumber(decimal: text)
        return number?.small
    }

    /// The shortest text read as a ratio: a decimal of at most nine digits, or a rational.
    static func text(_ value: Int32, per: Int32) -> String {
        MediaTime(value: Int64(value), timescale: per).projectText
    }

    /// A number of hertz with its unit: `80Hz`, `62.5 Hz`.
    static func frequency(_ text: String) -> Double? {
        guard text.lowercased().hasSuffix("hz") else { return nil }
        var digits = text.dropLast(2)
        if digits.last == " " { digits.removeLast() }
        guard digits.utf8.count <= 22, digits.utf8.first.map(\.isDigit) ?? false,
            digits.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(digits)
    }

    static let heights = [
        "480p": (854, 480), "540p": (960, 540), "720p": (1280, 720), "1080p": (1920, 1080),
        "1440p": (2560, 1440), "2160p": (3840, 2160), "4k": (3840, 2160),
    ]

    static func size(_ text: String) -> PixelSize? {
        if let (width, height) = heights[text.lowercased()] {
            return PixelSize(width: width, height: height)
        }
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 11,
            parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }), let width = Int(parts[0]),
            let height = Int(parts[1]), width > 0, height > 0, width % 2 == 0, height % 2 == 0,
            width <= 32_768, height <= 32_768, width * height <= VideoComposition.mostPixels
        else { return nil }
        return PixelSize(width: width, height: height)
    }
}

extension Color {
    static let projectNames: [(String, Color)] = [
        ("black", .black), ("white", .white), ("clear", .clear),
        ("red", Color(red: 1, green: 0, blue: 0)), ("green", Color(red: 0, green: 1, blue: 0)),
        ("blue", Color(red: 0, green: 0, blue: 1)), ("yellow", Color(red: 1, green: 1, blue: 0)),
        ("gray", Color(red: 0.5, green: 0.5, blue: 0.5)),
    ]

    /// Reads `#rrggbb`, `#rrggbbaa`, `#rgb` or a name; nil when it is neither.
    public init?(projectText text: String) {
        if let known = Self.projectNames.first(where: { $0.0 == text.lowercased() }) {
            self = known.1
            return
        }
        var digits = String(text.dropFirst())
        if digits.utf8.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
        guard text.hasPrefix("#"), digits.utf8.count == 6 || digits.utf8.count == 8,
            digits.utf8.allSatisfy({ $0 < 0x80 }), let value = UInt32(digits, radix: 16)
        else { return nil }
        let full = digits.utf8.count == 8 ? value : value << 8 | 0xFF
        func part(_ shift: UInt32) -> Double { Double(full >> shift & 0xFF) / 255 }
        self.init(red: part(24), green: part(16), blue: part(8), alpha: part(0))
    }

    /// A name or `#rrggbb`; colours between two steps of 8 bits go to the nearer one.
    public var projectText: String {
        if let known = Self.projectNames.first(where: { $0.1 == self }) { return known.0 }
        func digits(_ part: Double) -> String {
            let hex = String(Int((min(max(part, 0), 1) * 255).rounded()), radix: 16)
            return hex.count == 1 ? "0" + hex : hex
        }
        return "#" + digits(red) + digits(green) + digits(blue)
            + (alpha < 1 ? digits(alpha) : "")
    }
}
