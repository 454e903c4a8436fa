/// A key of the keyboard that gives one byte, or an arrow.
struct Key: Sendable, Hashable {
    enum Arrow: String, CaseIterable, Sendable {
        case left, right, up, down
    }

    /// Of an arrow a number that no character has.
    let byte: UInt8

    init(byte: UInt8) { self.byte = byte }

    init(_ arrow: Arrow) {
        byte = 0x80 + UInt8(Arrow.allCases.firstIndex(of: arrow) ?? 0)
    }

    /// Ctrl-C.
    static let interrupt = Key(byte: 3)

    var arrow: Arrow? {
        let index = Int(byte) - 0x80
        return Arrow.allCases.indices.contains(index) ? Arrow.allCases[index] : nil
    }

    fileprivate static let names: [String: UInt8] = [
        "space": 0x20, "tab": 0x09, "enter": 0x0A, "esc": 0x1B, "backspace": 0x7F,
    ]

    /// As a person calls it.
    var name: String {
        if let arrow { return arrow.rawValue }
        if byte == 0x0D { return "enter" }
        if byte < 0x20, !Key.names.values.contains(byte) {
            return "Ctrl-" + String(UnicodeScalar(byte + 0x40))
        }
        return Key.names.first { $0.value == byte }?.key ?? String(UnicodeScalar(byte))
    }
}

extension ValueKind where Value == Key {
    /// One ASCII character, or the name of a key that has none.
    static var key: ValueKind {
        ValueKind("KEY", expected: "one character such as p, or space, tab, enter or esc") { text in
            if let byte = Key.names[text.lowercased()] { return Key(byte: byte) }
            guard text.utf8.count == 1, let byte = text.utf8.first, (0x21...0x7E).contains(byte)
            else { return nil }
            return Key(byte: byte)
        }
    }
}
