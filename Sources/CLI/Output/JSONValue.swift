import FoundationEssentials

/// A JSON text as a value. Written with its keys in the order given; read from JSON or JSON5.
indirect enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Sendable, Equatable {
        let key: String
        let value: JSONValue
    }

    static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(pairs.compactMap { pair in pair.value.map { Member(key: pair.key, value: $0) } })
    }

    static func integer(_ value: Int) -> JSONValue { .integer(Int64(value)) }

    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var boolean: Bool? { if case .bool(let value) = self { value } else { nil } }
    var wholeNumber: Int64? { if case .integer(let value) = self { value } else { nil } }
    var elements: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
}

extension JSONValue: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            var members: [Member] = []
            for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                let value = try container.decode(JSONValue.self, forKey: key)
                members.append(Member(key: key.stringValue, value: value))
            }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }

    /// Reads one JSON text; `nil` with a reason when it is none.
    static func parse(_ bytes: [UInt8], allowsJSON5: Bool = false) -> Result<JSONValue, Malformed> {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = allowsJSON5
        do {
            return .success(try decoder.decode(JSONValue.self, from: Data(bytes)))
        } catch DecodingError.dataCorrupted(let context) {
            let inner = context.underlyingError.map { "\($0)" } ?? ""
            return .failure(Malformed(reason: Malformed.sentence(in: inner, context)))
        } catch {
            return .failure(Malformed(reason: "it is not valid"))
        }
    }

    /// Why a text is not JSON.
    struct Malformed: Error, Equatable {
        let reason: String

        fileprivate static func sentence(
            in error: String, _ context: DecodingError.Context
        ) -> String {
            let line = error.firstMatch(of: /line (\d+), column (\d+)/)
            guard let line else { return "it is not valid JSON5" }
            return "it is not valid JSON5 at line \(line.1), column \(line.2)"
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .string(value) }
}
