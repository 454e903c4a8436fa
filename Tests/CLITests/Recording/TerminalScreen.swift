/// What a person sees on a terminal: enough of one to judge a program's lines. Lines that are longer than it
/// is wide are broken, and broken anew when its width changes, as terminals of today do.
struct TerminalScreen {
    private var lines: [[Character]] = [[]]
    private var line = 0
    private var offset = 0
    private var wraps = true
    var width: Int

    init(width: Int) { self.width = width }

    init(width: Int, showing text: String) {
        self.init(width: width)
        show(text)
    }

    mutating func show(_ text: String) {
        var rest = Substring(text.replacing("\r\n", with: "\n"))
        while let character = rest.first {
            if let sequence = rest.prefixMatch(of: /\u{1B}\[([?0-9;]*)([A-Za-z])/) {
                obey(String(sequence.1), sequence.2)
                rest = rest[sequence.range.upperBound...]
                continue
            }
            rest.removeFirst()
            switch character {
            case "\r": offset -= offset % width
            case "\n":
                line += 1
                if line == lines.count { lines.append([]) }
                offset = 0
            default: put(character)
            }
        }
    }

    private mutating func put(_ character: Character) {
        while lines[line].count <= offset { lines[line].append(" ") }
        lines[line][offset] = character
        offset += 1
        // the cursor of a terminal that does not wrap stays in the last column
        if !wraps, offset % width == 0 { offset -= 1 }
    }

    private mutating func obey(_ parameter: String, _ letter: Substring) {
        switch (parameter, letter) {
        case ("", "J"):
            lines[line] = Array(lines[line].prefix(offset))
            lines.removeSubrange((line + 1)...)
        case ("", "K"):
            let end = (offset / width + 1) * width
            for column in offset..<max(offset, min(end, lines[line].count)) {
                lines[line][column] = " "
            }
        case ("?7", "l"): wraps = false
        case ("?7", "h"): wraps = true
        default: break
        }
    }

    /// The lines as they are read, without blanks at their ends and without empty ones.
    var text: [String] {
        lines.map { String($0) }.map { String($0.reversed().drop { $0 == " " }.reversed()) }
            .filter { !$0.isEmpty }
    }
}
