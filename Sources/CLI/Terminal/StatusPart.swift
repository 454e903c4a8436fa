/// A piece of the status line, in runs of one colour each.
struct StatusPart: Sendable, Equatable {
    struct Run: Sendable, Equatable {
        var text: String
        var color: TerminalLook.Color?
    }

    var runs: [Run]

    init(_ text: String, _ color: TerminalLook.Color? = nil) {
        runs = [Run(text: text, color: color)]
    }

    init(runs: [Run]) { self.runs = runs }

    /// Columns it takes.
    var width: Int { runs.reduce(0) { $0 + $1.text.count } }

    /// Parts in lines of so many columns, two between them; what is longer than a line has one of its own.
    /// - Parameter limit: of lines; what is behind them is left out.
    static func lines(_ parts: [StatusPart], columns: Int, limit: Int) -> [[StatusPart]] {
        var lines: [[StatusPart]] = [[]]
        var width = 0
        for part in parts {
            let longer = width + (width > 0 ? 2 : 0) + part.width
            if longer > columns, width > 0 {
                lines.append([part])
                width = part.width
            } else {
                lines[lines.count - 1].append(part)
                width = longer
            }
        }
        return Array(lines.prefix(limit))
    }

    func text(_ look: TerminalLook) -> String {
        runs.map { look.painted($0.text, $0.color) }.joined()
    }
}
