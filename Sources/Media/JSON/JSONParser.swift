/// Reads JSON (RFC 8259) and JSON5 (json5.org, 1.0.0). Stricter than both in this: keys may not repeat, numbers are
/// finite, halves of surrogate pairs and NUL are no characters, and there are limits of size and depth.
package struct JSONParser {
    package enum Dialect: Sendable {
        /// What people write: comments, keys without quotes, a comma at the end …
        case json5
        /// What programs write: nothing but JSON.
        case json
    }

    /// Bytes of a text, unless its reader says otherwise (count).
    package static let longest = 16 << 20
    /// Values in values (levels).
    package static let deepest = 64

    let dialect: Dialect
    var cursor: JSONCursor

    /// - Parameter longest: most bytes of the text (count).
    package static func parse(
        _ bytes: [UInt8], as dialect: Dialect, longest: Int = longest
    ) throws(JSONFailure) -> JSONValue {
        guard bytes.count <= longest else {
            throw JSONFailure(
                position: .start,
                message: "the file has \(bytes.count) bytes; at most \(longest) are read")
        }
        var parser = JSONParser(dialect: dialect, cursor: JSONCursor(bytes))
        try parser.skipSpace()
        let value = try parser.value(depth: 1)
        try parser.skipSpace()
        guard parser.cursor.isAtEnd else {
            throw parser.failure("expected the end of the file, found \(parser.cursor.found)")
        }
        return value
    }

    func failure(_ message: String, at position: TextPosition? = nil) -> JSONFailure {
        JSONFailure(position: position ?? cursor.position, message: message)
    }

    private mutating func value(depth: Int) throws(JSONFailure) -> JSONValue {
        guard depth <= Self.deepest else {
            throw failure("values lie in more than \(Self.deepest) others")
        }
        let position = cursor.position
        switch cursor.byte {
        case UInt8(ascii: "{"):
            return JSONValue(.object(try members(depth: depth)), at: position)
        case UInt8(ascii: "["):
            return JSONValue(.array(try elements(depth: depth)), at: position)
        case .some(let byte) where isQuote(byte):
            return JSONValue(.string(try string()), at: position)
        case .some(let byte) where startsNumber(byte):
            return JSONValue(.number(try number()), at: position)
        default:
            return JSONValue(try word(), at: position)
        }
    }

    private mutating func word() throws(JSONFailure) -> JSONValue.Content {
        let position = cursor.position
        guard cursor.scalar.map({ $0.value.startsName }) ?? false else {
            throw failure("expected a value, found \(cursor.found)")
        }
        switch try name() {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case "Infinity", "NaN": throw failure("numbers must be finite", at: position)
        case let word:
            throw failure(
                "expected a value, found \"\(word.prefix(40))\"; put quotes around a text",
                at: position)
        }
    }

    private mutating func elements(depth: Int) throws(JSONFailure) -> [JSONValue] {
        let opening = cursor.position
        cursor.advance()
        var elements: [JSONValue] = []
        while true {
            try skipSpace()
            if mayClose(elements.isEmpty), cursor.skip(UInt8(ascii: "]")) { return elements }
            guard !cursor.isAtEnd else { throw unclosed("list", opening) }
            elements.append(try value(depth: depth + 1))
            try skipSpace()
            if cursor.skip(UInt8(ascii: "]")) { return elements }
            guard !cursor.isAtEnd else { throw unclosed("list", opening) }
            guard cursor.skip(UInt8(ascii: ",")) else {
                throw failure("expected \",\" or \"]\", found \(cursor.found)")
            }
        }
    }

    private mutating func members(depth: Int) throws(JSONFailure) -> [JSONValue.Member] {
        let opening = cursor.position
        cursor.advance()
        var members: [JSONValue.Member] = []
        var seen: [String: TextPosition] = [:]
        while true {
            try skipSpace()
            if mayClose(members.isEmpty), cursor.skip(UInt8(ascii: "}")) { return members }
            guard !cursor.isAtEnd else { throw unclosed("object", opening) }
            let (position, keyOffset) = (cursor.position, cursor.offset)
            let key = try key()
            if let first = seen.updateValue(position, forKey: key) {
                throw failure(
                    "the key \"\(key.prefix(40))\" is already at \(first); leave one",
                    at: position)
            }
            try skipSpace()
            guard cursor.skip(UInt8(ascii: ":")) else {
                throw failure(
                    "expected \":\" after the key \"\(key.prefix(40))\", found \(cursor.found)")
            }
            try skipSpace()
            let start = cursor.offset
            let value = try value(depth: depth + 1)
            members.append(
                JSONValue.Member(
                    key, value, position: position, keyOffset: keyOffset,
                    valueBytes: start..<cursor.offset))
            try skipSpace()
            if cursor.skip(UInt8(ascii: "}")) { return members }
            guard !cursor.isAtEnd else { throw unclosed("object", opening) }
            guard cursor.skip(UInt8(ascii: ",")) else {
                throw failure("expected \",\" or \"}\", found \(cursor.found)")
            }
        }
    }

    private mutating func key() throws(JSONFailure) -> String {
        if let byte = cursor.byte, isQuote(byte) { return try string() }
        guard dialect == .json5 else {
            throw failure("expected a key in double quotes, found \(cursor.found)")
        }
        guard cursor.scalar.map({ $0.value.startsName }) ?? false else {
            throw failure("expected a key, found \(cursor.found)")
        }
        return try name()
    }

    /// After a comma only JSON5 ends a list.
    private func mayClose(_ isFirst: Bool) -> Bool { isFirst || dialect == .json5 }

    private func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") && dialect == .json5
    }

    private func startsNumber(_ byte: UInt8) -> Bool {
        if byte.isDigit || byte == UInt8(ascii: "-") { return true }
        return dialect == .json5 && (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "."))
    }

    private func unclosed(_ what: String, _ opening: TextPosition) -> JSONFailure {
        failure("the \(what) that begins at \(opening) does not end")
    }
}

extension UInt8 {
    package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

extension Unicode.Scalar {
    /// Whether a key without quotes can begin with it (ECMA-262 5.1, 7.6; escapes too).
    var startsName: Bool {
        self == "$" || self == "_" || self == "\\" || properties.isAlphabetic && !isCombining
    }

    var continuesName: Bool {
        startsName || isCombining || properties.numericType == .decimal
            || properties.generalCategory == .connectorPunctuation || self == "\u{200C}"
            || self == "\u{200D}"
    }

    private var isCombining: Bool {
        properties.generalCategory == .nonspacingMark || properties.generalCategory == .spacingMark
    }
}
