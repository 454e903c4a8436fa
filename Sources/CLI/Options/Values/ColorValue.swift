import Compose

extension ValueKind where Value == Color {
    /// A colour that may be transparent in part.
    static var colorAndOpacity: ValueKind {
        ValueKind(
            "COLOR", expected: "a colour such as white, #ff8800 or #ff880080",
            completion: .words(Color.named.map(\.name))
        ) { Self.color.parse($0) ?? Color(projectText: $0) }
    }

    /// `white`, `black` and a few more by name, or `#rrggbb`.
    static var color: ValueKind {
        ValueKind(
            "COLOR", expected: "a colour such as white or #ff8800",
            completion: .words(Color.named.map(\.name))
        ) { text in
            let lower = text.lowercased()
            if let known = Color.named.first(where: { $0.name == lower }) { return known.color }
            var digits = String(lower.hasPrefix("#") ? lower.dropFirst() : lower[...])
            // "#f80" is short for "#ff8800"
            if lower.hasPrefix("#"), digits.count == 3 {
                digits = digits.map { "\($0)\($0)" }.joined()
            }
            guard digits.utf8.count == 6, let code = UInt32(digits, radix: 16) else { return nil }
            return Color(code: code)
        }
    }
}

/// What lies behind transparent frames.
enum WantedBackground: Sendable, Equatable {
    case color(Color)
    /// Nothing: they stay transparent.
    case none
}

extension ValueKind where Value == WantedBackground {
    /// `white`, `#rrggbb`, `none`.
    static var background: ValueKind {
        let color = ValueKind<Color>.color
        return ValueKind(
            "COLOR|none", expected: "a colour such as white or #ff8800, or none",
            completion: .words(Color.named.map(\.name) + ["none"])
        ) { text in
            text.lowercased() == "none"
                ? WantedBackground.none : color.parse(text).map { .color($0) }
        }
    }
}

extension Color {
    fileprivate static let named: [(name: String, color: Color)] = [
        ("black", .black), ("white", .white), ("gray", Color(code: 0x808080)),
        ("red", Color(code: 0xFF0000)), ("green", Color(code: 0x008000)),
        ("blue", Color(code: 0x0000FF)), ("yellow", Color(code: 0xFFFF00)),
    ]

    /// From 0xRRGGBB.
    fileprivate init(code: UInt32) {
        func part(_ shift: UInt32) -> Double { Double(code >> shift & 255) / 255 }
        self.init(red: part(16), green: part(8), blue: part(0))
    }
}
