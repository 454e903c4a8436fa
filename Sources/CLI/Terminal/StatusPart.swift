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

    func text(_ look: TerminalLook) -> String {
        runs.map { look.painted($0.text, $0.color) }.joined()
    }
}
