/// A value of a JSON5 text and where it stands.
struct JSON5Node: Sendable, Equatable {
    indirect enum Value: Sendable, Equatable {
        case null
        case flag(Bool)
        /// As it is written, without a leading plus sign; hexadecimal ones as decimal.
        case number(String)
        case text(String)
        case list([JSON5Node])
        /// Without duplicate keys, in the order written.
        case record([Member])
    }

    struct Member: Sendable, Equatable {
        let key: String
        let position: TextPosition
        let value: JSON5Node
    }

    let position: TextPosition
    let value: Value
}

extension JSON5Node {
    /// For messages: what it is.
    var kind: String {
        switch value {
        case .null: "null"
        case .flag: "true or false"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .record: "an object"
        }
    }

    subscript(key: String) -> JSON5Node? {
        guard case .record(let members) = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    var text: String? { if case .text(let text) = value { text } else { nil } }
    var list: [JSON5Node]? { if case .list(let list) = value { list } else { nil } }
    var flag: Bool? { if case .flag(let flag) = value { flag } else { nil } }
    var number: Double? { if case .number(let text) = value { Double(text) } else { nil } }
}
