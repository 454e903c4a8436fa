/// Writes JSON, and JSON5 for files that people change; keys in the order given.
package struct JSONWriter {
    /// How a text looks; what it says is the same.
    package enum Form: Sendable {
        /// All in one line, for protocols.
        case line
        /// Two spaces an indent, for people at a terminal: nothing in it steers one.
        case document
        /// The same for files of other programs' forms.
        case file
        /// As `file`, keys without quotes where possible, a comma after the last member.
        case json5
        /// As `JSONEncoder` of Foundation writes it pretty, which reports have looked like from the beginning.
        case report

        fileprivate var colon: String {
            switch self {
            case .line: ":"
            case .document, .file, .json5: ": "
            case .report: " : "
            }
        }
    }

    private let form: Form
    private var text = ""

    private init(form: Form) { self.form = form }

    /// Without a line feed at the end.
    package static func text(_ value: JSONValue, _ form: Form) -> String {
        var writer = JSONWriter(form: form)
        writer.write(value, 0)
        return writer.text
    }

    /// A text in quotes, for messages.
    package static func quoted(_ text: String) -> String {
        var writer = JSONWriter(form: .file)
        writer.quote(text)
        return writer.text
    }

    private mutating func write(_ value: JSONValue, _ depth: Int) {
        switch value.content {
        case .null: text += "null"
        case .bool(let isTrue): text += isTrue ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): quote(string)
        case .array(let values):
            block("[", "]", values, depth) { writer, element in writer.write(element, depth + 1) }
        case .object(let members):
            block("{", "}", members, depth) { writer, member in
                writer.write(key: member.key)
                writer.text += writer.form.colon
                writer.write(member.value, depth + 1)
            }
        }
    }

    private mutating func block<Element>(
        _ open: String, _ close: String, _ elements: [Element], _ depth: Int,
        _ body: (inout JSONWriter, Element) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            newLine(depth + 1)
            body(&self, element)
            if index < elements.count - 1 || form == .json5 { text += "," }
        }
        if !elements.isEmpty {
            newLine(depth)
        } else if form == .report {
            text += "\n"
            newLine(depth)
        }
        text += close
    }

    private mutating func newLine(_ depth: Int) {
        if form != .line { text += "\n" + String(repeating: "  ", count: depth) }
    }

    private mutating func write(key: String) {
        let isName =
            !key.isEmpty && !(key.utf8.first?.isDigit ?? true)
            && key.utf8.allSatisfy {
                $0.isDigit || $0 == 0x5F || (0x61...0x7A).contains($0 | 0x20) && $0 > 0x40
            }
        if form == .json5, isName { text += key } else { quote(key) }
    }

    private mutating func quote(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{8}" where form == .report: text += "\\b"
            case "\u{C}" where form == .report: text += "\\f"
            case _ where mustEscape(scalar):
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch form {
        case .line, .document: scalar.steersTerminals
        case .file, .json5: scalar.value < 0x20 || scalar.value == 0x7F || scalar.isLineEnd
        case .report: scalar.value < 0x20
        }
    }
}

extension JSONValue {
    /// One line, for protocols.
    package var compact: String { JSONWriter.text(self, .line) }

    /// Indented by two spaces, for people.
    package var pretty: String { JSONWriter.text(self, .document) }
}
