/// Writes JSON5 and JSON with a stable form: keys in the order given, two spaces an indent.
struct JSON5Writer {
    enum Form: Sendable {
        /// Keys without quotes where possible, a comma after the last member.
        case json5
        case json
    }

    indirect enum Value: Sendable, Equatable {
        case flag(Bool)
        /// As it shall be written.
        case number(String)
        case text(String)
        case null
        case list([Value])
        case record([(String, Value)])

        static func == (left: Value, right: Value) -> Bool {
            JSON5Writer.text(left, .json) == JSON5Writer.text(right, .json)
        }

        static func integer(_ value: some BinaryInteger) -> Value { .number("\(value)") }
        static func double(_ value: Double) -> Value {
            let text = "\(value)"
            return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        }

        fileprivate var isShort: Bool {
            switch self {
            case .list(let list): list.isEmpty
            case .record(let members): members.isEmpty
            default: true
            }
        }
    }

    static func text(_ value: Value, _ form: Form) -> String {
        var writer = JSON5Writer(form: form)
        writer.write(value, 0)
        return writer.text + "\n"
    }

    private let form: Form
    private var text = ""

    private init(form: Form) { self.form = form }

    private mutating func write(_ value: Value, _ depth: Int) {
        switch value {
        case .null: text += "null"
        case .flag(let flag): text += flag ? "true" : "false"
        case .number(let number): text += number
        case .text(let string): text += Self.quoted(string)
        case .list(let list):
            block("[", "]", list, depth) { writer, element in writer.write(element, depth + 1) }
        case .record(let members):
            block("{", "}", members, depth) { writer, member in
                writer.text += writer.key(member.0) + ": "
                writer.write(member.1, depth + 1)
            }
        }
    }

    private mutating func block<Element>(
        _ open: String, _ close: String, _ elements: [Element], _ depth: Int,
        _ body: (inout JSON5Writer, Element) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            text += "\n" + String(repeating: "  ", count: depth + 1)
            body(&self, element)
            if index < elements.count - 1 || form == .json5 { text += "," }
        }
        if !elements.isEmpty { text += "\n" + String(repeating: "  ", count: depth) }
        text += close
    }

    private func key(_ key: String) -> String {
        let isName =
            !key.isEmpty && !(key.utf8.first?.isDigit ?? true)
            && key.utf8.allSatisfy {
                $0.isDigit || $0 == 0x5F || (0x61...0x7A).contains($0 | 0x20) && $0 > 0x40
            }
        return form == .json5 && isName ? key : Self.quoted(key)
    }

    static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.isLineEnd:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
