import Media

/// A text and an instant: `Party@1m30s`; without `@` at the beginning.
struct PlacedText: Sendable, Equatable {
    var text: String
    var time: MediaTime
}

extension ValueKind where Value == PlacedText {
    static var placedText: ValueKind {
        ValueKind("TEXT[@TIME]", expected: "a text and a time, such as Party@1m30s") { text in
            // a text may hold an @ of its own
            guard let at = text.lastIndex(of: "@"),
                let instant = MediaTime(typed: text[text.index(after: at)...])
            else { return text.isEmpty ? nil : PlacedText(text: text, time: .zero) }
            let words = String(text[..<at])
            return words.isEmpty ? nil : PlacedText(text: words, time: instant)
        }
    }
}
