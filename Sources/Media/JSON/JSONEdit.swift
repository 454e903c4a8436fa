/// Sets keys of an object in its text. Everything else stays as it was written: order, comments, layout.
package struct JSONEdit {
    private struct Change {
        let range: Range<Int>
        let text: String
    }

    private let bytes: [UInt8]
    private let members: [JSONValue.Member]
    private let dialect: JSONParser.Dialect

    /// - Throws: for what is no text of an object.
    package init(_ bytes: [UInt8], as dialect: JSONParser.Dialect) throws(JSONFailure) {
        let value = try JSONParser.parse(bytes, as: dialect)
        guard let members = value.members else {
            throw JSONFailure(
                position: value.position, message: "expected an object, not \(value.kind)")
        }
        (self.bytes, self.members, self.dialect) = (bytes, members, dialect)
    }

    /// The text with these keys: in the place of those that are there, else behind the last one.
    package func setting(_ keys: [(String, JSONValue)]) throws(JSONFailure) -> [UInt8] {
        var changes: [Change] = []
        var added: [(String, JSONValue)] = []
        for (key, value) in keys {
            if let member = members.first(where: { $0.key == key }) {
                changes.append(Change(range: member.valueBytes, text: Self.text(of: value)))
            } else {
                added.append((key, value))
            }
        }
        if !added.isEmpty { changes += try adding(added) }
        var result = bytes
        // from behind, so that places stay what they are
        for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            result.replaceSubrange(change.range, with: Array(change.text.utf8))
        }
        return result
    }

    private static func text(of value: JSONValue) -> String { JSONWriter.text(value, .line) }

    private func adding(_ keys: [(String, JSONValue)]) throws(JSONFailure) -> [Change] {
        guard let last = members.last else {
            throw JSONFailure(position: .start, message: "the object has no key yet")
        }
        let first = bytes[last.keyOffset]
        let isQuoted = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
        let lines = keys.map { key, value in
            (isQuoted ? JSONWriter.quoted(key) : key) + ": " + Self.text(of: value)
        }
        let end = last.valueBytes.upperBound
        guard let indent = indentation(of: last) else {
            return [Change(range: end..<end, text: lines.map { ", " + $0 }.joined())]
        }
        let comma = try placeOfComma(behind: end)
        let place = placeOfLineEnd(from: comma ?? end)
        let newline = place < bytes.count && bytes[place] == UInt8(ascii: "\r") ? "\r\n" : "\n"
        let written = lines.joined(separator: "," + newline + indent)
        let addition = newline + indent + written + (comma == nil ? "" : ",")
        let block = Change(range: place..<place, text: addition)
        if comma != nil { return [block] }
        if place == end { return [Change(range: end..<end, text: "," + addition)] }
        return [Change(range: end..<end, text: ","), block]
    }

    /// What a key's line begins with; nil where it does not stand on a line of its own.
    private func indentation(of member: JSONValue.Member) -> String? {
        let start = bytes[..<member.keyOffset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
        guard let start else { return nil }
        let indent = bytes[start..<member.keyOffset]
        guard indent.allSatisfy(\.isBlank) else { return nil }
        return String(decoding: indent, as: UTF8.self)
    }

    /// Behind the comma that follows; nil where the object ends.
    private func placeOfComma(behind end: Int) throws(JSONFailure) -> Int? {
        var parser = JSONParser(dialect: dialect, cursor: JSONCursor(bytes))
        parser.cursor.advance(end)
        try parser.skipSpace()
        return parser.cursor.byte == UInt8(ascii: ",") ? parser.cursor.offset + 1 : nil
    }

    /// Behind a comment that ends the line; the same place where more follows in it.
    private func placeOfLineEnd(from place: Int) -> Int {
        let end =
            bytes[place...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            ?? bytes.count
        let rest = bytes[place..<end].drop(while: \.isBlank)
        return rest.isEmpty || rest.starts(with: Array("//".utf8)) ? end : place
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
