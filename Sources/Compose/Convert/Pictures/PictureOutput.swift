/// A conversion's output that holds pictures only.
public enum PictureOutput: Sendable, Hashable {
    /// A GIF (the file's path).
    case animation(String)
    /// A file for each picture, numbered from 1.
    case numbered(NumberedPath, FilmStills.Form)
    /// The first picture in a file of its own (the file's path).
    case single(String, FilmStills.Form)

    /// By a path's ending: `gif`; `png`, `jpg`, `jpeg`, several where the name holds a number's place such as `%06d`;
    /// nil for any other.
    public init?(path: String) {
        if path.lowercased().hasSuffix(".gif") {
            self = .animation(path)
            return
        }
        guard let form = FilmStills.Form(path: path) else { return nil }
        if let numbered = NumberedPath(path) {
            self = .numbered(numbered, form)
        } else {
            self = .single(path, form)
        }
    }

    /// What pictures are coded in.
    public var codec: String {
        switch self {
        case .animation: "gif"
        case .numbered(_, let form), .single(_, let form): form == .png ? "png" : "jpeg"
        }
    }

    var path: String {
        switch self {
        case .animation(let path), .single(let path, _): path
        case .numbered(let numbered, _): numbered.pattern
        }
    }

    /// Whether pictures may stay transparent.
    var keepsTransparency: Bool { codec != "jpeg" }
}

/// A path with a place for a number of a fixed count of digits, such as `frames/%06d.png`.
public struct NumberedPath: Sendable, Hashable {
    public let pattern: String
    /// What stands before the number, its place as typed, and what stands behind it.
    public let head: String
    public let place: String
    public let tail: String
    private let digits: Int

    /// Nil where the file's name holds no `%0Nd` (N from 1 to 9) or more than one.
    public init?(_ pattern: String) {
        let name = pattern.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let places = name.indices.compactMap { Self.place(in: name, at: $0) }
        guard places.count == 1, let place = places.first else { return nil }
        self.pattern = pattern
        head = String(pattern[..<place.range.lowerBound])
        self.place = String(pattern[place.range])
        tail = String(pattern[place.range.upperBound...])
        digits = place.digits
    }

    private static func place(
        in name: Substring, at start: String.Index
    ) -> (range: Range<String.Index>, digits: Int)? {
        guard name[start...].hasPrefix("%0"),
            let digit = name.index(start, offsetBy: 2, limitedBy: name.endIndex),
            digit < name.endIndex, let digits = name[digit].wholeNumberValue, digits > 0,
            name[digit].isASCII
        else { return nil }
        let letter = name.index(after: digit)
        guard letter < name.endIndex, name[letter] == "d" else { return nil }
        return (start..<name.index(after: letter), digits)
    }

    /// The path of a picture.
    /// - Parameter number: from 1; more digits than there are places make the name longer.
    public func path(_ number: Int) -> String {
        let text = String(number)
        return head + String(repeating: "0", count: max(0, digits - text.count)) + text + tail
    }

    /// The number of a path of this kind; nil for any other.
    func number(of path: String) -> Int? {
        guard path.hasPrefix(head), path.hasSuffix(tail),
            path.utf8.count > head.utf8.count + tail.utf8.count
        else { return nil }
        let text = path.dropFirst(head.count).dropLast(tail.count)
        guard text.count >= digits, text.allSatisfy({ ("0"..."9").contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// Whether a picture of this kind is there already.
    package var isTaken: Bool { EarlierPictures(self).first != nil }

    /// The folder of all pictures, as it is typed before their names.
    var folder: String { head.lastIndex(of: "/").map { String(head[...$0]) } ?? "" }
}
