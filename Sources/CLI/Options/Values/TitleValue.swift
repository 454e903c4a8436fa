import Compose
import Media

/// A title as it is typed: a text, and keys: `Anna Smith\\nDirector,style=lower-third-line,at=5s`.
struct TitleValue: Sendable, Equatable {
    /// With line feeds.
    let words: String
    /// In order.
    let keys: [Key]

    struct Key: Sendable, Equatable {
        let name: String
        let value: String
    }

    /// Two characters stand for a line feed, which is hard to type.
    static func lines(of typed: String) -> String { typed.replacing("\\n", with: "\n") }
}

extension ValueKind where Value == TitleValue {
    static var addedTitle: ValueKind {
        ValueKind(
            "TEXT[,KEY=VALUE]…",
            expected: "a text, or with keys such as \"Anna Smith,style=lower-third,at=5s\""
        ) { text in
            var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            var keys: [TitleValue.Key] = []
            // a text may hold commas of its own
            while let last = parts.last, let key = TitleValue.Key(typed: last) {
                keys.insert(key, at: 0)
                parts.removeLast()
            }
            return TitleValue(
                words: TitleValue.lines(of: parts.joined(separator: ",")), keys: keys)
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

extension TitleValue.Key {
    /// `key=value`.
    fileprivate init?(typed text: String) {
        let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(pair[0])
        guard pair.count == 2, !name.isEmpty,
            name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0 == "-") })
        else { return nil }
        self.init(name: name, value: String(pair[1]))
    }
}
