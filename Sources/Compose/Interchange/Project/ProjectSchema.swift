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
        if let (one, other) = table.alternatives {
            let both = [JSON5Writer.Value.text(one), .text(other)]
            keys.add("not", .record([("required", .list(both))]))
        }
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
        case .length:
            keys.add(
                "anyOf", numberOrText(0...86_400, SchemaPattern.length, lower: "exclusiveMinimum"))
        case .rate: keys.add("anyOf", numberOrText(1...1000, SchemaPattern.ratio))
        case .speed: keys.add("anyOf", numberOrText(0.01...100, SchemaPattern.ratio))
        case .size:
            keys.add("type", .text("string"))
            let heights = ProjectText.heights.keys.sorted().joined(separator: "|")
            keys.add("pattern", .text("^(\(SchemaPattern.even)x\(SchemaPattern.even)|\(heights))$"))
        case .color:
            keys.add("type", .text("string"))
            keys.add("pattern", .text("^\(SchemaPattern.color)$"))
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
        _ range: ClosedRange<Double>, _ pattern: String, lower: String = "minimum"
    ) -> [JSON5Writer.Value] {
        [
            .record([
                ("type", .text("number")), (lower, .double(range.lowerBound)),
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
    private static let fraction = "(\\.[0-9]{1,18})?"
    private static let nothing = "(\\.0{1,18})?"
    private static let secondsOfDay =
        "0{0,12}([0-9]{1,4}|[1-7][0-9]{4}|8[0-5][0-9]{3}|86[0-3][0-9]{2})\(fraction)"
        + "|0{0,12}86400\(nothing)"
    private static let minutesOfDay = "([0-9]{1,3}|0[0-9]{3}|1[0-3][0-9]{2}|14[0-3][0-9])"
    private static let hoursOfDay = "([01]?[0-9]|2[0-3])"
    private static let hours =
        "(0{0,12}\(hoursOfDay)\(fraction)h|0{0,12}24\(nothing)h)"
    private static let minutes =
        "(0{0,12}\(minutesOfDay)\(fraction)m|0{0,12}1440\(nothing)m)"
    private static let clock =
        "0{0,2}\(hoursOfDay):[0-5]?[0-9]:[0-5]?[0-9]\(fraction)|0{0,2}24:00?:00?\(nothing)"
        + "|\(minutesOfDay):[0-5]?[0-9]\(fraction)|1440:00?\(nothing)"
    private static let times =
        "(\(secondsOfDay)|\(number)[eE]-?[0-9]{1,3}|[0-9]+/\(positive)|\(clock)"
        + "|(?=[0-9])\(hours)?\(minutes)?((\(secondsOfDay))s)?(\(number)ms)?(\(number)us)?)"
    /// Before a time: it has a digit other than 0 that is none of an exponent or divisor.
    private static let aboveZero = "(?=[^eE/]*[1-9])"
    /// `90`, `1m30s`, `00:01:30.5`, `1001/30000`; units each once, from large to small, none above a day.
    /// Sums of units, exponents and fractions can be more, which only the reader finds.
    static let time = "^\(times)$"
    /// The same, above zero.
    static let length = "^\(aboveZero)\(times)$"
    static let color =
        "(#([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|"
        + Color.projectNames.map(\.0).joined(separator: "|") + ")"
    /// `cut`, `dissolve:1s`, `push-left:500ms`, `fade-white:1s`.
    static let transition =
        "^(cut|(dissolve|crossfade|(push|wipe)(-(left|right|up|down))?|fade(-\(color))?)"
        + ":\(aboveZero)\(times))$"
    /// `2`, `0.5`, `30000/1001`; not zero.
    static let ratio = "^(?=.*[1-9])(\(decimal)|\(positive)/\(positive))$"
    /// An even side of a frame.
    static let even = "[0-9]*[02468]"
}
