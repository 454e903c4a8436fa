package import Media
internal import Synchronization

/// Draws a layer tree as tiles to draw over frames. Thread-bound.
///
/// A layer's contents are drawn once, and again only when something other than their opacity and a whole number
/// of pixels of their position changes; the tile's identity then stays. Layers that fade together (a layer with
/// an opacity below 1 and more than one drawn in it) are one tile. Frames can be asked for in any
/// order. Pango and its fonts are set up with the first text, never before.
package final class LayerRenderer: @unchecked Sendable {  // because its owner serialises its calls
    package struct Options: Sendable {
        /// What drawn tiles kept for frames to come may take (bytes; default 64 MiB).
        package var tileBytes: Int
        /// What decoded images may take (bytes; default 64 MiB).
        package var imageBytes: Int

        package init(tileBytes: Int = 64 << 20, imageBytes: Int = 64 << 20) {
            self.tileBytes = tileBytes
            self.imageBytes = imageBytes
        }
    }

    // immutable
    package let layer: Layer
    package let renderSize: PixelSize

    // owned by the calling thread
    private var painter: ContentsPainter
    private var tiles: RecentCache<TileKey, DrawnTile>

    /// Checks the whole tree: numbers, texts, fonts, glyphs, image files.
    /// - Throws: `.invalidSetting`, `.missingGlyphs`, `.noSuchFile`, `.damagedFile` or `.unsupported`.
    package init(
        _ layer: Layer, renderSize: PixelSize, options: Options = Options()
    ) throws(MediaError) {
        guard (1...16_384).contains(renderSize.width), (1...16_384).contains(renderSize.height)
        else {
            throw layer.refusal(
                "the film is \(renderSize.width)x\(renderSize.height); give 1…16384 pixels a side")
        }
        try layer.validate()
        self.layer = layer
        self.renderSize = renderSize
        painter = ContentsPainter(
            imagePixels: max(1 << 20, 4 * renderSize.width * renderSize.height),
            imageBytes: options.imageBytes)
        tiles = RecentCache(budget: options.tileBytes)
        try painter.check(layer)
    }

    /// What the author should know; grows while frames are drawn.
    package var warnings: [LayerWarning] { painter.warnings }

    /// Memory of the tiles kept (bytes).
    package var tileBytesUsed: Int { tiles.used }

    /// The tiles of a frame, back to front.
    /// - Parameter time: timeline time.
    package func tiles(at time: MediaTime) throws(MediaError) -> [OverlayTile] {
        painter.beginFrame()
        tiles.beginFrame()
        var result: [OverlayTile] = []
        for drawn in layer.drawn(at: time) {
            if let tile = try tile(drawn) { result.append(tile) }
        }
        return result
    }

    private func tile(_ drawn: DrawnLayer) throws(MediaError) -> OverlayTile? {
        switch drawn {
        case .contents(let contents):
            guard let whole = try tile(contents) else { return nil }
            return try clipped(whole, contents.clips)
        case .group(let layers, let opacity): return try tile(layers, opacity)
        }
    }

    // MARK: - One layer's contents

    private func tile(_ drawn: DrawnContents) throws(MediaError) -> OverlayTile? {
        let drawn = try painter.onShow(drawn)
        guard let extent = try painter.extent(of: drawn)?.onGrid,
            let placement = Placement(drawn.map, of: extent, in: renderSize)
        else { return nil }
        let key = TileKey.contents(
            ContentsPainter.Key(contents: drawn.contents, bounds: drawn.bounds), placement.shape)
        let image: DrawnTile
        if let known = tiles.value(for: key) {
            image = known
        } else {
            image = DrawnTile(try draw(drawn, extent, placement))
            tiles.insert(image, for: key, cost: image.cost)
        }
        return OverlayTile(
            identity: image.identity, x: placement.x, y: placement.y, image: image.picture,
            opacity: drawn.opacity)
    }

    /// What the layers around a tile leave of it.
    private func clipped(
        _ tile: OverlayTile, _ clips: [LayerClip]
    ) throws(MediaError) -> OverlayTile? {
        guard !clips.isEmpty else { return tile }
        let clip: TileClip
        switch TileClip.outcome(clips, of: tile) {
        case .whole: return tile
        case .nothing: return nil
        case .part(let part): clip = part
        }
        let key = TileKey.clipped(tile.identity, clip)
        let image: DrawnTile
        if let known = tiles.value(for: key) {
            image = known
        } else {
            let picture = try Canvas.picture(width: clip.width, height: clip.height) { canvas in
                for area in clip.areas { canvas.clip(to: area) }
                canvas.draw(
                    tile.image, map: .translation(x: -Double(clip.x), y: -Double(clip.y)))
            }
            image = DrawnTile(picture)
            tiles.insert(image, for: key, cost: image.cost)
        }
        return OverlayTile(
            identity: image.identity, x: tile.x + clip.x, y: tile.y + clip.y,
            image: image.picture, opacity: tile.opacity)
    }

    private func draw(
        _ drawn: DrawnContents, _ extent: Rectangle, _ placement: Placement
    ) throws(MediaError) -> PixelBuffer {
        let shape = placement.shape
        if let map = shape.map.affine(within: extent) {
            return try Canvas.picture(width: shape.width, height: shape.height) {
                canvas throws(MediaError) in
                canvas.setMatrix(map)
                try painter.paint(drawn, on: canvas)
            }
        }
        let flat = try flat(drawn, extent, shape.map)
        let map = Homography.scale(1 / flat.scale, 1 / flat.scale)
            .followed(by: .translation(flat.origin.x, flat.origin.y))
            .followed(by: shape.map)
        guard let sampler = HomographySampler(map) else {
            return try Canvas.picture(width: shape.width, height: shape.height) { _ in }
        }
        return sampler.sample(flat.picture, width: shape.width, height: shape.height)
    }

    /// The contents as they lie in their own plane, at a scale fit for the way they are seen.
    private func flat(
        _ drawn: DrawnContents, _ extent: Rectangle, _ map: Homography
    ) throws(MediaError) -> (picture: PixelBuffer, scale: Double, origin: Point) {
        let scale = flatScale(extent, map)
        // a pixel of nothing around, so that edges end softly
        let origin = Point(x: extent.x - 1 / scale, y: extent.y - 1 / scale)
        let key = TileKey.flat(
            ContentsPainter.Key(contents: drawn.contents, bounds: drawn.bounds), scale)
        if let known = tiles.value(for: key) { return (known.picture, scale, origin) }
        let width = Int((extent.width * scale).rounded(.up)) + 2
        let height = Int((extent.height * scale).rounded(.up)) + 2
        let picture = try Canvas.picture(width: width, height: height) {
            canvas throws(MediaError) in
            canvas.setMatrix(
                Transform2D(
                    a: scale, b: 0, c: 0, d: scale, tx: -origin.x * scale, ty: -origin.y * scale))
            try painter.paint(drawn, on: canvas)
        }
        let image = DrawnTile(picture)
        tiles.insert(image, for: key, cost: image.cost)
        return (picture, scale, origin)
    }

    /// The largest enlargement within the extent, in steps, so that a turning layer keeps its flat drawing.
    private func flatScale(_ extent: Rectangle, _ map: Homography) -> Double {
        let middle = Point(x: extent.x + extent.width / 2, y: extent.y + extent.height / 2)
        let most = (extent.corners + [middle]).map { map.stretch(at: $0) }.max() ?? 1
        let area = Double(renderSize.width * renderSize.height)
        let limit = min(
            (4 * area / max(1, extent.width * extent.height)).squareRoot(),
            Double(Canvas.maximumSide / 2) / max(extent.width, extent.height, 1))
        var scale = 1.0 / 64
        while scale < most, scale < 64 { scale *= 2.0.squareRoot().squareRoot() }
        return min(scale, limit)
    }

    // MARK: - Several layers as one

    private func tile(
        _ layers: [DrawnLayer], _ opacity: Double
    ) throws(MediaError) -> OverlayTile? {
        var parts: [OverlayTile] = []
        for layer in layers {
            if let tile = try tile(layer) { parts.append(tile) }
        }
        guard let first = parts.first else { return nil }
        var (left, top) = (first.x, first.y)
        var (right, bottom) = (first.x + first.image.width, first.y + first.image.height)
        for part in parts.dropFirst() {
            (left, top) = (min(left, part.x), min(top, part.y))
            right = max(right, part.x + part.image.width)
            bottom = max(bottom, part.y + part.image.height)
        }
        if (right - left) * (bottom - top) > 4 * renderSize.width * renderSize.height {
            (left, top) = (max(left, 0), max(top, 0))
            (right, bottom) = (min(right, renderSize.width), min(bottom, renderSize.height))
        }
        guard right > left, bottom > top else { return nil }
        let key = TileKey.group(
            parts.map {
                TileKey.Part(
                    identity: $0.identity, x: $0.x - left, y: $0.y - top, opacity: $0.opacity)
            }, width: right - left, height: bottom - top)
        let image: DrawnTile
        if let known = tiles.value(for: key) {
            image = known
        } else {
            let picture = try Canvas.picture(width: right - left, height: bottom - top) { canvas in
                for part in parts {
                    canvas.draw(
                        part.image,
                        map: .translation(x: Double(part.x - left), y: Double(part.y - top)),
                        opacity: part.opacity)
                }
            }
            image = DrawnTile(picture)
            tiles.insert(image, for: key, cost: image.cost)
        }
        return OverlayTile(
            identity: image.identity, x: left, y: top, image: image.picture, opacity: opacity)
    }
}

/// What a picture in the cache shows.
private enum TileKey: Hashable {
    struct Part: Hashable {
        let identity: UInt64
        let x: Int
        let y: Int
        let opacity: Double
    }

    case contents(ContentsPainter.Key, Placement.Shape)
    case flat(ContentsPainter.Key, Double)
    case group([Part], width: Int, height: Int)
    case clipped(UInt64, TileClip)
}

/// A drawn picture with a number no other one of the process has.
struct DrawnTile {
    private static let lastIdentity = Atomic<UInt64>(0)

    let identity: UInt64
    let picture: PixelBuffer

    var cost: Int { picture.width * picture.height * 4 }

    init(_ picture: PixelBuffer) {
        identity = Self.lastIdentity.add(1, ordering: .relaxed).newValue
        self.picture = picture
    }
}
