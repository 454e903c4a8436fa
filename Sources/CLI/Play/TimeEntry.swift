import Media

/// A time that is being typed. A pure value.
struct TimeEntry: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        case typing
        /// What was typed, to go to.
        case done(String)
        case cancelled
    }

    private(set) var text = ""
    /// Most that is typed (characters).
    private static let limit = 16

    mutating func take(_ key: Key) -> Step {
        switch key.byte {
        case 0x0A, 0x0D: return text.isEmpty ? .cancelled : .done(text)
        case 0x1B: return .cancelled
        case 0x08, 0x7F: _ = text.popLast()
        // what is no time is said when it is entered
        case 0x21...0x7E:
            if text.count < Self.limit { text.unicodeScalars.append(UnicodeScalar(key.byte)) }
        default: break
        }
        return .typing
    }

    /// A typed time on a film's timeline: a time as options take it (`3.2`, `1m30s`, `1:30`), or a time code of four
    /// fields, whose last one counts frames of the second.
    /// - Parameter timeCode: when a frame of a second begins; `nil` where there is none.
    static func time(
        _ text: String, timeCode: (_ second: MediaTime, _ frame: Int64) -> MediaTime?
    ) -> MediaTime? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 4 else { return MediaTime(typed: text) }
        guard let frame = Int64(fields[3]), frame >= 0,
            let second = MediaTime(typed: fields[..<3].joined(separator: ":"))
        else { return nil }
        return timeCode(second, frame)
    }
}
