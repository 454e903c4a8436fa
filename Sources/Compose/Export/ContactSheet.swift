internal import Media

/// How frames lie on a contact sheet: equal cells with equal gaps.
struct ContactSheet {
    /// Between cells and around them (pixels; even).
    static let gap = 8

    let columns: Int
    let rows: Int
    let cell: PixelSize
    let size: PixelSize

    /// - Parameter frame: of the film; the cells have its shape.
    init(frame: PixelSize, columns: Int, rows: Int, width: Int) {
        self.columns = columns
        self.rows = rows
        let inner = max(64 * columns, width - Self.gap * (columns + 1))
        let cellWidth = max(16, inner / columns & ~1)
        let cellHeight = max(2, cellWidth * frame.height / max(1, frame.width) & ~1)
        cell = PixelSize(width: cellWidth, height: cellHeight)
        size = PixelSize(
            width: Self.gap + columns * (cellWidth + Self.gap),
            height: Self.gap + rows * (cellHeight + Self.gap))
    }

    /// Top left corner of a cell, counted row by row (pixels).
    func origin(of index: Int) -> (x: Int, y: Int) {
        let (row, column) = index.quotientAndRemainder(dividingBy: columns)
        return (
            Self.gap + column * (cell.width + Self.gap), Self.gap + row * (cell.height + Self.gap)
        )
    }
}
