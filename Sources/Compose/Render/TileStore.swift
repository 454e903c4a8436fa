internal import Media

/// Converts tiles to the target's colours and grid once, and keeps them within a bound. Thread-bound.
final class TileStore {
    private struct Key: Hashable {
        var identity: UInt64
        /// Pixels from the converted tile's corner, on the chroma grid, to the tile's own.
        var phaseX: Int
        var phaseY: Int
    }

    /// A tile in the target's colours, with the columns of each row that show anything.
    final class Converted {
        let picture: PlacedImage
        let extents: [[Range<Int>]]
        let bytes: Int

        init(_ frame: PlacedImage, extents: [[Range<Int>]], bytes: Int) {
            self.picture = frame
            self.extents = extents
            self.bytes = bytes
        }
    }

    // immutable
    private let grid: FrameGrid
    private let slices: SlicePool
    /// Most memory of kept tiles (bytes): four frames of 1080p with their weights.
    private static let limit = 48 << 20
    // owned by the caller's thread
    private var kept: [(key: Key, tile: Converted)] = []
    private var bytes = 0

    init(grid: FrameGrid, slices: SlicePool) {
        self.grid = grid
        self.slices = slices
    }

    /// The operation that draws a tile over the frame; nil where nothing of it shows.
    func operation(for tile: OverlayTile) throws(MediaError) -> FrameOperation? {
        guard tile.image.format == .bgra else {
            throw MediaError(
                code: .unsupported, subject: "an overlay tile",
                message:
                    "Cannot draw a \(tile.image.format.rawValue) frame over a frame; give bgra.")
        }
        let opacity = Float(BlendKernels.weight(tile.opacity)) / Float(BlendKernels.one)
        let isInside =
            tile.x < grid.width && tile.y < grid.height && tile.x > -tile.image.width
            && tile.y > -tile.image.height
        guard opacity > 0, isInside else { return nil }
        // where chroma is halved, a sample beside the tile sees some of it as well
        let phaseX = (tile.x % grid.stepX + grid.stepX) % grid.stepX + margin(grid.stepX)
        let phaseY = (tile.y % grid.stepY + grid.stepY) % grid.stepY + margin(grid.stepY)
        let key = Key(identity: tile.identity, phaseX: phaseX, phaseY: phaseY)
        let converted = converted(tile.image, key)
        let samples = converted.picture.planes
        let weights = converted.picture.alphaPlanes
        var planes: [FrameOperation.Plane] = []
        for (index, plane) in grid.planes.enumerated() {
            let left = (tile.x - phaseX) / plane.across
            let top = (tile.y - phaseY) / plane.down
            let columns = (converted.picture.picture.width + plane.across - 1) / plane.across
            let x = (left..<left + columns).clamped(to: 0..<plane.columns)
            let y = (top..<top + samples[index].rows).clamped(to: 0..<plane.rows)
            planes.append(
                FrameOperation.Plane(
                    columns: x, rows: y,
                    samples: .placed(samples[index], column: left, row: top),
                    alpha: .placed(weights[index], column: left, row: top),
                    edges: Coverage([], columns: 0..<1, rows: 0..<1), fill: nil,
                    outerColumns: 0..<0,
                    outerRows: 0..<0, outerEdges: Coverage([], columns: 0..<1, rows: 0..<1),
                    extents: converted.extents[index].map {
                        ($0.lowerBound + left)..<($0.upperBound + left)
                    }, extentsRow: top))
        }
        return FrameOperation(
            opacity: opacity, planes: planes, holders: [converted.picture], isCovering: false)
    }

    private func margin(_ step: Int) -> Int { step == 1 ? 0 : step }

    private func converted(_ image: PixelBuffer, _ key: Key) -> Converted {
        if let found = kept.firstIndex(where: { $0.key == key }) {
            let entry = kept.remove(at: found)
            kept.append(entry)
            return entry.tile
        }
        let tile = TileConversion(
            grid: grid, slices: slices, phaseX: key.phaseX, phaseY: key.phaseY
        ).convert(image)
        kept.append((key, tile))
        bytes += tile.bytes
        while bytes > Self.limit, kept.count > 1 { bytes -= kept.removeFirst().tile.bytes }
        return tile
    }
}
