extension JSONValue {
    /// One line, for protocols.
    var compact: String {
        var text = ""
        write(to: &text, indent: nil)
        return text
    }

    /// Indented by two spaces, for people and files.
    var pretty: String {
        var text = ""
        write(to: &text, indent: 0)
        return text
    }

    private func write(to text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): JSONValue.quote(value, to: &text)
        case .array(let values):
            JSONValue.list(values, "[", "]", to: &text, indent) { value, text, inner in
                value.write(to: &text, indent: inner)
            }
        case .object(let members):
            JSONValue.list(members, "{", "}", to: &text, indent) { member, text, inner in
                JSONValue.quote(member.key, to: &text)
                text += indent == nil ? ":" : ": "
                member.value.write(to: &text, indent: inner)
            }
        }
    }

    private static func list<Element>(
        _ elements: [Element], _ open: String, _ close: String, to text: inout String,
        _ indent: Int?, _ write: (Element, inout String, Int?) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            if let indent { text += "\n" + String(repeating: " ", count: indent + 2) }
            write(element, &text, indent.map { $0 + 2 })
        }
        if let indent, !elements.isEmpty { text += "\n" + String(repeating: " ", count: indent) }
        text += close
    }

    private static func quote(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where VisibleText.steers(scalar):
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
