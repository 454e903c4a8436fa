/// A terminal that shows what it is sent, and can be looked at: cells with their colours, the alternate screen, the
/// cursor, and what came as sixels or kitty's graphics. It shares no code with what draws.
package struct CellScreen {
    package struct Cell: Equatable {
        package var character: Character = " "
        /// Red, green and blue, eight bits each; `nil`: the terminal's own.
        package var front: Int?
        package var back: Int?
    }

    private enum State: Equatable {
        case ground, escape, control
        /// Of so many bytes that are missing of a character.
        case character(Int)
        case string(UInt8, endsNext: Bool)
    }

    package let columns: Int
    package let rows: Int
    package private(set) var cells: [Cell]
    /// Whether the alternate screen is shown.
    package private(set) var isAlternate = false
    package private(set) var hidesCursor = false
    /// Whether text still has colours of its own.
    package var hasPen: Bool { front != nil || back != nil }
    /// Bodies of `ESC P … q`, without `ESC P` and `ESC \`.
    package private(set) var sixels: [String] = []
    /// Bodies of `ESC _ G`.
    package private(set) var kitty: [String] = []
    /// Whether a sequence has begun and not ended.
    package var isInsideSequence: Bool { state != .ground }
    private var main: [Cell] = []
    private var (column, row) = (0, 0)
    private var front: Int?
    private var back: Int?
    private var state = State.ground
    private var body: [UInt8] = []

    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Cell(), count: columns * rows)
    }

    package subscript(column: Int, row: Int) -> Cell { cells[row * columns + column] }

    package func text(row: Int) -> String {
        String((0..<columns).map { self[$0, row].character })
    }

    package var text: String { (0..<rows).map { text(row: $0) }.joined(separator: "\n") }

    /// The pixels of half blocks: red, green and blue of each, two rows of them in a row of cells.
    /// - Returns: `nil` where a cell is none.
    package func pixels(columns: Range<Int>, rows: Range<Int>) -> [[Int]]? {
        var pixels: [[Int]] = []
        for row in rows {
            for half in 0..<2 {
                for column in columns {
                    let cell = self[column, row]
                    guard cell.character == "▀", let front = cell.front, let back = cell.back
                    else { return nil }
                    let color = half == 0 ? front : back
                    pixels.append([color >> 16, color >> 8 & 255, color & 255])
                }
            }
        }
        return pixels
    }

    package mutating func show(_ bytes: some Sequence<UInt8>) { for byte in bytes { take(byte) } }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground:
            switch byte {
            case 0x1B: state = .escape
            case 0x0D: column = 0
            case 0x0A: row = min(rows - 1, row + 1)
            case 0x20..<0x80: put(Character(Unicode.Scalar(byte)))
            case 0xC0...:
                (state, body) = (.character(byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3), [byte])
            default: break
            }
        case .character(let missing):
            body.append(byte)
            state = missing > 1 ? .character(missing - 1) : .ground
            if missing == 1, let character = String(decoding: body, as: UTF8.self).first {
                put(character)
            }
        case .escape:
            body = []
            switch byte {
            case UInt8(ascii: "["): state = .control
            case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"):
                state = .string(byte, endsNext: false)
            default: state = .ground
            }
        case .control:
            if byte == 0x18 {
                state = .ground
                return
            }
            guard (0x40...0x7E).contains(byte) else { return body.append(byte) }
            state = .ground
            control(byte)
        case .string(let kind, let endsNext):
            if byte == 0x18 {
                state = .ground
                return
            }
            guard endsNext, byte == UInt8(ascii: "\\") else {
                if byte != 0x1B { body.append(byte) }
                state = .string(kind, endsNext: byte == 0x1B)
                return
            }
            state = .ground
            let text = String(decoding: body, as: UTF8.self)
            if kind == UInt8(ascii: "P"), !text.hasPrefix("$q") { sixels.append(text) }
            if kind == UInt8(ascii: "_"), text.hasPrefix("G") { kitty.append(text) }
        }
    }

    private mutating func put(_ character: Character) {
        if row < rows, column < columns {
            cells[row * columns + column] = Cell(character: character, front: front, back: back)
        }
        column += 1
    }

    private mutating func control(_ letter: UInt8) {
        let isPrivate = body.first == UInt8(ascii: "?")
        var numbers = [0]
        for byte in body {
            if byte == UInt8(ascii: ";") { numbers.append(0) }
            guard (0x30...0x39).contains(byte), let last = numbers.indices.last else { continue }
            numbers[last] = numbers[last] * 10 + Int(byte) - 0x30
        }
        switch (isPrivate, letter, numbers[0]) {
        case (false, UInt8(ascii: "H"), _):
            row = max(1, numbers[0]) - 1
            column = numbers.count > 1 ? max(1, numbers[1]) - 1 : 0
        case (false, UInt8(ascii: "J"), 2):
            cells = Array(repeating: Cell(), count: columns * rows)
        case (false, UInt8(ascii: "m"), _): paint(numbers)
        case (true, UInt8(ascii: "h"), 1049):
            if !isAlternate { main = cells }
            isAlternate = true
        case (true, UInt8(ascii: "l"), 1049):
            if isAlternate { cells = main }
            isAlternate = false
        case (true, _, 25): hidesCursor = letter == UInt8(ascii: "l")
        default: break
        }
    }

    private mutating func paint(_ numbers: [Int]) {
        var place = 0
        while place < numbers.count {
            let number = numbers[place]
            place += 1
            if number == 0 { (front, back) = (nil, nil) }
            guard number == 38 || number == 48, place < numbers.count else { continue }
            let kind = numbers[place]
            var color = 0
            if kind == 2, place + 3 < numbers.count {
                color = numbers[place + 1] << 16 | numbers[place + 2] << 8 | numbers[place + 3]
            } else if kind == 5, place + 1 < numbers.count {
                color = Self.palette(numbers[place + 1])
            }
            place += kind == 2 ? 4 : 2
            if number == 38 { front = color } else { back = color }
        }
    }

    private static func palette(_ number: Int) -> Int {
        if number >= 232 { return (8 + (number - 232) * 10) * 0x01_0101 }
        let cube = max(0, number - 16)
        return [cube / 36, cube / 6 % 6, cube % 6].reduce(0) {
            $0 << 8 | ($1 == 0 ? 0 : 55 + 40 * $1)
        }
    }
}
