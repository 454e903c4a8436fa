/// Reads JSON5 (json5.org, 1.0.0). Stricter than it in this: keys may not repeat, numbers are finite,
/// halves of surrogate pairs and NUL are no characters, and there are limits of size and depth.
struct JSON5Parser {
    /// Bytes of a text (count).
    static let longest = 16 << 20
    /// Values in values (levels).
    static let deepest = 64

    var cursor: JSON5Cursor

    static func parse(_ bytes: [UInt8]) throws(JSON5Failure) -> JSON5Node {
        guard bytes.count <= longest else {
            throw JSON5Failure(
                position: .start,
                message: "the file has \(bytes.count) bytes; a project has at most 16 MB")
        }
        var parser = JSON5Parser(cursor: JSON5Cursor(bytes))
        try parser.skipSpace()
        let node = try parser.value(depth: 1)
        try parser.skipSpace()
        guard parser.cursor.isAtEnd else {
            throw parser.failure("expected the end of the file, found \(parser.cursor.found)")
        }
        return node
    }

    func failure(_ message: String, at position: TextPosition? = nil) -> JSON5Failure {
        JSON5Failure(position: position ?? cursor.position, message: message)
    }

    private mutating func value(depth: Int) throws(JSON5Failure) -> JSON5Node {
        guard depth <= Self.deepest else {
            throw failure("values lie in more than \(Self.deepest) others")
        }
        let position = cursor.position
        switch cursor.byte {
        case UInt8(ascii: "{"):
            return JSON5Node(position: position, value: .record(try members(depth: depth)))
        case UInt8(ascii: "["):
            return JSON5Node(position: position, value: .list(try elements(depth: depth)))
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return JSON5Node(position: position, value: .text(try string()))
        case .some(let byte) where byte.startsNumber:
            return JSON5Node(position: position, value: .number(try number()))
        default:
            return JSON5Node(position: position, value: try word())
        }
    }

    private mutating func word() throws(JSON5Failure) -> JSON5Node.Value {
        let position = cursor.position
        guard cursor.scalar.map({ $0.value.startsName }) ?? false else {
            throw failure("expected a value, found \(cursor.found)")
        }
        switch try name() {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "null": return .null
        case "Infinity", "NaN": throw failure("numbers must be finite", at: position)
        case let word:
            throw failure(
                "expected a value, found \"\(word.prefix(40))\"; put quotes around a text",
                at: position)
        }
    }

    private mutating func elements(depth: Int) throws(JSON5Failure) -> [JSON5Node] {
        let opening = cursor.position
        cursor.advance()
        var elements: [JSON5Node] = []
        while true {
            try skipSpace()
            if cursor.skip(UInt8(ascii: "]")) { return elements }
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

    private mutating func members(depth: Int) throws(JSON5Failure) -> [JSON5Node.Member] {
        let opening = cursor.position
        cursor.advance()
        var members: [JSON5Node.Member] = []
        var seen: [String: TextPosition] = [:]
        while true {
            try skipSpace()
            if cursor.skip(UInt8(ascii: "}")) { return members }
            guard !cursor.isAtEnd else { throw unclosed("object", opening) }
            let position = cursor.position
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
            members.append(
                JSON5Node.Member(key: key, position: position, value: try value(depth: depth + 1)))
            try skipSpace()
            if cursor.skip(UInt8(ascii: "}")) { return members }
            guard !cursor.isAtEnd else { throw unclosed("object", opening) }
            guard cursor.skip(UInt8(ascii: ",")) else {
                throw failure("expected \",\" or \"}\", found \(cursor.found)")
            }
        }
    }

    private mutating func key() throws(JSON5Failure) -> String {
        if cursor.byte == UInt8(ascii: "\"") || cursor.byte == UInt8(ascii: "'") {
            return try string()
        }
        guard cursor.scalar.map({ $0.value.startsName }) ?? false else {
            throw failure("expected a key, found \(cursor.found)")
        }
        return try name()
    }

    private func unclosed(_ what: String, _ opening: TextPosition) -> JSON5Failure {
        failure("the \(what) that begins at \(opening) does not end")
    }
}

extension UInt8 {
    fileprivate var startsNumber: Bool {
        isDigit || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(self)
    }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
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
