/// One place of a terminal: a character in two colours.
package struct Cell: Sendable, Equatable {
    /// How a character is drawn besides its colours.
    package enum Style: UInt8, Sendable {
        case plain, dim, bold
    }

    package var character: Unicode.Scalar
    /// `nil`: the terminal's own.
    package var foreground: RGB?
    package var background: RGB?
    package var style = Style.plain

    package init(
        _ character: Unicode.Scalar, _ foreground: RGB? = nil, on background: RGB? = nil,
        style: Style = .plain
    ) {
        (self.character, self.foreground, self.background) = (character, foreground, background)
        self.style = style
    }

    package static let blank = Cell(" ")

    /// Two pixels, one above the other.
    package static func pixels(_ upper: RGB, _ lower: RGB) -> Cell { Cell("▀", upper, on: lower) }

    /// The right half of a character that is two places wide: nothing is drawn there.
    package static let continued = Cell("\u{0}")

    /// The largest difference of colours to another cell of the same character and kind; `nil` for other ones.
    func distance(to other: Cell) -> Int? {
        guard character == other.character, style == other.style,
            let front = Self.distance(foreground, other.foreground),
            let back = Self.distance(background, other.background)
        else { return nil }
        return max(front, back)
    }

    private static func distance(_ one: RGB?, _ other: RGB?) -> Int? {
        switch (one, other) {
        case (nil, nil): 0
        case (let one?, let other?): one.distance(to: other)
        default: nil
        }
    }
}

/// What a terminal is to show: cells in rows.
package struct CellGrid: Sendable, Equatable {
    package let columns: Int
    package let rows: Int
    package private(set) var cells: [Cell]

    /// - Precondition: there is at least one cell.
    package init(columns: Int, rows: Int) {
        precondition(columns > 0 && rows > 0, "a terminal has cells")
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: .blank, count: columns * rows)
    }

    package subscript(column: Int, row: Int) -> Cell {
        get { cells[row * columns + column] }
        set { cells[row * columns + column] = newValue }
    }

    /// Draws a picture, two rows of pixels in each row of cells; what does not fit is left out. Of an odd last row the
    /// lower half is black.
    package mutating func draw(_ picture: PreviewPicture, column: Int, row: Int) {
        for y in stride(from: 0, to: picture.height, by: 2) {
            let place = row + y / 2
            guard (0..<rows).contains(place) else { continue }
            for x in 0..<picture.width where (0..<columns).contains(column + x) {
                let lower = y + 1 < picture.height ? picture[x, y + 1] : RGB(0, 0, 0)
                self[column + x, place] = .pixels(picture[x, y], lower)
            }
        }
    }

    /// Writes one line of text; what does not fit into `width` columns is left out.
    /// - Returns: the columns it took.
    @discardableResult
    package mutating func write(
        _ text: String, column: Int, row: Int, width: Int = .max, _ color: RGB? = nil,
        style: Cell.Style = .plain
    ) -> Int {
        guard (0..<rows).contains(row), column >= 0 else { return 0 }
        let end = min(columns, width > columns ? columns : column + width)
        var place = column
        for scalar in text.unicodeScalars {
            let wide = scalar.cellColumns
            if wide == 0 { continue }
            guard place + wide <= end else { break }
            self[place, row] = Cell(scalar, color, style: style)
            if wide == 2 { self[place + 1, row] = .continued }
            place += wide
        }
        return place - column
    }
}

extension Unicode.Scalar {
    /// Columns a terminal gives it: 0 for what is drawn over its neighbour or not at all, 2 for East Asian wide ones and
    /// emoji.
    package var cellColumns: Int {
        if value < 0x20 || (0x7F..<0xA0).contains(value) { return 0 }
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
