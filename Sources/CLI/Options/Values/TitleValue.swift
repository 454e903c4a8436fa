import Compose
import Media

/// A title as it is typed: a text, and keys: `Anna Smith\\nDirector,style=lower-third-line,at=5s`.
struct TitleValue: Sendable, Equatable {
    /// With line feeds.
    let words: String
    /// In order.
    let keys: [KeyText]

    /// A backslash makes of `n` a line feed, which is hard to type, and of a comma or another backslash one of the
    /// text's own; before anything else it is itself.
    static func lines(of typed: String) -> String {
        var text = ""
        var rest = typed[...]
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.first, "n,\\".contains(next) else {
                text.append(character)
                continue
            }
            rest.removeFirst()
            text.append(next == "n" ? "\n" : next)
        }
        return text
    }
}

extension ValueKind where Value == TitleValue {
    static var addedTitle: ValueKind {
        ValueKind(
            "TEXT[,KEY=VALUE]…",
            expected: "a text, or with keys such as \"Anna Smith,style=lower-third,at=5s\""
        ) { text in
            let (words, keys) = KeyText.split(text, keepsFirst: false, escapes: true)
            return TitleValue(words: TitleValue.lines(of: words), keys: keys)
        }
    }
}

extension ValueKind where Value == TitleStyle {
    static var titleStyle: ValueKind {
        let words = TitleStyle.allCases.map(\.rawValue)
        return ValueKind(
            "STYLE", expected: "one of " + words.joined(separator: ", "), completion: .words(words),
            parse: TitleStyle.init(rawValue:))
    }
}
