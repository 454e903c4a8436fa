import Media

/// Words of others (file names, titles, markers, labels of devices) as they may stand on a terminal or in a
/// line of a log: what would steer the terminal, or break the line, is written out.
enum VisibleText {
    /// One line: `\n`, `\t`, `\x1B`, `\u202E` for what is no visible character.
    static func line(_ text: String) -> String { escaped(text, keeping: "") }

    /// Lines and columns stay as they are.
    static func lines(_ text: String) -> String { escaped(text, keeping: "\n\t") }

    private static func escaped(_ text: String, keeping kept: String) -> String {
        func isHidden(_ scalar: Unicode.Scalar) -> Bool {
            scalar.steersTerminals && !kept.unicodeScalars.contains(scalar)
        }
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar) {
                result += name(of: scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let hex = String(scalar.value, radix: 16, uppercase: true)
            let width = scalar.value < 0x100 ? 2 : 4
            let digits = String(repeating: "0", count: max(0, width - hex.count)) + hex
            return (width == 2 ? "\\x" : "\\u") + digits
        }
    }
}
