import Compose
internal import Glibc
import Media
import Reading

/// A clip as it is typed: a file or a generator, perhaps with the part that is used, and that it plays backwards:
/// `take.mp4@5s..20s@reverse`, `bars@..10s`; of numbered pictures with how many a second: `shots/a%04d.png@24fps`.
struct ClipValue: Sendable, Equatable {
    var path: String
    var span: TimeSpan?
    /// In the place of the file.
    var generator: Generator?
    var isReversed = false
    /// Of numbered pictures (1/s); nil: it is a file.
    var sequenceRate: FrameRate?

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
            text = text[..<at]
            self.span = span
        }
        if let at = text.lastIndex(of: "@"), at != text.startIndex,
            let rate = Self.rate(text[text.index(after: at)...])
        {
            text = text[..<at]
            sequenceRate = rate
        }
        path = String(text)
    }

    /// Of a text that names a generator; nil: it is a file's name. Behind `generator:` it always is.
    /// - Parameter whole: all that was typed, which may be a file's name.
    /// - Throws: `usage` where it could be either, and for words that are nearly a generator's.
    static func generated(_ text: String, whole: String) throws(CommandFailure) -> ClipValue? {
        var clip = ClipValue(text)
        let prefix = "generator:"
        let isSaid = clip.path.hasPrefix(prefix)
        let words = isSaid ? String(clip.path.dropFirst(prefix.count)) : clip.path
        let names: [String] = [whole, text, clip.path]
        let file = names.first { access($0, F_OK) == 0 }
        clip.generator = Generator(projectText: words)
        guard clip.generator != nil else {
            let isMeant =
                isSaid
                || ["color:", "gradient:", "bars:", "counter:"].contains { words.hasPrefix($0) }
            guard isMeant, file == nil else { return nil }
            throw CommandFailure(
                .usage,
                "\(clip.path) is no generator, and no file: write one such as color:#336699, "
                    + "gradient:white:#336699:45, bars, bars:ebu, counter or counter:down:10s")
        }
        if let file, !isSaid {
            throw CommandFailure(
                .usage,
                "\(file) is a file here, and the name of a generator: write ./\(file) for the file, or "
                    + "\(prefix)\(words) for the generator")
        }
        return clip
    }

    /// The clip of a film.
    var item: VideoItem {
        var item = generator.map { VideoItem($0) } ?? VideoItem(path)
        item.sequence = sequenceRate.map { ImageSequence(rate: $0) }
        item.start = span?.start ?? .zero
        item.end = span?.end
        item.isReversed = isReversed
        return item
    }

    /// Of a text such as `24fps` or `30000/1001fps`.
    private static func rate(_ text: Substring) -> FrameRate? {
        guard text.hasSuffix("fps") else { return nil }
        return ValueKind<FrameRate>.frameRate.parse(String(text.dropLast(3)))
    }

    /// Whether a name stands for numbered pictures, of which one at least is there.
    static func isPattern(_ path: String) -> Bool {
        NumberedPath(reading: path).map { !$0.numbersOnDisk().isEmpty } ?? false
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
