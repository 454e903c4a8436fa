extension JSONValue {
    /// What a type's own `Encodable` says of it, keys sorted.
    /// - Throws: `EncodingError` for a number that is not finite, and what the type throws.
    package init(encoding value: some Encodable) throws {
        let slot = JSONSlot(path: [])
        try slot.put(value)
        self = slot.value
    }
}

/// The place of a value that is being encoded.
private final class JSONSlot: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    private var scalar: JSONValue?
    /// Nil where it is no list.
    private var elements: [JSONSlot]?
    private var members: [String: JSONSlot] = [:]

    init(path: [any CodingKey]) { codingPath = path }

    var value: JSONValue {
        if let scalar { return scalar }
        if let elements { return .array(elements.map(\.value)) }
        return .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) })
    }

    func put<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let value as Bool: scalar = .bool(value)
        case let value as String: scalar = .string(value)
        case let value as any BinaryInteger: scalar = .integer(value)
        case let value as Double: try put(number: value)
        case let value as Float: try put(number: Double("\(value)") ?? .nan)
        default: try value.encode(to: self)
        }
    }

    func putNull() { scalar = .null }

    private func put(number: Double) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: codingPath, debugDescription: "\(number) is no number"))
        }
        scalar = .shortNumber(number)
    }

    func member(_ key: any CodingKey) -> JSONSlot {
        let slot = JSONSlot(path: codingPath + [key])
        members[key.stringValue] = slot
        return slot
    }

    /// A place behind the others of a list.
    func element() -> JSONSlot {
        let slot = JSONSlot(path: codingPath)
        elements?.append(slot)
        return slot
    }

    var count: Int { elements?.count ?? 0 }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONSlotMembers<Key>(slot: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        elements = []
        return JSONSlotElements(slot: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONSlotValue(slot: self) }
}

// one generic function answers for every scalar type that the protocols name

private struct JSONSlotMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: JSONSlot
    var codingPath: [any CodingKey] { slot.codingPath }

    func encodeNil(forKey key: Key) { slot.member(key).putNull() }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try slot.member(key).put(value)
    }
    func nestedContainer<Inner>(
        keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> { slot.member(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        slot.member(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { slot }
    func superEncoder(forKey key: Key) -> any Encoder { slot.member(key) }
}

private struct JSONSlotElements: UnkeyedEncodingContainer {
    let slot: JSONSlot
    var codingPath: [any CodingKey] { slot.codingPath }
    var count: Int { slot.count }

    func encodeNil() { slot.element().putNull() }
    func encode<Value: Encodable>(_ value: Value) throws { try slot.element().put(value) }
    func nestedContainer<Inner>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        slot.element().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.element().unkeyedContainer()
    }
    func superEncoder() -> any Encoder { slot.element() }
}

private struct JSONSlotValue: SingleValueEncodingContainer {
    let slot: JSONSlot
    var codingPath: [any CodingKey] { slot.codingPath }

    func encodeNil() { slot.putNull() }
    func encode<Value: Encodable>(_ value: Value) throws { try slot.put(value) }
}
