/// A place in a text file.
struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    var line: Int
    /// Characters (Unicode scalars) from the line's beginning, from 1.
    var column: Int

    static let start = TextPosition(line: 1, column: 1)

    var description: String { "\(line):\(column)" }
}
