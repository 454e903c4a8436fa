internal import Media

/// One step of making a frame, ready to be run row by row on any thread.
struct FrameOperation {
    /// What it does in one plane.
    struct Plane {
        /// The rectangle it touches (samples of the frame's plane).
        var columns: Range<Int>
        var rows: Range<Int>
        var samples: SampleRows
        /// Weights that lie as the samples do; nil: opaque.
        var alpha: SampleRows?
        /// The area's edges.
        var edges: Coverage
        /// What lies behind the samples and belongs to the layer, over the whole frame.
        var fill: FillRows?
        /// The rectangle of fill and samples together, and its edges.
        var outerColumns: Range<Int>
        var outerRows: Range<Int>
        var outerEdges: Coverage
        /// The columns of a row that are not quite transparent, by the row of a tile; nil: all.
        var extents: [Range<Int>]?
        /// First row the extents count from.
        var extentsRow = 0
    }

    /// 0…1, never 0.
    var opacity: Float
    /// Planes in the order of the frame's; empty: nothing.
    var planes: [Plane]
    /// Keeps the memory behind the planes alive.
    var holders: [PlacedImage]
    /// Whether nothing behind shows.
    var isCovering: Bool
    /// The frame itself, where the operation only shows it in place.
    var whole: PixelBuffer?
}

/// Row memory of one worker.
final class RowScratch {
    let samples: UnsafeMutableRawPointer
    let content: UnsafeMutableRawPointer
    let weights: UnsafeMutablePointer<UInt16>
    let alpha: UnsafeMutablePointer<UInt16>

    init(width: Int) {
        let count = width + 64
        samples = .allocate(byteCount: 2 * count, alignment: 64)
        content = .allocate(byteCount: 2 * count, alignment: 64)
        weights = .allocate(capacity: count)
        alpha = .allocate(capacity: count)
    }

    deinit {
        samples.deallocate()
        content.deallocate()
        weights.deallocate()
        alpha.deallocate()
    }
}
