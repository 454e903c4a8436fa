internal import Media

extension Slate {
    /// Reads the text of a code that anybody may have written.
    /// - Parameter text: what a QR code says.
    /// - Returns: `nil` for a code that is no slate at all.
    public static func reading(_ text: String) -> Reading? {
        guard text.hasPrefix(scheme) else { return nil }
        guard text.utf8.count <= longestText else {
            return .refused("it is longer than \(longestText) bytes")
        }
        let rest = text.dropFirst(scheme.count)
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let version = parts.first else {
            return .refused("it has no version and keys (\(scheme)\(self.version)?title=…)")
        }
        guard version == self.version else {
            let isNumber = (1...6).contains(version.count) && version.allSatisfy(\.isASCIIDigit)
            return .refused(
                isNumber
                    ? "it is of version \(version), and version \(self.version) is what can be read"
                    : "its version is no number")
        }
        do throws(Refusal) { return .slate(try slate(parts[1])) } catch {
            return .refused(error.reason)
        }
    }

    private struct Refusal: Error { let reason: String }

    private static func slate(_ query: Substring) throws(Refusal) -> Slate {
        var values: [String: String] = [:]
        var slate = Slate()
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(sides[0])
            guard known.contains(key) else {
                // said to people: a name, and not whatever stands there
                let isWord = (1...32).contains(key.utf8.count) && key.utf8.allSatisfy(isWordByte)
                slate.unknownKeys.append(isWord ? key : "?")
                continue
            }
            guard values[key] == nil else { throw Refusal(reason: "\(key) is given twice") }
            values[key] = sides.count == 2 ? try value(sides[1], of: key) : ""
        }
        func text(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }
        slate.title = text("title")
        slate.scene = text("scene")
        slate.take = text("take")
        slate.marker = text("marker")
        slate.action = text("do")
        if let action = slate.action {
            guard action.utf8.count <= 32, action.utf8.allSatisfy(isWordByte) else {
                throw Refusal(reason: "what it asks for is no word")
            }
        }
        if clockKeys.contains(where: { values[$0] != nil }) {
            guard slate.isEmpty else {
                throw Refusal(reason: "it is a running clock and says other things too")
            }
            slate.clock = try clock(values)
        }
        guard !slate.isEmpty else { throw Refusal(reason: "it says nothing") }
        return slate
    }

    private static let clockKeys = ["clock", "time", "step"]
    private static let known = Set(["title", "scene", "take", "marker", "do"] + clockKeys)

    private static func clock(_ values: [String: String]) throws(Refusal) -> Clock {
        let name = values["clock"] ?? ""
        let isName =
            (1...16).contains(name.utf8.count)
            && name.utf8.allSatisfy { isWordByte($0) && $0 != UInt8(ascii: "-") }
        guard isName else {
            throw Refusal(reason: "the clock's name is not 1 to 16 letters and digits")
        }
        // a year of milliseconds since 1970 has thirteen digits
        guard let time = number(values["time"], digits: 15) else {
            throw Refusal(reason: "the clock's time is no number of milliseconds")
        }
        guard let step = number(values["step"], digits: 5), (1...60_000).contains(step) else {
            throw Refusal(reason: "the clock's step is not 1 to 60000 milliseconds")
        }
        return Clock(name: name, milliseconds: time, step: step)
    }

    private static func number(_ text: String?, digits: Int) -> Int64? {
        guard let text, (1...digits).contains(text.utf8.count),
            text.allSatisfy(\.isASCIIDigit)
        else { return nil }
        return Int64(text)
    }

    /// Letters, digits and hyphens of ASCII.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Undoes `%XX`.
    private static func value(_ text: Substring, of key: String) throws(Refusal) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2 else {
                throw Refusal(reason: "\(key) has a % without two hexadecimal digits behind it")
            }
            rest = rest.dropFirst(2)
            bytes.append(UInt8(digits[0] * 16 + digits[1]))
        }
        guard bytes.count <= longestValue else {
            throw Refusal(reason: "\(key) is longer than \(longestValue) bytes")
        }
        guard let value = String(validating: bytes, as: UTF8.self),
            !value.unicodeScalars.contains("\u{FFFD}")
        else { throw Refusal(reason: "\(key) is no UTF-8 text") }
        guard !value.unicodeScalars.contains(where: \.steersTerminals) else {
            throw Refusal(reason: "\(key) has characters that cannot be seen")
        }
        return value
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
