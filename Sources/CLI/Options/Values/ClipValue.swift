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

    /// Of a text such as `take.mp4@20s..5s`: the file and the part, which ends before it begins; nil elsewhere.
    static func reversed(_ text: String) -> (path: String, part: String)? {
        guard let at = text.lastIndex(of: "@"), at != text.startIndex else { return nil }
        let part = String(text[text.index(after: at)...])
        guard let dots = part.firstRange(of: ".."),
            let start = MediaTime(typed: String(part[..<dots.lowerBound])),
            let end = MediaTime(typed: String(part[dots.upperBound...])), end <= start
        else { return nil }
        return (String(text[..<at]), part)
    }
}
