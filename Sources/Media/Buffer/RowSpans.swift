/// Of each row of a frame the columns outside which something is not the case, such as that it changed.
package struct RowSpans: Sendable, Hashable {
    /// Empty ones where it is the case nowhere.
    private var columns: [Range<Int>]

    /// Nowhere.
    package init(rows: Int) { columns = Array(repeating: 0..<0, count: rows) }

    /// Everywhere.
    package init(width: Int, height: Int) { columns = Array(repeating: 0..<width, count: height) }

    package var rows: Range<Int> { 0..<columns.count }

    package var isEmpty: Bool { columns.allSatisfy(\.isEmpty) }

    package subscript(row: Int) -> Range<Int> { columns[row] }

    /// What lies between the outermost columns of several rows; rows that are not the frame's count as the
    /// nearest that is.
    package func around(_ rows: ClosedRange<Int>) -> Range<Int> {
        var result = 0..<0
        for row in max(0, rows.lowerBound)...min(columns.count - 1, rows.upperBound) {
            result = result.united(columns[row])
        }
        return result
    }

    /// How many pixels lie in them.
    package var count: Int { columns.reduce(0) { $0 + $1.count } }

    package mutating func formUnion(_ columns: Range<Int>, row: Int) {
        self.columns[row] = self.columns[row].united(columns)
    }

    /// - Parameter other: of a frame of as many rows.
    package mutating func formUnion(_ other: RowSpans) {
        for row in columns.indices { formUnion(other.columns[row], row: row) }
    }
}

extension Range<Int> {
    /// From where either begins to where either ends.
    fileprivate func united(_ other: Range<Int>) -> Range<Int> {
        if isEmpty || other.isEmpty { return isEmpty ? other : self }
        return Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}
