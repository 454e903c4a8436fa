internal import Media

/// What a key of a project can hold. Reader and schema are made from this, so that they cannot disagree.
indirect enum ProjectKind: Sendable {
    case flag
    /// At most so many characters.
    case text(most: Int)
    /// A file, relative to the project.
    case path
    case number(ClosedRange<Double>)
    /// Not negative, at most 24 h.
    case time
    /// Above zero, at most 24 h.
    case length
    case rate
    case speed
    /// `1280x720`, `1080p`.
    case size
    /// `#rrggbb`, `#rrggbbaa`, or a name.
    case color
    case choice([String])
    /// A text of a form of its own.
    case phrase(String, pattern: String, reads: @Sendable (String) -> ProjectValue?)
    /// At most so many elements.
    case list(ProjectKind, most: Int)
    case record(ProjectTable)
    /// A text for short, or an object that says all; each with what it can hold.
    case short(ProjectKind, ProjectTable)

    /// For messages, after "must be".
    var expected: String {
        switch self {
        case .flag: "true or false"
        case .text(let most): "a text of at most \(most) characters"
        case .path: "a file's path"
        case .number(let range):
            "a number from \(JSON5Writer.number(range.lowerBound)) to "
                + JSON5Writer.number(range.upperBound)
        case .time: "a time such as 3.5, \"1m30s\", \"00:01:30.5\" or \"1001/30000\", at most 24 h"
        case .length:
            "a time such as 3.5, \"1m30s\", \"00:01:30.5\" or \"1001/30000\", above 0 and at most 24 h"
        case .rate: "a frame rate such as 30 or \"30000/1001\", from 1 to 1000"
        case .speed: "a speed such as 2, 0.5 or \"3/2\", from 0.01 to 100"
        case .size: "a size such as \"1920x1080\" or \"1080p\", with even sides"
        case .color: "a colour such as \"#ff8800\", \"#ff880080\" or \"white\""
        case .choice(let words):
            words.map { Self.isNumber($0) ? $0 : "\"\($0)\"" }.joined(separator: " or ")
        case .phrase(let expected, _, _): expected
        case .list: "a list"
        case .record: "an object"
        case .short(let kind, _): kind.expected + ", or an object"
        }
    }
}

/// A value that is what its key can hold, and where it stands.
struct ProjectEntry: Sendable {
    let position: TextPosition
    let value: ProjectValue
}

enum ProjectValue: Sendable {
    case flag(Bool)
    case text(String)
    case number(Double)
    case time(MediaTime)
    case rate(FrameRate)
    case speed(Speed)
    case size(PixelSize)
    case color(Color)
    case transition(Transition)
    case list([ProjectEntry])
    case record(ProjectRecord)
}

/// The keys of one kind of object.
struct ProjectTable: Sendable {
    let name: String
    let keys: [ProjectKey]
    /// Two keys of which one at most can be there.
    var alternatives: (String, String)?

    func key(_ name: String) -> ProjectKey? { keys.first { $0.name == name } }
}

struct ProjectKey: Sendable {
    let name: String
    let kind: ProjectKind
    let isRequired: Bool
    /// For the schema: meaning (unit; default).
    let about: String

    init(_ name: String, _ kind: ProjectKind, required: Bool = false, _ about: String) {
        self.name = name
        self.kind = kind
        isRequired = required
        self.about = about
    }
}

/// An object whose keys and values fit its table.
struct ProjectRecord: Sendable {
    let position: TextPosition
    var entries: [String: ProjectEntry]

    subscript(key: String) -> ProjectValue? { entries[key]?.value }

    func text(_ key: String) -> String? {
        if case .text(let text) = self[key] { text } else { nil }
    }
    func number(_ key: String) -> Double? {
        if case .number(let number) = self[key] { number } else { nil }
    }
    func flag(_ key: String) -> Bool? {
        if case .flag(let flag) = self[key] { flag } else { nil }
    }
    func time(_ key: String) -> MediaTime? {
        if case .time(let time) = self[key] { time } else { nil }
    }
    func color(_ key: String) -> Color? {
        if case .color(let color) = self[key] { color } else { nil }
    }
    func record(_ key: String) -> ProjectRecord? {
        if case .record(let record) = self[key] { record } else { nil }
    }
    func list(_ key: String) -> [ProjectEntry] {
        if case .list(let list) = self[key] { list } else { [] }
    }
    func choice<Choice: RawRepresentable<String>>(_ key: String) -> Choice? {
        text(key).flatMap(Choice.init(rawValue:))
    }
}
