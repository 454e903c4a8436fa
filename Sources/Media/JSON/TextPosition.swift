/// A place in a text file.
package struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    package var line: Int
    /// Characters (Unicode scalars) from the line's beginning, from 1.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static let start = TextPosition(line: 1, column: 1)

    package var description: String { "\(line):\(column)" }
}
