internal import Media

/// What a key of a project can hold, as messages, schema and guide say it.
indirect enum ProjectKind: Sendable {
    case flag
    /// At most so many characters.
    case text(most: Int)
    /// A file, relative to the project.
    case path
    case number(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    /// Not negative, at most 24 h.
    case time
    /// Above zero, at most 24 h.
    case length
    /// With a sign, at most 24 h.
    case delay
    case rate
    case speed
    /// In Hz, as a number or with the unit.
    case frequency(ClosedRange<Int>)
    /// `1280x720`, `1080p`.
    case size
    /// `#rrggbb`, `#rrggbbaa`, or a name.
    case color
    case choice([String])
    /// A text of a form of its own.
    case phrase(String, pattern: String)
    /// An object of texts by names; null where one has to be given.
    case texts
    /// At most so many elements.
    case list(ProjectKind, most: Int)
    /// An element, or a list of at most so many.
    case several(ProjectKind, most: Int)
    case record(ProjectShape)
    /// A text for short, or an object that says all; each with what it can hold.
    case short(ProjectKind, ProjectShape)

    /// Of a list.
    static let mostElements = 10_000

    /// For messages, after "must be".
    var expected: String {
        switch self {
        case .flag: "true or false"
        case .text(let most): "a text of at most \(most) characters"
        case .path: "a file's path"
        case .number(let range):
            "a number from \(JSONValue.text(of: range.lowerBound)) to "
                + JSONValue.text(of: range.upperBound)
        case .whole(let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .time: "a time such as 3.5, \"1m30s\", \"00:01:30.5\" or \"1001/30000\", at most 24 h"
        case .length:
            "a time such as 3.5, \"1m30s\", \"00:01:30.5\" or \"1001/30000\", above 0 and at most 24 h"
        case .delay: "a time such as 0.5 or \"-1.2s\", at most 24 h"
        case .rate: "a frame rate such as 30 or \"30000/1001\", from 1 to 1000"
        case .speed: "a speed such as 2, 0.5 or \"3/2\", from 0.01 to 100"
        case .frequency(let range):
            "a frequency such as 80 or \"80Hz\", from \(range.lowerBound) to \(range.upperBound) Hz"
        case .size: "a size such as \"1920x1080\" or \"1080p\", with even sides"
        case .color: "a colour such as \"#ff8800\", \"#ff880080\" or \"white\""
        case .choice(let words):
            words.map { Self.isNumber($0) ? $0 : "\"\($0)\"" }.joined(separator: " or ")
        case .phrase(let expected, _): expected
        case .texts: "an object of texts, or null where a value has to be given"
        case .list: "a list"
        case .several(let kind, _): kind.expected + ", or a list of them"
        case .record: "an object"
        case .short(let kind, _): kind.expected + ", or an object"
        }
    }

    /// Whether a word of a choice is written without quotes.
    static func isNumber(_ word: String) -> Bool { word.utf8.allSatisfy(\.isDigit) }
}

/// The sentences about one kind of object.
struct ProjectShape: Sendable {
    let name: String
    let keys: [ProjectKey]
    /// Two keys of which one at most can be there.
    let alternatives: [String]
    /// Keys of which one must be there, and no other; none: there are no such.
    let oneNeeded: [String]
    /// Keys that mean something beside another one only, and that one.
    let dependent: [String: String]

    func key(_ name: String) -> ProjectKey? { keys.first { $0.name == name } }
}

struct ProjectKey: Sendable {
    let name: String
    let kind: ProjectKind
    let isRequired: Bool
    /// Meaning (unit; default).
    let about: String
}
