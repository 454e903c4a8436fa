/// The bytes that lead a terminal from what it shows to what it is to show. Remembers the one, so that only cells that
/// changed are drawn. A pure value.
package struct CellPainter: Sendable {
    package var colors: TerminalColors {
        didSet { if colors != oldValue { forget() } }
    }
    /// Differences of a colour that are left as they are (codes): a camera's noise is no change.
    package static let tolerance = 2

    private var shown: CellGrid?

    package init(_ colors: TerminalColors) { self.colors = colors }

    /// The terminal shows nothing that is known: everything is drawn next.
    package mutating func forget() { shown = nil }

    /// - Returns: nothing where all is shown already.
    package mutating func bytes(for wanted: CellGrid) -> [UInt8] {
        var out: [UInt8] = []
        var pen = Pen(colors)
        var known: CellGrid
        if let shown, shown.columns == wanted.columns, shown.rows == wanted.rows {
            known = shown
        } else {
            known = CellGrid(columns: wanted.columns, rows: wanted.rows)
            // a terminal that was made smaller may have broken lines
            out.append(contentsOf: "\u{1B}[0m\u{1B}[2J".utf8)
        }
        for row in 0..<wanted.rows {
            // where the cursor stands after what was drawn last; `nil`: elsewhere
            var cursor: Int?
            for column in 0..<wanted.columns {
                let cell = wanted[column, row]
                if let distance = cell.distance(to: known[column, row]),
                    distance <= Self.tolerance
                {
                    continue
                }
                known[column, row] = cell
                if cell == .continued { continue }
                if cursor != column {
                    out.append(contentsOf: "\u{1B}[".utf8)
                    out.append(decimal: row + 1)
                    out.append(UInt8(ascii: ";"))
                    out.append(decimal: column + 1)
                    out.append(UInt8(ascii: "H"))
                }
                pen.draw(cell, &out)
                cursor = column + cell.character.cellColumns
            }
        }
        pen.end(&out)
        shown = known
        return out
    }

    /// Colours and style as they were last set.
    private struct Pen {
        private let colors: TerminalColors
        private var foreground: RGB?
        private var background: RGB?
        private var style = Cell.Style.plain
        private var isUsed = false

        init(_ colors: TerminalColors) { self.colors = colors }

        mutating func draw(_ cell: Cell, _ out: inout [UInt8]) {
            let isPlain = cell.foreground == nil || cell.background == nil
            let loses =
                (cell.foreground == nil && foreground != nil)
                || (cell.background == nil && background != nil)
            if !isUsed || cell.style != style || (isPlain && loses) {
                out.append(contentsOf: "\u{1B}[0m".utf8)
                (foreground, background, style, isUsed) = (nil, nil, cell.style, true)
                if style == .dim { out.append(contentsOf: "\u{1B}[2m".utf8) }
                if style == .bold { out.append(contentsOf: "\u{1B}[1m".utf8) }
            }
            set(cell.foreground, &foreground, "38", &out)
            set(cell.background, &background, "48", &out)
            out.append(contentsOf: String(cell.character).utf8)
        }

        private func set(
            _ wanted: RGB?, _ present: inout RGB?, _ kind: StaticString, _ out: inout [UInt8]
        ) {
            guard let wanted, wanted != present else { return }
            present = wanted
            out.append(contentsOf: "\u{1B}[".utf8)
            kind.withUTF8Buffer { out.append(contentsOf: $0) }
            switch colors {
            case .trueColor:
                out.append(contentsOf: ";2;".utf8)
                out.append(decimal: Int(wanted.red))
                out.append(UInt8(ascii: ";"))
                out.append(decimal: Int(wanted.green))
                out.append(UInt8(ascii: ";"))
                out.append(decimal: Int(wanted.blue))
            case .palette:
                out.append(contentsOf: ";5;".utf8)
                out.append(decimal: Int(TerminalPalette.nearest(to: wanted)))
            }
            out.append(UInt8(ascii: "m"))
        }

        mutating func end(_ out: inout [UInt8]) {
            if isUsed { out.append(contentsOf: "\u{1B}[0m".utf8) }
        }
    }
}

extension [UInt8] {
    /// The digits of a number that is not negative.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
