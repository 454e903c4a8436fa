extension JSONValue {
    /// Makes a value as its type's own `Decodable` says.
    /// - Throws: `DecodingError`, and what the type throws.
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONSource(value: self, path: []).read(type)
    }
}

/// A value that is being decoded.
private struct JSONSource: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(value: JSONValue, path: [any CodingKey]) {
        self.value = value
        codingPath = path
    }

    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let found: Any?
        switch type {
        case is Bool.Type: found = value.boolean
        case is String.Type: found = value.text
        case is Double.Type: found = value.number
        case is Float.Type: found = value.number.map { Float($0) }
        case let integer as any FixedWidthInteger.Type: found = whole(integer)
        default: return try type.init(from: self)
        }
        guard let found = found as? Value else { throw mismatch("\(type)") }
        return found
    }

    private func whole<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard case .number(let text) = value.content else { return nil }
        return Number(text) ?? Double(text).flatMap(Number.init(exactly:))
    }

    func mismatch(_ wanted: String) -> DecodingError {
        .typeMismatch(
            JSONValue.self,
            .init(
                codingPath: codingPath,
                debugDescription: "\(value.position): expected \(wanted), found \(value.kind)"))
    }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = value.members else { throw mismatch("an object") }
        return KeyedDecodingContainer(JSONSourceMembers<Key>(source: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.elements else { throw mismatch("a list") }
        return JSONSourceElements(source: self, elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        JSONSourceValue(source: self)
    }
}

// one generic function answers for every scalar type that the protocols name

private struct JSONSourceMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let source: JSONSource
    private let members: [String: JSONValue]
    var codingPath: [any CodingKey] { source.codingPath }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    init(source: JSONSource, members: [JSONValue.Member]) {
        self.source = source
        self.members = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).value.content.isNull }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try member(key).read(type)
    }
    func nestedContainer<Inner>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> { try member(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }
    func superDecoder() -> any Decoder { source }
    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

    private func member(_ key: Key) throws -> JSONSource {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                .init(
                    codingPath: codingPath,
                    debugDescription: "\(source.value.position): \"\(key.stringValue)\" is missing"
                ))
        }
        return JSONSource(value: value, path: codingPath + [key])
    }
}

private struct JSONSourceElements: UnkeyedDecodingContainer {
    let source: JSONSource
    let elements: [JSONValue]
    private(set) var currentIndex = 0

    init(source: JSONSource, elements: [JSONValue]) {
        self.source = source
        self.elements = elements
    }

    var codingPath: [any CodingKey] { source.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex].content.isNull else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().read(type)
    }
    mutating func nestedContainer<Inner>(
        keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> { try next().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> JSONSource {
        guard !isAtEnd else { throw source.mismatch("another element") }
        defer { currentIndex += 1 }
        return JSONSource(value: elements[currentIndex], path: codingPath)
    }
}

private struct JSONSourceValue: SingleValueDecodingContainer {
    let source: JSONSource
    var codingPath: [any CodingKey] { source.codingPath }

    func decodeNil() -> Bool { source.value.content.isNull }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try source.read(type) }
}

extension JSONValue.Content {
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}
