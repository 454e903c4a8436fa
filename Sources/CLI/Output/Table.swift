/// Columns of text, aligned for people; the last column is not padded.
struct Table {
    private let titles: [String]
    private var rows: [[String]] = []

    init(_ titles: String...) {
        self.titles = titles
    }

    var isEmpty: Bool { rows.isEmpty }

    /// What would break the row is written out.
    mutating func add(_ cells: String...) { rows.append(cells.map(VisibleText.line)) }

    var text: String {
        let all = (titles.contains { !$0.isEmpty } ? [titles] : []) + rows
        var widths = titles.map { _ in 0 }
        for row in all {
            for (column, cell) in row.enumerated() {
                widths[column] = max(widths[column], cell.count)
            }
        }
        let lines = all.map { row in
            let cells = row.enumerated().map { $1.padded(to: widths[$0]) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
