import Media
import Play

/// What a terminal shows of a preview: pictures in a grid, a caption below each, lines at the bottom. Where everything
/// lies is a pure function of the terminal's size.
struct PreviewScene: Sendable {
    /// A place for one camera (cells).
    struct Tile: Sendable, Equatable {
        var column: Int
        var row: Int
        var columns: Int
        /// Without the caption.
        var rows: Int

        /// The pixels of half blocks in it.
        var halfBlocks: PixelSize { PixelSize(columns, rows * 2) }
    }

    let columns: Int
    let rows: Int
    let tiles: [Tile]
    /// The first row of the lines at the bottom.
    let footer: Int

    /// - Parameters:
    ///   - count: cameras.
    ///   - lines: lines at the bottom; there are fewer in a terminal that is low.
    init(columns: Int, rows: Int, count: Int, lines: Int) {
        (self.columns, self.rows) = (columns, rows)
        let height = max(1, rows - min(lines, max(1, rows / 3)))
        footer = min(height, rows)
        var best: (across: Int, area: Int) = (1, -1)
        for across in 1...max(1, count) {
            let down = (count + across - 1) / across
            let box = PixelSize(columns / across, max(0, height / max(1, down) - 1) * 2)
            guard box.width > 0, box.height > 0 else { continue }
            // most cameras are that wide
            let area = PixelSize(16, 9).fitted(into: box).area
            if area > best.area { best = (across, area) }
        }
        let across = best.across
        let down = max(1, (count + across - 1) / across)
        let (wide, high) = (max(1, columns / across), max(1, height / down))
        tiles = (0..<count).map { index in
            Tile(
                column: index % across * wide, row: index / across * high, columns: wide,
                rows: high - 1)
        }
    }

    /// Where a picture of so many cells lies in its tile.
    func place(_ wide: Int, _ high: Int, in tile: Tile) -> (column: Int, row: Int) {
        (
            tile.column + max(0, tile.columns - wide) / 2, tile.row + max(0, tile.rows - high) / 2
        )
    }

    /// The lines below the tiles.
    func draw(_ lines: [[StatusPart]], on grid: inout CellGrid) {
        for (index, parts) in lines.prefix(rows - footer).enumerated() {
            Self.draw(parts, column: 0, row: footer + index, width: columns, on: &grid)
        }
    }

    /// Below a tile, in its middle.
    func draw(caption: [StatusPart], of tile: Tile, on grid: inout CellGrid) {
        // a column stays free between two tiles
        let caption = Self.fitting(caption, columns: tile.columns - 1)
        let width = Self.width(caption)
        let column = tile.column + max(0, tile.columns - width) / 2
        Self.draw(
            caption, column: column, row: tile.row + tile.rows,
            width: tile.columns - (column - tile.column), on: &grid)
    }

    private static func width(_ parts: [StatusPart]) -> Int {
        parts.reduce(max(0, parts.count - 1) * 2) { $0 + $1.width }
    }

    /// Where there is no room for all of it, the size of the frames goes first, then the end of the name: what was lost
    /// stays.
    private static func fitting(_ caption: [StatusPart], columns: Int) -> [StatusPart] {
        guard width(caption) > columns, caption.count > 1 else { return caption }
        var parts = caption
        if parts.count > 2 { parts.remove(at: 1) }
        let rest = max(4, columns - width(parts) + parts[0].width)
        if parts[0].width > rest, let run = parts[0].runs.first {
            parts[0] = StatusPart(String(run.text.prefix(rest - 1)) + "…", run.color)
        }
        return parts
    }

    /// A page of text in the middle of what the tiles have.
    func draw(page: [String], on grid: inout CellGrid) {
        let width = page.map(\.count).max() ?? 0
        let (column, row) = (max(0, columns - width) / 2, max(0, footer - page.count) / 2)
        for (index, line) in page.enumerated() where row + index < footer {
            let isCut = row + index == footer - 1 && index < page.count - 1
            grid.write(isCut ? "… more in a larger place" : line, column: column, row: row + index)
        }
    }

    private static func draw(
        _ parts: [StatusPart], column: Int, row: Int, width: Int, on grid: inout CellGrid
    ) {
        var place = column
        for (index, part) in parts.enumerated() {
            if index > 0 { place += 2 }
            for run in part.runs {
                place += grid.write(
                    VisibleText.line(run.text), column: place, row: row,
                    width: max(0, column + width - place), run.color?.rgb)
            }
        }
    }
}

extension TerminalLook.Color {
    fileprivate var rgb: RGB {
        switch self {
        case .red: RGB(255, 85, 85)
        case .green: RGB(80, 200, 120)
        case .yellow: RGB(240, 200, 70)
        }
    }
}
