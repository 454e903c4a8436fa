import Media

/// A table in a text file: comma, semicolon or tab between values, quotes around those that hold them
/// (RFC 4180). The first row names the columns.
struct DataTable: Sendable, Equatable {
    struct Row: Sendable, Equatable {
        /// From 1, without the row of names.
        let number: Int
        /// Where it begins in the file, from 1.
        let line: Int
        let values: [String: String]
    }

    let columns: [String]
    let rows: [Row]

    private static let contents = FileContents("table", most: 16_000_000, refusal: .damagedFile)

    init(path: String) throws(CommandFailure) {
        let bytes: [UInt8]
        do throws(MediaError) { bytes = try Self.contents.read(path) } catch {
            throw CommandFailure(error, while: .reading)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                .badData, "\(path) is not in UTF-8; save it as \"CSV UTF-8\"")
        }
        do { try self.init(text) } catch {
            throw CommandFailure(.badData, "\(path):\(error.line): \(error.message)")
        }
    }

    struct Mistake: Error, Equatable {
        let line: Int
        let message: String
    }

    init(_ text: String) throws(Mistake) {
        var records = try Self.records(text)
        // what a spreadsheet leaves behind: lines, and columns at the end, without anything
        records.removeAll { $0.fields.allSatisfy { Self.trimmed($0).isEmpty } }
        guard var names = records.first else {
            throw Mistake(line: 1, message: "it is empty; its first row names the columns")
        }
        while names.fields.count > 1, Self.trimmed(names.fields[names.fields.count - 1]).isEmpty {
            let last = names.fields.count - 1
            guard
                records.dropFirst().allSatisfy({
                    $0.fields.count <= last || $0.fields[last].isEmpty
                })
            else { break }
            names.fields.removeLast()
            for index in records.indices where records[index].fields.count > last {
                records[index].fields.removeLast()
            }
        }
        columns = names.fields.map(Self.trimmed)
        for (index, name) in columns.enumerated() {
            guard !name.isEmpty, !name.contains(where: { "{}".contains($0) || $0.isNewline }) else {
                throw Mistake(
                    line: names.line,
                    message: "column \(index + 1) has no name that can be written between braces")
            }
            guard columns.firstIndex(of: name) == index else {
                throw Mistake(line: names.line, message: "two columns are called \"\(name)\"")
            }
        }
        var rows: [Row] = []
        for record in records.dropFirst() {
            guard record.fields.count == columns.count else {
                throw Mistake(
                    line: record.line,
                    message:
                        "this row has \(Amounts.count(record.fields.count, "value")), and there are "
                        + Amounts.count(columns.count, "column"))
            }
            rows.append(
                Row(
                    number: rows.count + 1, line: record.line,
                    values: Dictionary(uniqueKeysWithValues: zip(columns, record.fields))))
        }
        guard !rows.isEmpty else {
            throw Mistake(line: names.line, message: "it has no row below the columns' names")
        }
        self.rows = rows
    }

    private static func trimmed(_ text: String) -> String {
        let text = text.drop { $0.isWhitespace }
        return String(text.reversed().drop { $0.isWhitespace }.reversed())
    }

    private static func records(
        _ text: String
    ) throws(Mistake) -> [(line: Int, fields: [String])] {
        // a mark of the byte order is none of the first name
        var rest = text.unicodeScalars[...]
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
        let stated = statedSeparator(of: &rest)
        let separator = stated ?? separator(of: rest)
        var records: [(line: Int, fields: [String])] = []
        let first = stated == nil ? 1 : 2
        var (line, start, field, fields) = (first, first, "", [String]())
        var (isQuoted, wasQuoted, isBegun) = (false, false, false)
        func endField() {
            fields.append(field)
            (field, wasQuoted) = ("", false)
        }
        func endRecord() {
            endField()
            records.append((start, fields))
            (fields, isBegun) = ([], false)
        }
        while let scalar = rest.popFirst() {
            if !isBegun { (start, isBegun) = (line, true) }
            let isEnd = scalar == "\n" || scalar == "\r" && rest.first != "\n"
            if isEnd { line += 1 }
            if isQuoted {
                if scalar != "\"" {
                    field.unicodeScalars.append(scalar)
                } else if rest.first == "\"" {
                    field.unicodeScalars.append(scalar)
                    rest.removeFirst()
                } else {
                    isQuoted = false
                }
            } else if scalar == "\"", field.isEmpty, !wasQuoted {
                (isQuoted, wasQuoted) = (true, true)
            } else if scalar == separator {
                endField()
            } else if isEnd {
                endRecord()
            } else if scalar == "\r" {
                continue
            } else if wasQuoted {
                throw Mistake(
                    line: line,
                    message: "there is something between a closing quote and the next value")
            } else {
                field.unicodeScalars.append(scalar)
            }
        }
        guard !isQuoted else {
            throw Mistake(line: start, message: "a quote that opens in this row does not close")
        }
        if isBegun { endRecord() }
        return records
    }

    /// What a first line such as `sep=;` says, which is then taken away.
    private static func statedSeparator(
        of text: inout Substring.UnicodeScalarView
    ) -> Unicode.Scalar? {
        let mark = "sep=".unicodeScalars
        guard text.starts(with: mark) else { return nil }
        var rest = text.dropFirst(mark.count)
        guard let separator = rest.popFirst(), [",", ";", "\t"].contains(separator) else {
            return nil
        }
        if rest.first == "\r" { rest.removeFirst() }
        if rest.first == "\n" { rest.removeFirst() }
        text = rest
        return separator
    }

    /// What is found most in the first line, outside of quotes.
    private static func separator(of text: Substring.UnicodeScalarView) -> Unicode.Scalar {
        var counts: [Unicode.Scalar: Int] = [:]
        var isQuoted = false
        for scalar in text {
            if scalar == "\"" { isQuoted.toggle() }
            if scalar == "\n" || scalar == "\r", !isQuoted { break }
            if !isQuoted, [",", ";", "\t"].contains(scalar) { counts[scalar, default: 0] += 1 }
        }
        return [",", ";", "\t"].max { (counts[$0] ?? 0) < (counts[$1] ?? 0) } ?? ","
    }
}
