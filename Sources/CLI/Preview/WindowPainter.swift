import Media
import Play

/// Makes the picture of a window: frames in their tiles, text between them, all in the window's own pixels. Text lies in
/// cells as in a terminal, so that both have one scene. Belongs to the display's thread.
struct WindowPainter {
    private let fitters: [PreviewFitter]
    private var frames: [PreviewFrame?]
    private var glyphs: GlyphSheet
    private var scale = 100
    /// When the newest frame is to be seen, or was taken (host clock).
    private(set) var time = MediaTime.zero

    /// Text that has no colour of its own.
    private static let text = RGB(210, 210, 210)

    /// A window's in which a picture has its own pixels, with a caption and two lines below, and a page of keys has room
    /// (pixels, of a display of the usual density).
    static func size(for picture: PixelSize) -> PixelSize {
        let cell = GlyphSheet(scale: 100).cell
        let (columns, rows) = (
            max(64, (picture.width + cell.width - 1) / cell.width),
            max(18, (picture.height + cell.height - 1) / cell.height)
        )
        return PixelSize(columns * cell.width, (rows + 3) * cell.height)
    }

    init(count: Int) {
        fitters = (0..<count).map { _ in PreviewFitter() }
        frames = Array(repeating: nil, count: count)
        glyphs = GlyphSheet(scale: 100)
    }

    mutating func take(_ frame: PreviewFrame, of camera: Int) {
        frames[camera] = frame
        time = max(time, frame.time)
    }

    /// - Parameters:
    ///   - size: of the window (pixels).
    ///   - scale: of the display (per cent of the usual density).
    ///   - captions: of each camera.
    ///   - lines: at the bottom, by the columns that there are.
    ///   - page: what the keys do, for `look.showsHelp`.
    mutating func picture(
        _ look: PreviewLook, size: PixelSize, scale: Int, captions: [[StatusPart]],
        lines: (_ columns: Int) -> [[StatusPart]], page: [String]
    ) -> PreviewPicture {
        if scale != self.scale { (self.scale, glyphs) = (scale, GlyphSheet(scale: scale)) }
        let cell = glyphs.cell
        let columns = max(1, size.width / cell.width)
        let lines = lines(columns)
        let scene = PreviewScene(
            columns: columns, rows: max(1, size.height / cell.height), count: frames.count,
            lines: lines.count)
        var grid = CellGrid(columns: scene.columns, rows: scene.rows)
        var picture = PreviewPicture(width: size.width, height: size.height)
        for (camera, tile) in scene.tiles.enumerated() {
            scene.draw(caption: captions[camera], of: tile, on: &grid)
            guard !look.showsHelp, tile.rows > 0, let frame = frames[camera] else { continue }
            draw(frame, camera, tile, look, on: &picture)
        }
        if look.showsHelp { scene.draw(page: page, on: &grid) }
        scene.draw(lines, on: &grid)
        draw(grid, on: &picture)
        return picture
    }

    private func draw(
        _ frame: PreviewFrame, _ camera: Int, _ tile: PreviewScene.Tile, _ look: PreviewLook,
        on picture: inout PreviewPicture
    ) {
        let cell = glyphs.cell
        let room = PixelSize(tile.columns * cell.width, tile.rows * cell.height)
        // what cannot be converted was counted where it was decoded
        guard
            let shown = try? fitters[camera].picture(
                of: frame, in: room, isMirrored: look.isMirrored, overlays: look.overlays)
        else { return }
        let left = tile.column * cell.width + max(0, room.width - shown.width) / 2
        let top = tile.row * cell.height + max(0, room.height - shown.height) / 2
        let width = min(shown.width, picture.width - left)
        guard width > 0 else { return }
        for row in 0..<shown.height where top + row < picture.height {
            let (from, to) = (row * shown.width * 3, ((top + row) * picture.width + left) * 3)
            picture.bytes.replaceSubrange(
                to..<to + width * 3, with: shown.bytes[from..<from + width * 3])
        }
    }

    private mutating func draw(_ grid: CellGrid, on picture: inout PreviewPicture) {
        let cell = glyphs.cell
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let place = grid[column, row]
                guard place.character != " ", place.character.value != 0 else { continue }
                glyphs.draw(
                    place.character, place.foreground ?? Self.text, x: column * cell.width,
                    y: row * cell.height, on: &picture)
            }
        }
    }
}
