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
        case .time: keys.add("type", .list([.text("number"), .text("string")]))
        case .rate, .speed:
            keys.add("type", .list([.text("number"), .text("string")]))
        case .size:
            keys.add("type", .text("string"))
            let heights = ProjectText.heights.keys.sorted().joined(separator: "|")
            keys.add("pattern", .text("^([0-9]+x[0-9]+|\(heights))$"))
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

    private static func merged(
        _ keys: KeyList, _ value: JSON5Writer.Value
    ) -> JSON5Writer.Value {
        guard case .record(let own) = keys.value, case .record(let other) = value else {
            return value
        }
        return .record(own + other)
    }
}
