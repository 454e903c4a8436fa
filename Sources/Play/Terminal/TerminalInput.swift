/// What a terminal answers when it is asked what it can.
package enum TerminalAnswer: Sendable, Equatable {
    /// The primary device attributes (DA1): 4 among them is sixel.
    case attributes([Int])
    /// Whether kitty's graphics are understood.
    case kitty(Bool)
    /// A cell's size (pixels).
    case cell(width: Int, height: Int)
    /// Whether the colour that was set is there (DECRQSS of SGR).
    case trueColor(Bool)
}

/// Separates what comes from a terminal into keys and answers, whatever pieces it comes in. A pure value.
package struct TerminalInput: Sendable {
    package enum Element: Sendable, Equatable {
        /// One byte of a key, as it was pressed.
        case key(UInt8)
        case arrow(Arrow)
        /// Another one that is no single character: a letter of another alphabet, a function key.
        case otherKey
        case answer(TerminalAnswer)
    }

    /// By the letters that end their sequences.
    package enum Arrow: UInt8, Sendable {
        case up = 0x41
        case down, right, left
    }

    private enum State: Sendable, Equatable {
        case ground, escape
        /// Behind `ESC [`, or `ESC O` of function keys.
        case control([UInt8])
        /// Behind `ESC P`, `ESC _`, `ESC ]`, `ESC X` or `ESC ^`, up to ST.
        case string(UInt8, [UInt8], endsNext: Bool)
    }

    private var state = State.ground
    /// Whether answers may still come, so that an escape at the end of what was read is not the key.
    package var awaitsAnswers = false
    /// Longest answer that is kept (bytes).
    private static let limit = 256

    package init() {}

    package mutating func take(_ bytes: some Sequence<UInt8>) -> [Element] {
        var elements: [Element] = []
        for byte in bytes { take(byte, &elements) }
        // the key Escape alone
        if state == .escape, !awaitsAnswers {
            state = .ground
            elements.append(.key(0x1B))
        }
        return elements
    }

    private mutating func take(_ byte: UInt8, _ elements: inout [Element]) {
        switch state {
        case .ground:
            if byte == 0x1B {
                state = .escape
            } else if byte < 0x80 {
                elements.append(.key(byte))
            } else if byte & 0xC0 != 0x80 {
                // of several bytes the first stands for the letter
                elements.append(.otherKey)
            }
        case .escape:
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "O"): state = .control([])
            case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"), UInt8(ascii: "X"),
                UInt8(ascii: "^"):
                state = .string(byte, [], endsNext: false)
            case 0x1B: elements.append(.key(0x1B))
            default:
                // a key with Alt
                state = .ground
                elements.append(.otherKey)
            }
        case .control(var body):
            body.append(byte)
            // function keys of the Linux console: ESC [ [ A
            if body == [UInt8(ascii: "[")] {
                state = .control(body)
                return
            }
            guard (0x40...0x7E).contains(byte) || body.count > Self.limit else {
                state = .control(body)
                return
            }
            state = .ground
            elements.append(Self.element(of: body))
        case .string(let kind, var body, let endsNext):
            if endsNext, byte == UInt8(ascii: "\\") {
                state = .ground
                if let answer = Self.answer(kind, body) { elements.append(.answer(answer)) }
                return
            }
            if byte == 0x07, kind == UInt8(ascii: "]") {
                state = .ground
                return
            }
            if body.count < Self.limit, byte != 0x1B { body.append(byte) }
            state = .string(kind, body, endsNext: byte == 0x1B)
        }
    }

    /// Of `ESC [ A` and `ESC O A`, an arrow without Shift, Control or Alt, or of an answer.
    private static func element(of body: [UInt8]) -> Element {
        if body.count == 1, let arrow = Arrow(rawValue: body[0]) { return .arrow(arrow) }
        return answer(control: body).map(Element.answer) ?? .otherKey
    }

    /// Of `ESC [ ? 62 ; 4 c` and `ESC [ 6 ; 20 ; 10 t`.
    private static func answer(control body: [UInt8]) -> TerminalAnswer? {
        let text = String(decoding: body.dropLast(), as: UTF8.self)
        switch body.last {
        case UInt8(ascii: "c") where text.hasPrefix("?"):
            return .attributes(text.dropFirst().split(separator: ";").compactMap { Int($0) })
        case UInt8(ascii: "t"):
            let parts = text.split(separator: ";").compactMap { Int($0) }
            guard parts.count == 3, parts[0] == 6, (1...1024).contains(parts[1]),
                (1...1024).contains(parts[2])
            else { return nil }
            return .cell(width: parts[2], height: parts[1])
        default: return nil
        }
    }

    /// Of `ESC _ G i=31;OK ST` and `ESC P 1 $ r 48:2:… m ST`.
    private static func answer(_ kind: UInt8, _ body: [UInt8]) -> TerminalAnswer? {
        let text = String(decoding: body, as: UTF8.self)
        if kind == UInt8(ascii: "_"), text.hasPrefix("Gi=\(KittyEncoder.query)") {
            return .kitty(text.hasSuffix(";OK"))
        }
        if kind == UInt8(ascii: "P"), text.hasPrefix("1$r"), text.hasSuffix("m") {
            let numbers = text.dropFirst(3).dropLast()
                .split(omittingEmptySubsequences: true) { $0 == ";" || $0 == ":" }
            // the colour that was asked for, and not its nearest neighbour
            return .trueColor(numbers.suffix(3).map(String.init) == TerminalQuery.color)
        }
        return nil
    }
}

/// What a terminal is asked.
package enum TerminalQuery {
    /// A colour that no palette has.
    static let color = ["3", "5", "7"]

    /// Kitty's graphics, the cell's size, true colour and last the device attributes, which every terminal answers.
    package static let bytes: [UInt8] = Array(
        ("\u{1B}_Gi=\(KittyEncoder.query),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + "\u{1B}[16t"
            + "\u{1B}[48;2;\(color.joined(separator: ";"))m\u{1B}P$qm\u{1B}\\\u{1B}[0m"
            + "\u{1B}[c").utf8)
}
