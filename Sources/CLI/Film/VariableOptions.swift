import Compose
import Media

/// What fills the places `{name}` in a project's texts.
enum VariableOptions {
    static let set = Option<SetVariable>(
        nil, "set", .variable, "a value for the places {NAME} in the project's texts",
        isRepeatable: true)
    static let data = Option<String>(
        nil, "data", .path("FILE.csv"),
        "a table whose columns are variables: a film for each of its rows; {NAME} in -o and --contact-sheet is "
            + "filled, too")
    static let rows = Option<RowSelection>(
        nil, "rows", .rows, "only these rows of --data", default: .described("all of them"))

    /// For what makes films of operands.
    static let ofRows = Command.Group(title: "Rows", options: [data.spec, rows.spec])

    /// What is typed.
    static func values(_ arguments: Arguments) throws(CommandFailure) -> [String: String] {
        var values: [String: String] = [:]
        for variable in try arguments.all(set) {
            guard values.updateValue(variable.value, forKey: variable.name) == nil else {
                throw CommandFailure(.usage, "--set gives \(variable.name) twice: leave one out")
            }
        }
        return values
    }
}

struct SetVariable: Sendable, Equatable {
    let name: String
    let value: String
}

/// Rows by their numbers from 1; of a range without an end the end is the largest number.
struct RowSelection: Sendable, Equatable {
    let ranges: [ClosedRange<Int>]

    func contains(_ number: Int) -> Bool { ranges.contains { $0.contains(number) } }
}

extension ValueKind where Value == SetVariable {
    static var variable: ValueKind {
        ValueKind("NAME=TEXT", expected: "a variable and its value such as name=Anna") { text in
            let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, !pair[0].isEmpty,
                !pair[0].contains(where: { "{}\n".contains($0) })
            else { return nil }
            return SetVariable(
                name: String(pair[0]), value: TitleValue.lines(of: String(pair[1])))
        }
    }
}

extension ValueKind where Value == RowSelection {
    static var rows: ValueKind {
        ValueKind(
            "N|N..M,…",
            expected: "numbers of rows from 1 such as 3, 1..10, 1,4..6 or 4.. (to the last)"
        ) { text in
            var ranges: [ClosedRange<Int>] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let ends = part.replacing("..", with: " ").split(
                    separator: " ", omittingEmptySubsequences: false)
                guard ends.count < 3, let first = ends.first.flatMap({ Int($0) }), first > 0,
                    let last = ends.last.flatMap({ $0.isEmpty ? .max : Int($0) }), last >= first,
                    ends.count == 1 || part.contains("..")
                else { return nil }
                ranges.append(first...last)
            }
            return RowSelection(ranges: ranges)
        }
    }
}
