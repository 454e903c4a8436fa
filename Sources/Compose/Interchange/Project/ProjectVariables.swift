internal import Glibc
internal import Media

/// What fills the places `{name}` in a project's texts.
///
/// A project with the key `variables` has such places, and every project has that is given values. A brace that
/// is none is written twice.
public struct ProjectVariables: Sendable, Hashable {
    /// What fills places, before what the project says itself.
    public var values: [String: String]
    /// What fills places that neither has a value for: `date` and `time` of now unless others are given.
    public var context: [String: String]

    public init(_ values: [String: String] = [:], context: [String: String] = [:]) {
        self.values = values
        self.context = context
    }

    /// Characters of a name (count).
    static let longestName = 64
    /// Variables of a project (count).
    static let most = 1000

    /// The variables `date` and `time` of a moment, in local time (`2026-03-09`, `14:05`).
    /// - Parameter seconds: since 1970; nil: now.
    public static func moment(_ seconds: Int? = nil) -> [String: String] {
        var (seconds, local) = (seconds ?? Glibc.time(nil), tm())
        localtime_r(&seconds, &local)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return [
            "date": "\(local.tm_year + 1900)-\(two(local.tm_mon + 1))-\(two(local.tm_mday))",
            "time": "\(two(local.tm_hour)):\(two(local.tm_min))",
        ]
    }
}

/// A text with places to be filled.
enum TextPlaces {
    enum Part: Equatable {
        case text(String)
        case place(String)
    }

    /// - Returns: nil where a brace opens and does not close.
    static func parts(of text: String) -> [Part]? {
        var parts: [Part] = []
        var plain = ""
        var rest = text[...]
        while let character = rest.first {
            rest.removeFirst()
            if "{}".contains(character), rest.first == character {
                plain.append(character)
                rest.removeFirst()
            } else if character == "{" {
                guard let end = rest.firstIndex(where: { "{}\n".contains($0) }), rest[end] == "}"
                else { return nil }
                if !plain.isEmpty { parts.append(.text(plain)) }
                plain = ""
                parts.append(.place(trimmed(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            } else {
                plain.append(character)
            }
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        return parts
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// Fills the places of a project's document.
struct ProjectFilling {
    private let values: [String: String]
    /// Those that must be given a value and have none.
    private var needed: Set<String> = []
    /// Names of all places, in the order of the text.
    private(set) var places: [String] = []

    /// - Parameters:
    ///   - node: the project.
    ///   - keepsPlaces: whether places without a value are left, to find out which there are.
    /// The values of a project's places without any others, by their names.
    static func values(
        of node: JSONValue, _ variables: ProjectVariables
    ) throws(JSONFailure) -> [String: String] {
        try ProjectFilling(node["variables"], variables, keepsPlaces: true).values
    }

    /// - Returns: nil where the project has no places.
    static func fill(
        _ node: JSONValue, _ variables: ProjectVariables, keepsPlaces: Bool = false
    ) throws(JSONFailure) -> (node: JSONValue, places: [String])? {
        let declared = node["variables"]
        guard declared != nil || !variables.values.isEmpty else { return nil }
        var filling = try ProjectFilling(declared, variables, keepsPlaces: keepsPlaces)
        let filled = try filling.filled(node, isWhole: true)
        return (filled, filling.places)
    }

    private let keepsPlaces: Bool

    private init(
        _ declared: JSONValue?, _ variables: ProjectVariables, keepsPlaces: Bool
    ) throws(JSONFailure) {
        self.keepsPlaces = keepsPlaces
        var values = ProjectVariables.moment()
        values.merge(variables.context) { $1 }
        for member in declared?.members ?? [] {
            switch member.value.content {
            case .string(let text): values[member.key] = text
            case .number(let text): values[member.key] = text
            case .null:
                values[member.key] = nil
                needed.insert(member.key)
            default: break
            }
        }
        values.merge(variables.values) { $1 }
        self.values = values
        needed.subtract(variables.values.keys)
    }

    private mutating func filled(
        _ node: JSONValue, isWhole: Bool = false
    ) throws(JSONFailure) -> JSONValue {
        switch node.content {
        case .null, .bool, .number: return node
        case .string(let text):
            return JSONValue(.string(try filled(text, node.position)), at: node.position)
        case .array(let elements):
            var result: [JSONValue] = []
            for element in elements { result.append(try filled(element)) }
            return JSONValue(.array(result), at: node.position)
        case .object(let members):
            var result: [JSONValue.Member] = []
            for member in members {
                let isLeft = isWhole && ["variables", "$schema", "schema"].contains(member.key)
                result.append(isLeft ? member : member.with(try filled(member.value)))
            }
            return JSONValue(.object(result), at: node.position)
        }
    }

    private mutating func filled(
        _ text: String, _ position: TextPosition
    ) throws(JSONFailure) -> String {
        guard let parts = TextPlaces.parts(of: text) else {
            throw JSONFailure(
                position: position,
                message:
                    "a \"{\" of this text has no \"}\"; write \"{{\" for a brace that is no variable"
            )
        }
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .place(let name):
                if !places.contains(name) { places.append(name) }
                result += try value(of: name, position)
            }
        }
        return result
    }

    private func value(
        of name: String, _ position: TextPosition
    ) throws(JSONFailure) -> String {
        if let value = values[name] { return value }
        if keepsPlaces { return "{\(name)}" }
        if needed.contains(name) {
            throw JSONFailure(
                position: position,
                message:
                    "the variable \"\(name)\" has no value; give it one, such as --set \(name)=TEXT, or write one "
                    + "in \"variables\""
            )
        }
        guard name != "take" else {
            throw JSONFailure(
                position: position,
                message:
                    "the variable \"take\" is there behind vcap record … --then only; give it a value, or write "
                    + "one in \"variables\"")
        }
        let near = nearest(to: name, among: values.keys.sorted())
        throw JSONFailure(
            position: position,
            message:
                "there is no variable \"\(name.prefix(ProjectVariables.longestName))\"; "
                + (near.map { "did you mean \"\($0)\"?" }
                    ?? "give it a value, or write \"{{\" for a brace that is no variable"))
    }
}
