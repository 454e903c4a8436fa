import Compose
import Media

/// A clip as it is typed: a file, perhaps with the part that is used, and that it plays backwards:
/// `take.mp4@5s..20s@reverse`.
struct ClipValue: Sendable, Equatable {
    var path: String
    var span: TimeSpan?
    var isReversed = false

    /// The word behind a clip that plays backwards.
    private static let backwards = "@reverse"

    init(path: String, span: TimeSpan? = nil) {
        self.path = path
        self.span = span
    }

    init(_ typed: String) {
        var text = typed[...]
        if text.hasSuffix(Self.backwards), text.count > Self.backwards.count {
            isReversed = true
            text.removeLast(Self.backwards.count)
        }
        if let at = text.lastIndex(of: "@"), at != text.startIndex,
            let span = ValueKind<TimeSpan>.timeSpan.parse(String(text[text.index(after: at)...]))
        {
            path = String(text[..<at])
            self.span = span
        } else {
            path = String(text)
        }
    }

    /// The clip in a film.
    var item: VideoItem {
        var item = VideoItem(path)
        item.start = span?.start ?? .zero
        item.end = span?.end
        item.isReversed = isReversed
        return item
    }

    /// Of a text such as `take.mp4@2s`: the file that is there, and what stands behind it; nil elsewhere.
    /// - Parameter isThere: whether a file is.
    static func misspelt(
        _ text: String, isThere: (String) -> Bool
    ) -> (path: String, rest: String)? {
        guard !isThere(text) else { return nil }
        return text.indices.lazy.filter { text[$0] == "@" && $0 != text.startIndex }
            .map { (String(text[..<$0]), String(text[$0...])) }
            .first { isThere($0.0) }
    }

    /// Of a text such as `take.mp4@20s..5s`: the file and the part, which ends before it begins; nil elsewhere.
    static func mistaken(_ typed: String) -> (path: String, part: String)? {
        let text = typed.hasSuffix(backwards) ? String(typed.dropLast(backwards.count)) : typed
        guard let at = text.lastIndex(of: "@"), at != text.startIndex else { return nil }
        let part = String(text[text.index(after: at)...])
        guard let dots = part.firstRange(of: ".."),
            let start = MediaTime(typed: String(part[..<dots.lowerBound])),
            let end = MediaTime(typed: String(part[dots.upperBound...])), end <= start
        else { return nil }
        return (String(text[..<at]), part)
    }
}
