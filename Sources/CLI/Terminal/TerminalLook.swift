internal import Glibc

/// What a terminal understands, and how the one line at its bottom is drawn there.
struct TerminalLook: Sendable, Equatable {
    enum Color: String, Sendable {
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    /// Whether it takes escape sequences at all (`TERM=dumb` does not).
    let takesSequences: Bool
    /// Whether colours are wanted and there are some.
    let showsColor: Bool

    /// - Parameter environment: finds a variable of the environment.
    init(environment: (String) -> String?) {
        let kind = environment("TERM") ?? ""
        takesSequences = kind != "dumb"
        let refuses = environment("NO_COLOR").map { !$0.isEmpty } ?? false
        showsColor = takesSequences && !kind.isEmpty && !refuses
    }

    private init(takesSequences: Bool, showsColor: Bool) {
        self.takesSequences = takesSequences
        self.showsColor = showsColor
    }

    /// Without colours.
    static let plain = TerminalLook(takesSequences: true, showsColor: false)

    /// Of the terminal this process was started in.
    static let own = TerminalLook { name in getenv(name).map { String(cString: $0) } }

    /// Removes the line at the bottom, whatever width the terminal has had meanwhile.
    /// - Parameter width: columns of the longest line drawn so far.
    func erasing(width: Int) -> String {
        // from the first column, where drawing leaves the cursor, to the end of the screen: a terminal
        // that was made narrower may have broken the line into several
        takesSequences ? "\r\u{1B}[J" : "\r" + String(repeating: " ", count: width) + "\r"
    }

    /// The line at the bottom; the cursor stays in its first column.
    func drawing(_ line: String) -> String {
        if line.isEmpty { return "" }
        // without wrapping: a terminal may be narrower than it was a moment ago
        return takesSequences ? "\u{1B}[?7l" + line + "\u{1B}[?7h\r" : line + "\r"
    }

    func painted(_ text: String, _ color: Color?) -> String {
        guard showsColor, let color, !text.isEmpty else { return text }
        return "\u{1B}[\(color.rawValue)m" + text + "\u{1B}[0m"
    }
}
