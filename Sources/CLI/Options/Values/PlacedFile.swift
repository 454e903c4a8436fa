import Media

/// A file that comes in at an instant: `talk.wav@3s`; without `@` at the beginning.
struct PlacedFile: Sendable, Equatable {
    var path: String
    var time: MediaTime
}

extension ValueKind where Value == PlacedFile {
    static var placedFile: ValueKind {
        ValueKind(
            "FILE[@TIME]", expected: "a file and when it comes in, such as talk.wav@3s",
            completion: .files
        ) { text in
            guard let at = text.lastIndex(of: "@") else {
                return text.isEmpty ? nil : PlacedFile(path: text, time: .zero)
            }
            let (path, time) = (String(text[..<at]), text[text.index(after: at)...])
            // a name may hold an @ of its own
            guard let instant = MediaTime(typed: time) else {
                return PlacedFile(path: text, time: .zero)
            }
            return path.isEmpty ? nil : PlacedFile(path: path, time: instant)
        }
    }
}
