/// Space, texts, names and numbers.
extension JSONParser {
    /// Skips space and comments.
    mutating func skipSpace() throws(JSONFailure) {
        while let scalar = cursor.scalar {
            if isSpace(scalar.value) {
                cursor.advance(scalar.bytes)
            } else if scalar.value == "/", dialect == .json5 {
                try skipComment()
            } else {
                return
            }
        }
    }

    private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        dialect == .json5 ? scalar.isJSON5Space : " \t\n\r".unicodeScalars.contains(scalar)
    }

    private mutating func skipComment() throws(JSONFailure) {
        let opening = cursor.position
        switch cursor.peek(1) {
        case UInt8(ascii: "/"):
            while let scalar = try character(), !scalar.value.isLineEnd {
                cursor.advance(scalar.bytes)
            }
        case UInt8(ascii: "*"):
            cursor.advance(2)
            while true {
                guard let scalar = try character() else {
                    throw failure("the comment that begins at \(opening) does not end")
                }
                if scalar.value == "*", cursor.peek(1) == UInt8(ascii: "/") {
                    return cursor.advance(2)
                }
                cursor.advance(scalar.bytes)
            }
        default: throw failure("expected a value, found \"/\"")
        }
    }

    /// The character here; nil at the end.
    private func character() throws(JSONFailure) -> (value: Unicode.Scalar, bytes: Int)? {
        guard !cursor.isAtEnd else { return nil }
        guard let scalar = cursor.scalar else {
            throw failure("the file is not UTF-8 here")
        }
        return scalar
    }

    mutating func string() throws(JSONFailure) -> String {
        let opening = cursor.position
        let quote = cursor.byte.map { Unicode.Scalar($0) }
        cursor.advance()
        var text = String.UnicodeScalarView()
        while let scalar = try character() {
            if scalar.value == quote {
                cursor.advance()
                return String(text)
            }
            if scalar.value == "\\" {
                if let escaped = try escape() { text.append(escaped) }
                continue
            }
            // the two separators are allowed in texts, as JSON has them
            guard scalar.value.value >= 0x20 || scalar.value == "\t" && dialect == .json5 else {
                throw failure(
                    scalar.value.isLineEnd
                        ? "the text that begins at \(opening) does not end on its line"
                        : "a text cannot hold a control character; write it as an escape")
            }
            text.append(scalar.value)
            cursor.advance(scalar.bytes)
        }
        throw failure("the text that begins at \(opening) does not end")
    }

    /// A character after a backslash; nil: a line continues.
    private mutating func escape() throws(JSONFailure) -> Unicode.Scalar? {
        let position = cursor.position
        cursor.advance()
        guard let scalar = try character() else {
            throw failure("expected a character after the backslash, found the end")
        }
        cursor.advance(scalar.bytes)
        guard dialect == .json5 || "\"\\/bfnrtu".unicodeScalars.contains(scalar.value) else {
            throw failure("JSON has no such escape", at: position)
        }
        switch scalar.value {
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{B}"
        case "x": return try checked(hexadecimal(2, position), position)
        case "u": return try unicodeEscape(position)
        case "\r":
            _ = cursor.skip(UInt8(ascii: "\n"))
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        case "0"..."9": throw failure("a backslash cannot stand before a digit", at: position)
        default: return scalar.value
        }
    }

    private mutating func unicodeEscape(
        _ position: TextPosition
    ) throws(JSONFailure) -> Unicode.Scalar {
        let first = try hexadecimal(4, position)
        guard (0xD800..<0xDC00).contains(first) else { return try checked(first, position) }
        if cursor.byte == UInt8(ascii: "\\"), cursor.peek(1) == UInt8(ascii: "u") {
            cursor.advance(2)
            let second = try hexadecimal(4, position)
            if (0xDC00..<0xE000).contains(second) {
                return try checked(
                    0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), position)
            }
        }
        throw failure("half of a surrogate pair is no character", at: position)
    }

    private func checked(
        _ value: UInt32, _ position: TextPosition
    ) throws(JSONFailure) -> Unicode.Scalar {
        guard value != 0 else { throw failure("a text cannot hold NUL", at: position) }
        guard let scalar = Unicode.Scalar(value) else {
            throw failure("half of a surrogate pair is no character", at: position)
        }
        return scalar
    }

    private mutating func hexadecimal(
        _ count: Int, _ position: TextPosition
    ) throws(JSONFailure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let byte = cursor.byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue
            else {
                throw failure("expected \(count) hexadecimal digits, found \(cursor.found)")
            }
            value = value << 4 | UInt32(digit)
            cursor.advance()
        }
        return value
    }

    /// A key without quotes, or a word.
    mutating func name() throws(JSONFailure) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = try character(), scalar.value.continuesName {
            if scalar.value == "\\" {
                let position = cursor.position
                cursor.advance()
                guard dialect == .json5 else {
                    throw failure("expected a word without escapes, found \(cursor.found)")
                }
                guard cursor.skip(UInt8(ascii: "u")) else {
                    throw failure("a key without quotes can only hold escapes such as \\u0041")
                }
                let letter = try unicodeEscape(position)
                guard letter != "\\", letter.continuesName else {
                    throw failure("put quotes around this key", at: position)
                }
                text.append(letter)
            } else {
                text.append(scalar.value)
                cursor.advance(scalar.bytes)
            }
        }
        return String(text)
    }

    /// A number as it is written; hexadecimal ones as decimal.
    mutating func number() throws(JSONFailure) -> String {
        let position = cursor.position
        var text = ""
        if cursor.skip(UInt8(ascii: "-")) { text = "-" } else { _ = cursor.skip(UInt8(ascii: "+")) }
        if cursor.byte == UInt8(ascii: "I") || cursor.byte == UInt8(ascii: "N") {
            throw failure("numbers must be finite", at: position)
        }
        if dialect == .json5, cursor.byte == UInt8(ascii: "0"),
            cursor.peek(1).map({ $0 | 0x20 }) == 0x78
        {
            cursor.advance(2)
            return text + String(try hexadecimalNumber())
        }
        let whole = digits()
        guard whole.count == 1 || whole.first != "0" else {
            throw failure("a number cannot begin with 0", at: position)
        }
        text += whole.isEmpty ? "0" : whole
        var fraction = ""
        let hasPoint = cursor.skip(UInt8(ascii: "."))
        if hasPoint {
            fraction = digits()
            if !fraction.isEmpty { text += "." + fraction }
        }
        let isNumber =
            dialect == .json5
            ? !whole.isEmpty || !fraction.isEmpty : !whole.isEmpty && hasPoint == !fraction.isEmpty
        guard isNumber else {
            throw failure("expected a digit, found \(cursor.found)")
        }
        if cursor.byte.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            cursor.advance()
            let sign = cursor.skip(UInt8(ascii: "-")) ? "-" : ""
            if sign.isEmpty { _ = cursor.skip(UInt8(ascii: "+")) }
            let exponent = digits()
            guard !exponent.isEmpty else {
                throw failure("expected the exponent's digits, found \(cursor.found)")
            }
            text += "e" + sign + exponent
        }
        guard Double(text)?.isFinite ?? false else {
            throw failure("the number is too large", at: position)
        }
        if let next = cursor.scalar, next.value.continuesName {
            throw failure("put quotes around a text that begins with a number", at: position)
        }
        return text
    }

    private mutating func hexadecimalNumber() throws(JSONFailure) -> UInt64 {
        var value: UInt64 = 0
        var count = 0
        while let byte = cursor.byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
            guard value < 1 << 59 else { throw failure("the number is too large") }
            value = value << 4 | UInt64(digit)
            count += 1
            cursor.advance()
        }
        guard count > 0 else {
            throw failure("expected a hexadecimal digit, found \(cursor.found)")
        }
        return value
    }

    private mutating func digits() -> String {
        var text = ""
        while let byte = cursor.byte, byte.isDigit {
            text.unicodeScalars.append(Unicode.Scalar(byte))
            cursor.advance()
        }
        return text
    }
}

extension Unicode.Scalar {
    var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

    var isJSON5Space: Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0xA0, 0xFEFF, 0x2028, 0x2029: true
        default: value > 0x7F && properties.generalCategory == .spaceSeparator
        }
    }
}
