/// A value of JSON: read from a text, with its place there, or made to be written. Reading, writing and
/// what is hostile are here for all rooms.
package struct JSONValue: Sendable {
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// As it is written, so that no digit is lost: decimal, without a leading plus sign.
        case number(String)
        case string(String)
        case array([JSONValue])
        /// Without duplicate keys, in the order written.
        case object([Member])
    }

    package struct Member: Sendable {
        package let key: String
        package let position: TextPosition
        package let value: JSONValue
        /// Where key and value lie in the text (bytes); empty of what was made.
        let keyOffset: Int
        let valueBytes: Range<Int>

        package init(_ key: String, _ value: JSONValue) {
            self.init(key, value, position: .start, keyOffset: 0, valueBytes: 0..<0)
        }

        /// The same key, and where it stands, with another value.
        package func with(_ value: JSONValue) -> Member {
            Member(
                key, value, position: position, keyOffset: keyOffset, valueBytes: valueBytes)
        }

        init(
            _ key: String, _ value: JSONValue, position: TextPosition, keyOffset: Int,
            valueBytes: Range<Int>
        ) {
            self.key = key
            self.position = position
            self.value = value
            self.keyOffset = keyOffset
            self.valueBytes = valueBytes
        }
    }

    package let content: Content
    /// Where it begins in its text; of what was made, the beginning.
    package let position: TextPosition

    package init(_ content: Content, at position: TextPosition = .start) {
        self.content = content
        self.position = position
    }
}

/// Equal are values of the same content, wherever they stand; numbers as they are written.
extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left.content, right.content) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one == other
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)):
            one.elementsEqual(other) { $0.key == $1.key && $0.value == $1.value }
        default: false
        }
    }
}

// MARK: - Made

extension JSONValue {
    package static var null: JSONValue { JSONValue(.null) }

    package static func bool(_ value: Bool) -> JSONValue { JSONValue(.bool(value)) }

    package static func integer(_ value: some BinaryInteger) -> JSONValue {
        JSONValue(.number("\(value)"))
    }

    /// With a point always (`5.0`); null where JSON has no word for it.
    package static func number(_ value: Double) -> JSONValue {
        value.isFinite ? JSONValue(.number("\(value)")) : .null
    }

    /// Without a needless point (`5`); null where JSON has no word for it.
    package static func shortNumber(_ value: Double) -> JSONValue {
        value.isFinite ? JSONValue(.number(text(of: value))) : .null
    }

    /// A finite number without a needless point.
    package static func text(of value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// A number as it shall be written.
    package static func number(written text: String) -> JSONValue { JSONValue(.number(text)) }

    package static func string(_ value: String) -> JSONValue { JSONValue(.string(value)) }

    package static func array(_ values: [JSONValue]) -> JSONValue { JSONValue(.array(values)) }

    package static func object(_ pairs: [(String, JSONValue)]) -> JSONValue {
        JSONValue(.object(pairs.map { Member($0.0, $0.1) }))
    }

    /// The keys that have a value, in this order.
    package static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(pairs.compactMap { pair in pair.value.map { (pair.key, $0) } })
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}

// MARK: - Read

extension JSONValue {
    /// For messages: what it is.
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    package subscript(key: String) -> JSONValue? { members?.first { $0.key == key }?.value }

    package var members: [Member]? {
        if case .object(let members) = content { members } else { nil }
    }
    package var elements: [JSONValue]? {
        if case .array(let values) = content { values } else { nil }
    }
    package var text: String? { if case .string(let text) = content { text } else { nil } }
    package var boolean: Bool? { if case .bool(let value) = content { value } else { nil } }
    package var number: Double? {
        if case .number(let text) = content { Double(text) } else { nil }
    }
    /// A number without a fraction, however it is written.
    package var wholeNumber: Int64? {
        guard case .number(let text) = content else { return nil }
        return Int64(text) ?? Double(text).flatMap(Int64.init(exactly:))
    }
}
