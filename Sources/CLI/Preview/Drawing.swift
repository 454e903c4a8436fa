import Media
import Play

/// Makes the bytes of a preview's next drawing of its frames. Belongs to the display's thread.
struct Drawing {
    /// What a picture of a terminal's graphics lies over (cells).
    private struct Place: Equatable {
        var column: Int
        var row: Int
        var columns: Int
        var rows: Int
    }

    private let fitters: [PreviewFitter]
    private var frames: [PreviewFrame?]
    /// Whether a frame was not drawn yet.
    private var isFresh: [Bool]
    private var painter = CellPainter(.palette)
    private var places: [Place?]
    private var look = PreviewLook()
    private var form = TerminalGraphics.Form.cells
    private var size: ScreenOutput.Size?

    /// Most pixels of a picture of a terminal's graphics: a drawing stays under 1.5 MB.
    private static let sixelBox = PixelSize(640, 480)
    private static let kittyBox = PixelSize(480, 360)

    private static let begin = Array("\u{1B}[?2026h".utf8)
    private static let end = Array("\u{1B}[?2026l".utf8)

    init(count: Int) {
        fitters = (0..<count).map { _ in PreviewFitter() }
        frames = Array(repeating: nil, count: count)
        isFresh = Array(repeating: false, count: count)
        places = Array(repeating: nil, count: count)
    }

    mutating func take(_ frame: PreviewFrame, of camera: Int) {
        frames[camera] = frame
        isFresh[camera] = true
    }

    /// The terminal shows nothing that is known.
    mutating func forget() {
        painter.forget()
        for camera in frames.indices {
            places[camera] = nil
            isFresh[camera] = true
        }
    }

    /// Whether it begins to use graphics that a terminal keeps until they are removed.
    func keepsGraphics(_ form: TerminalGraphics.Form) -> Bool {
        form == .kitty && self.form != .kitty
    }

    /// - Parameters:
    ///   - captions: of each camera.
    ///   - lines: at the bottom.
    ///   - page: what the keys do, for `look.showsHelp`.
    mutating func bytes(
        _ look: PreviewLook, _ graphics: TerminalGraphics, _ size: ScreenOutput.Size,
        captions: [[StatusPart]], lines: [[StatusPart]], page: [String]
    ) -> [UInt8] {
        var out: [UInt8] = []
        let form = graphics.form(size)
        if form != self.form || size != self.size || look != self.look {
            if self.form == .kitty { out += KittyEncoder.removal }
            // graphics are no cells, and stay where cells are not drawn
            if form != .cells || self.form != .cells { forget() }
            (self.form, self.size, self.look) = (form, size, look)
            for camera in frames.indices { isFresh[camera] = true }
        }
        painter.colors = graphics.colors
        let scene = PreviewScene(
            columns: size.columns, rows: size.rows, count: frames.count, lines: lines.count)
        var grid = CellGrid(columns: size.columns, rows: size.rows)
        var pictures: [UInt8] = []
        for (camera, tile) in scene.tiles.enumerated() {
            scene.draw(caption: captions[camera], of: tile, on: &grid)
            guard !look.showsHelp, tile.rows > 0, let frame = frames[camera] else { continue }
            switch form {
            case .cells: draw(frame, camera, tile, scene, on: &grid)
            case .sixel, .kitty:
                pictures += graphic(frame, camera, tile, scene, cell: graphics.cell(size))
            }
        }
        if look.showsHelp { scene.draw(page: page, on: &grid) }
        scene.draw(lines, on: &grid)
        // a place that moved was forgotten above
        out += painter.bytes(for: grid)
        out += pictures
        guard !out.isEmpty else { return [] }
        // a terminal that knows it shows all of it at once
        return Self.begin + out + Self.end
    }

    private func draw(
        _ frame: PreviewFrame, _ camera: Int, _ tile: PreviewScene.Tile, _ scene: PreviewScene,
        on grid: inout CellGrid
    ) {
        // what cannot be converted was counted where it was decoded
        guard let picture = try? picture(frame, camera, in: tile.halfBlocks) else { return }
        let place = scene.place(picture.width, (picture.height + 1) / 2, in: tile)
        grid.draw(picture, column: place.column, row: place.row)
    }

    private func picture(
        _ frame: PreviewFrame, _ camera: Int, in box: PixelSize
    ) throws(MediaError) -> PreviewPicture {
        try fitters[camera].picture(
            of: frame, in: box, isMirrored: look.isMirrored, overlays: look.overlays)
    }

    /// A frame as graphics, with the cursor led to its place.
    private mutating func graphic(
        _ frame: PreviewFrame, _ camera: Int, _ tile: PreviewScene.Tile, _ scene: PreviewScene,
        cell: PixelSize?
    ) -> [UInt8] {
        guard isFresh[camera] else { return [] }
        let cell = cell ?? PixelSize(10, 20)
        let room = PixelSize(tile.columns * cell.width, tile.rows * cell.height)
        let most = form == .sixel ? Self.sixelBox : Self.kittyBox
        var box = PixelSize(min(room.width, most.width), min(room.height, most.height))
        // sixels are six pixels high, and the last ones must not lie over the caption
        if form == .sixel { box.height = max(1, box.height / 6 * 6) }
        guard let picture = try? picture(frame, camera, in: box) else { return [] }
        // kitty's are stretched over cells, sixels are not
        let shown =
            form == .kitty && !frame.isZoomed
            ? PixelSize(picture.width, picture.height).fitted(into: room)
            : PixelSize(picture.width, picture.height)
        let columns = min(tile.columns, max(1, (shown.width + cell.width - 1) / cell.width))
        let rows = min(tile.rows, max(1, (shown.height + cell.height - 1) / cell.height))
        let start = scene.place(columns, rows, in: tile)
        let place = Place(column: start.column, row: start.row, columns: columns, rows: rows)
        if let known = places[camera], known != place { painter.forget() }
        places[camera] = place
        isFresh[camera] = false
        let lead = Array("\u{1B}[\(place.row + 1);\(place.column + 1)H".utf8)
        switch form {
        case .cells: return []
        case .sixel: return lead + SixelEncoder.bytes(of: picture)
        case .kitty:
            return lead
                + KittyEncoder.bytes(
                    of: picture, number: camera + 1, columns: columns, rows: rows)
        }
    }
}
