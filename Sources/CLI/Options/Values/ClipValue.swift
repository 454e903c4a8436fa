import Media

/// A clip as it is typed: a file, perhaps with the part that is used: `take.mp4@5s..20s`.
struct ClipValue: Sendable, Equatable {
    var path: String
    var span: TimeSpan?

    init(path: String, span: TimeSpan? = nil) {
        self.path = path
        self.span = span
    }

    init(_ text: String) {
        if let at = text.lastIndex(of: "@"), at != text.startIndex,
            let span = ValueKind<TimeSpan>.timeSpan.parse(String(text[text.index(after: at)...]))
        {
            path = String(text[..<at])
            self.span = span
        } else {
            path = text
        }
    }
}
