public import Reading

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

/// As conversions write pictures and films read them.
public typealias NumberedPath = Reading.NumberedPath
