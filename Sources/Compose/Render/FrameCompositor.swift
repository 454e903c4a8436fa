internal import LibAV
package import Media

/// Makes frames of a film: conforms, places and blends what a scene names. Thread-bound.
///
/// The same scene gives the same bytes with any number of threads.
package final class FrameCompositor {
    // immutable
    package let target: VideoFormat
    private let grid: FrameGrid
    private let pool: PixelBufferPool
    private let slices: SlicePool
    private let store: ConformStore
    private let planner: LayerPlanner
    private let masks: MaskStore
    private let areas: AreaStore
    private let tiles: TileStore
    private let scratch: [RowScratch]

    /// Rows of the frame one part of the work has.
    private static let bandRows = 32

    /// - Parameters:
    ///   - target: planar YUV of 8 or 10 bits, upright, square pixels; where its colour is not stated,
    ///     BT.601 below 720 lines and BT.709 above.
    ///   - threads: workers, the caller's thread being one (1…64).
    ///   - pool: of the target's size and format; frames come from it.
    /// - Throws: `.unsupported` for another kind of target.
    package init(target: VideoFormat, threads: Int, pool: PixelBufferPool) throws(MediaError) {
        guard let pixels = target.pixelFormat, FrameConformer.targets.contains(pixels),
            (1...16_384).contains(target.width), (1...16_384).contains(target.height),
            pool.width == target.width, pool.height == target.height, pool.format == pixels
        else {
            throw MediaError(
                code: .unsupported, subject: "the film's format",
                message: "Cannot compose \(target.width)x\(target.height) in this format; ask for "
                    + "yuv420p or yuv420p10le of 1…16384 pixels a side.")
        }
        self.target = FrameConformer.completed(target)
        self.pool = pool
        let grid = FrameGrid(self.target, pixels)
        let slices = SlicePool(threads: threads)
        self.grid = grid
        self.slices = slices
        store = ConformStore(grid: grid, slices: slices)
        masks = MaskStore(grid: grid)
        areas = AreaStore(grid: grid, slices: slices)
        planner = LayerPlanner(grid: grid, store: store, masks: masks, areas: areas)
        tiles = TileStore(grid: grid, slices: slices)
        scratch = (0..<slices.threads).map { _ in RowScratch(width: grid.width) }
    }

    /// Pictures conformed so far: those kept from frame to frame do not count again.
    package var conversions: Int { store.conversions }

    /// Pictures of masks read so far.
    package var maskConversions: Int { masks.conversions }

    /// The frame a scene describes: a picture of the pool, or a source's own or its conformed one where
    /// nothing else shows.
    package func compose(_ scene: Scene) throws(MediaError) -> PixelBuffer {
        store.begin()
        masks.beginFrame()
        areas.begin()
        defer {
            store.end()
            areas.end()
        }
        var operations: [FrameOperation] = []
        // front first: what is covered is not even conformed
        for tile in scene.overlays.reversed() {
            if let operation = try tiles.operation(for: tile) { operations.append(operation) }
        }
        var isCovered = false
        for layer in scene.layers.reversed() where !isCovered {
            let own = try planner.operations(for: layer)
            operations += own
            isCovered = own.contains(where: \.isCovering)
        }
        operations.reverse()
        if operations.count == 1, let frame = operations[0].whole { return frame }
        return try draw(operations, over: isCovered ? nil : scene.background)
    }

    private func draw(
        _ operations: [FrameOperation], over background: Color?
    ) throws(MediaError) -> PixelBuffer {
        var frame = try pool.makeFrame()
        let codes = background.map {
            ColorCodes(target.color, depth: grid.pixels.bitDepth).codes($0)
        }
        let bands = (grid.height + Self.bandRows - 1) / Self.bandRows
        frame.withMutablePlanes { planes in
            slices.run(bands) { band, worker in
                for (index, plane) in grid.planes.enumerated() {
                    let first = band * Self.bandRows / plane.down
                    let rows = first..<min(first + Self.bandRows / plane.down, plane.rows)
                    let band = Band(
                        index: index, rows: rows, columns: plane.columns,
                        background: codes?[index], scratch: scratch[worker])
                    if grid.bytes == 1 {
                        band.draw(operations, into: planes[index], UInt8.self)
                    } else {
                        band.draw(operations, into: planes[index], UInt16.self)
                    }
                }
            }
        }
        withExtendedLifetime(operations) {}
        return frame
    }

    /// Some rows of one plane.
    private struct Band {
        let index: Int
        let rows: Range<Int>
        let columns: Int
        /// The code under everything; nil where a layer covers it.
        let background: Int?
        let scratch: RowScratch

        func draw<Sample: FixedWidthInteger & UnsignedInteger>(
            _ operations: [FrameOperation], into plane: MutablePixelPlane, _: Sample.Type
        ) {
            for row in rows {
                var work = RowWork<Sample>(
                    plane.base.advanced(by: row * plane.bytesPerRow)
                        .assumingMemoryBound(to: Sample.self), count: columns, scratch: scratch)
                if let background { work.clear(to: background) }
                for operation in operations {
                    work.apply(operation.planes[index], row: row, opacity: operation.opacity)
                }
                work.finish()
            }
        }
    }
}
