internal import Media

/// The JSON schema (2020-12) of project files, made from the reader's own tables.
enum ProjectSchema {
    static var text: String {
        let head: [(String, JSONValue)] = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", "vcap.film/1"),
        ]
        return JSONWriter.text(.object(head + record(ProjectTables.project.shape)), .file) + "\n"
    }

    private static func record(_ shape: ProjectShape) -> [(String, JSONValue)] {
        var keys: [(String, JSONValue)] = [("type", "object")]
        let properties = shape.keys.map { key in
            (
                key.name,
                JSONValue.object([("description", JSONValue.string(key.about))] + value(key.kind))
            )
        }
        keys.append(("properties", .object(properties)))
        let required = shape.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { keys.append(("required", .array(required))) }
        keys.append(("additionalProperties", .bool(false)))
        if !shape.oneNeeded.isEmpty {
            keys.append(
                (
                    "oneOf",
                    .array(
                        shape.oneNeeded.map {
                            .object([("required", .array([.string($0)]))])
                        })
                ))
        }
        if !shape.dependent.isEmpty {
            let needs = shape.dependent.sorted { $0.key < $1.key }
                .map { ($0.key, JSONValue.array([.string($0.value)])) }
            keys.append(("dependentRequired", .object(needs)))
        }
        if !shape.alternatives.isEmpty {
            let both = JSONValue.array(shape.alternatives.map(JSONValue.string))
            keys.append(("not", .object([("required", both)])))
        }
        return keys
    }

    private static func value(_ kind: ProjectKind) -> [(String, JSONValue)] {
        switch kind {
        case .flag: [("type", "boolean")]
        case .text(let most): [("type", "string"), ("maxLength", .integer(most))]
        case .path: [("type", "string"), ("minLength", .integer(1))]
        case .number(let range):
            [
                ("type", "number"), ("minimum", .shortNumber(range.lowerBound)),
                ("maximum", .shortNumber(range.upperBound)),
            ]
        case .whole(let range):
            [
                ("type", "integer"), ("minimum", .integer(range.lowerBound)),
                ("maximum", .integer(range.upperBound)),
            ]
        case .time: numberOrText(0...86_400, SchemaPattern.time)
        case .length: numberOrText(0...86_400, SchemaPattern.length, lower: "exclusiveMinimum")
        case .delay: numberOrText(-86_400...86_400, SchemaPattern.delay)
        case .rate: numberOrText(1...1000, SchemaPattern.ratio)
        case .speed: numberOrText(0.01...100, SchemaPattern.ratio)
        case .frequency(let range):
            numberOrText(
                Double(range.lowerBound)...Double(range.upperBound), SchemaPattern.frequency)
        case .size: [("type", "string"), ("pattern", .string(SchemaPattern.size))]
        case .color: [("type", "string"), ("pattern", .string("^\(SchemaPattern.color)$"))]
        case .choice(let words):
            [
                (
                    "enum",
                    .array(
                        words.map {
                            ProjectKind.isNumber($0) ? .number(written: $0) : .string($0)
                        })
                )
            ]
        case .phrase(_, let pattern): [("type", "string"), ("pattern", .string(pattern))]
        case .texts:
            [
                ("type", "object"), ("maxProperties", .integer(ProjectVariables.most)),
                (
                    "additionalProperties",
                    .object([("type", .array(["string", "number", "null"]))])
                ),
            ]
        case .list(let kind, let most):
            [("type", "array"), ("maxItems", .integer(most)), ("items", .object(value(kind)))]
        case .several(let kind, let most):
            [
                (
                    "anyOf",
                    .array([.object(value(kind)), .object(value(.list(kind, most: most)))])
                )
            ]
        case .record(let shape): record(shape)
        case .short(let kind, let shape):
            [("anyOf", .array([.object(value(kind)), .object(record(shape))]))]
        }
    }

    private static func numberOrText(
        _ range: ClosedRange<Double>, _ pattern: String, lower: String = "minimum"
    ) -> [(String, JSONValue)] {
        let number = JSONValue.object([
            ("type", "number"), (lower, .shortNumber(range.lowerBound)),
            ("maximum", .shortNumber(range.upperBound)),
        ])
        let text = JSONValue.object([("type", "string"), ("pattern", .string(pattern))])
        return [("anyOf", .array([number, text]))]
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
    /// `10:00:00:00`, `10:00:00;00`.
    static let timeCode =
        "^([01][0-9]|2[0-3])(:[0-5][0-9]:[0-5][0-9][:;.]|;[0-5][0-9];[0-5][0-9][;.])[0-9]{2,3}$"
    /// Before a time: it has a digit other than 0 that is none of an exponent or divisor.
    private static let aboveZero = "(?=[^eE/]*[1-9])"
    /// `90`, `1m30s`, `00:01:30.5`, `1001/30000`; units each once, from large to small, none above a day.
    /// Sums of units, exponents and fractions can be more, which only the reader finds.
    static let time = "^\(times)$"
    /// The same with a sign.
    static let delay = "^-?\(times)$"
    /// The same, above zero.
    static let length = "^\(aboveZero)\(times)$"
    static let color =
        "(#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|"
        + Color.projectNames.map(\.0).joined(separator: "|") + ")"
    /// `cut`, `dissolve:1s`, `push-left:500ms`, `fade-white:1s`, `iris:1s:ease-in`, `luma-clouds.png:1s`.
    static let transition =
        "^(cut|(dissolve|crossfade|(push|wipe)(-(left|right|up|down))?|fade(-\(color))?"
        + "|zoom(-out)?|iris(-close)?|luma-.+):\(aboveZero)\(times)(:\(curves))?)$"
    /// `j:500ms`, `l:1s`, `crossfade:200ms`.
    static let audioCut = "^(j|l|crossfade):\(times)$"
    /// `ease-in-out`, `cubic-bezier(0.2, 0, 0, 1)`; the first and third number from 0 to 1.
    static let curve = "^\(curves)$"
    private static let curves: String = {
        let share = " *(0?\\.[0-9]{1,18}|0|1(\\.0{1,18})?)([eE]-[0-9]{1,3})? *"
        let free = " *-?([0-9]{1,2}|[0-9]{0,2}\\.[0-9]{1,18}|100(\\.0{1,18})?)([eE]-[0-9]{1,3})? *"
        return "(linear|ease|ease-in|ease-out|ease-in-out|"
            + "cubic-bezier\\(\(share),\(free),\(share),\(free)\\))"
    }()
    /// `color:#336699`, `gradient:white:#336699:45`, `bars:ebu`, `counter:down:10s`.
    static let generator: String = {
        let angle = "-?([0-9]{1,2}|[12][0-9]{2}|3[0-5][0-9]|360)(\\.[0-9]{1,18})?"
        return "^(color:\(color)|gradient(:\(color)){2,16}(:(radial|\(angle)))?"
            + "|bars(:(smpte|ebu|ebu-100))?|counter(:(up|down))?(:\(times))?)$"
    }()
    /// `auto`, `in`, `1@50,50:1.4@70,30`.
    static let motion: String = {
        let zoom = "([1-9](\\.[0-9]{1,18})?|10(\\.0{1,18})?)"
        let share = "([0-9]{1,2}(\\.[0-9]{1,18})?|100(\\.0{1,18})?)"
        let view = "\(zoom)@\(share),\(share)"
        return "^(none|auto|in|out|left|right|up|down|\(view):\(view))$"
    }()
    /// `0/0 0.5/0.6 1/1`.
    static let toneCurve: String = {
        let share = "([01](\\.[0-9]{1,18})?|\\.[0-9]{1,18}|[0-9](\\.[0-9]{1,18})?e-[0-9]{1,3})"
        return "^ *\(share)/\(share)( +\(share)/\(share)){1,31} *$"
    }()
    /// `2`, `0.5`, `30000/1001`; not zero.
    static let ratio = "^(?=.*[1-9])(\(decimal)|\(positive)/\(positive))$"
    /// `80Hz`, `62.5 Hz`; from 20 to 1000.
    static let frequency =
        "^(([2-9][0-9]|[1-9][0-9]{2})(\\.[0-9]{1,18})?|1000(\\.0{1,18})?) ?[Hh][Zz]$"
    /// Two even sides of a frame, or a usual height.
    static let size: String = {
        let even = "[0-9]*[02468]"
        return "^(\(even)x\(even)|" + ProjectText.heights.keys.sorted().joined(separator: "|")
            + ")$"
    }()
}
