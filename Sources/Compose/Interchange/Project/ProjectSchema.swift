/// The JSON schema (2020-12) of project files, made from the reader's own tables.
enum ProjectSchema {
    static var text: String {
        let root = record(ProjectTables.project) { keys in
            keys.add("$schema", .text("https://json-schema.org/draft/2020-12/schema"))
            keys.add("title", .text("vcap.film/1"))
        }
        return JSON5Writer.text(root, .json)
    }

    private static func record(
        _ table: ProjectTable, first: (inout KeyList) -> Void = { _ in }
    ) -> JSON5Writer.Value {
        var keys = KeyList()
        first(&keys)
        keys.add("type", .text("object"))
        keys.add(
            "properties",
            .record(table.keys.map { key in (key.name, value(key.kind, about: key.about)) }))
        let required = table.keys.filter(\.isRequired).map { JSON5Writer.Value.text($0.name) }
        keys.add("required", required)
        keys.add("additionalProperties", .flag(false))
        return keys.value
    }

    private static func value(_ kind: ProjectKind, about: String? = nil) -> JSON5Writer.Value {
        var keys = KeyList()
        if let about { keys.add("description", .text(about)) }
        switch kind {
        case .flag: keys.add("type", .text("boolean"))
        case .text(let most):
            keys.add("type", .text("string"))
            keys.add("maxLength", .integer(most))
        case .path:
            keys.add("type", .text("string"))
            keys.add("minLength", .integer(1))
        case .number(let range):
            keys.add("type", .text("number"))
            keys.add("minimum", .double(range.lowerBound))
            keys.add("maximum", .double(range.upperBound))
        case .time: keys.add("anyOf", numberOrText(0...86_400, SchemaPattern.time))
        case .rate: keys.add("anyOf", numberOrText(1...1000, SchemaPattern.ratio))
        case .speed: keys.add("anyOf", numberOrText(0.01...100, SchemaPattern.ratio))
        case .size:
            keys.add("type", .text("string"))
            let heights = ProjectText.heights.keys.sorted().joined(separator: "|")
            keys.add("pattern", .text("^(\(SchemaPattern.even)x\(SchemaPattern.even)|\(heights))$"))
        case .color:
            keys.add("type", .text("string"))
            let names = Color.projectNames.map(\.0).joined(separator: "|")
            keys.add("pattern", .text("^(#([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|\(names))$"))
        case .choice(let words):
            keys.add("enum", words.map { ProjectKind.isNumber($0) ? .number($0) : .text($0) })
        case .phrase(_, let pattern, _):
            keys.add("type", .text("string"))
            keys.add("pattern", .text(pattern))
        case .list(let kind, let most):
            keys.add("type", .text("array"))
            keys.add("maxItems", .integer(most))
            keys.add("items", value(kind))
        case .record(let table): return merged(keys, record(table))
        case .short(let kind, let table):
            keys.add("anyOf", [value(kind), record(table)])
        }
        return keys.value
    }

    private static func numberOrText(
        _ range: ClosedRange<Double>, _ pattern: String
    ) -> [JSON5Writer.Value] {
        [
            .record([
                ("type", .text("number")), ("minimum", .double(range.lowerBound)),
                ("maximum", .double(range.upperBound)),
            ]),
            .record([("type", .text("string")), ("pattern", .text(pattern))]),
        ]
    }

    private static func merged(
        _ keys: KeyList, _ value: JSON5Writer.Value
    ) -> JSON5Writer.Value {
        guard case .record(let own) = keys.value, case .record(let other) = value else {
            return value
        }
        return .record(own + other)
    }
}

/// Patterns (ECMA 262) of texts as the reader takes them.
enum SchemaPattern {
    private static let number = "[0-9]{1,18}(\\.[0-9]{1,18})?"
    private static let decimal = "\(number)([eE]-?[0-9]{1,3})?"
    private static let positive = "0*[1-9][0-9]*"
    /// `90`, `1m30s`, `00:01:30.5`, `1001/30000`; units each once, from large to small.
    static let time =
        "^(\(decimal)|[0-9]+/\(positive)|[0-9]{1,4}(:[0-5]?[0-9])?:[0-5]?[0-9](\\.[0-9]{1,18})?"
        + "|(?=.)(\(number)h)?(\(number)m)?(\(number)s)?(\(number)ms)?(\(number)us)?)$"
    /// `2`, `0.5`, `30000/1001`; not zero.
    static let ratio = "^(?=.*[1-9])(\(decimal)|\(positive)/\(positive))$"
    /// An even side of a frame.
    static let even = "[0-9]*[02468]"
}
