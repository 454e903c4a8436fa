internal import Media

/// Makes parts of frames by zimg, different ones on different threads.
///
/// What lies around a part is made as well, as far as filters reach, and thrown away: zimg mirrors at the edges of
/// what it makes, and brings RGB and frames of another matrix to whole chroma before it halves that.
final class PartConverter: Sendable {
    /// What a graph is made for.
    private struct Shape: Hashable {
        /// The part's first row, where it says which of the source's is wanted.
        var top: Int
        var rows: Int
    }

    /// Rows beyond a part that are made (even, so that halved chroma lies in them as it does in the frame).
    private static let margin = 8

    // immutable
    private let source: ZimgGraph.Side
    private let target: ZimgGraph.Side
    private let format: PixelFormat
    private let region: FrameConformer.Region
    /// Whether every pixel of the output is the source's at the same place: then zimg is shown that part of the source
    /// and nothing is said of a region, which would make it resample.
    private let keepsPlaces: Bool
    private let margin: Int
    /// Rows of the source that a row of the output advances by.
    private let step: Double
    // shared
    private let idle = Lock<[Shape: [PartGraph]]>([:])

    /// - Parameters:
    ///   - source, target: whole frames; the target's format is `format`.
    ///   - region: what of the source fills the output.
    init(
        from source: ZimgGraph.Side, to target: ZimgGraph.Side, format: PixelFormat,
        region: FrameConformer.Region
    ) {
        (self.source, self.target, self.format, self.region) = (source, target, format, region)
        keepsPlaces =
            region == FrameConformer.Region(width: target.width, height: target.height)
            && source.width == target.width && source.height == target.height
        margin = source.isFiltered(into: target, resampled: !keepsPlaces) ? Self.margin : 0
        step = region.height / Double(target.height)
    }

    /// - Parameters:
    ///   - sources: planes of the whole source.
    ///   - part: rows of the output.
    ///   - tallest: rows of the tallest part of the same frame.
    ///   - targets: planes of the whole output.
    func convert(
        _ sources: [PixelPlane], _ part: Range<Int>, tallest: Int,
        into targets: [MutablePixelPlane]
    ) throws(MediaError) {
        let rows = madeRows(part, tallest)
        let (shape, graph) = try graph(for: rows)
        defer { idle.withLock { $0[shape, default: []].append(graph) } }
        try graph.run(
            window(of: sources, shown(rows)), madeAt: rows, keeping: part, into: targets)
    }

    /// Lends what is made instead of keeping it.
    /// - Parameter taker: is lent a part of a row of the output, maybe more than once: its planes (from the part's
    ///   first pixel), the row's number and the part.
    func convert(
        _ sources: [PixelPlane], _ part: Range<Int>, tallest: Int,
        _ taker: (_ planes: [UnsafeMutableRawPointer], _ row: Int, _ columns: Range<Int>) -> Void
    ) throws(MediaError) {
        let rows = madeRows(part, tallest)
        let (shape, graph) = try graph(for: rows)
        defer { idle.withLock { $0[shape, default: []].append(graph) } }
        try graph.run(window(of: sources, shown(rows)), madeAt: rows, lending: part, taker)
    }

    /// The caller gives it back.
    private func graph(for rows: Range<Int>) throws(MediaError) -> (Shape, PartGraph) {
        let shape = Shape(top: keepsPlaces ? 0 : rows.lowerBound, rows: rows.count)
        if let known = idle.withLock({ $0[shape]?.popLast() }) { return (shape, known) }
        return (shape, try makeGraph(rows))
    }

    /// As many as for any other part of the frame: whether zimg resamples before or after it goes over to
    /// another matrix depends on their number, and parts must agree in that.
    private func madeRows(_ part: Range<Int>, _ tallest: Int) -> Range<Int> {
        guard margin > 0 else { return part }
        let count = min(target.height, tallest + 2 * margin)
        let first = max(0, min(part.lowerBound - margin, target.height - count))
        return first..<(first + count)
    }

    /// Rows of the source that zimg is shown, their number and first one even.
    ///
    /// Enlarging more than sixteen times, zimg 3.0.4 takes the wrong rows of halved chroma where the wanted ones begin
    /// further down than its memory of sixteen rows; shown hardly more than those, it has none to pass over.
    private func shown(_ rows: Range<Int>) -> Range<Int> {
        if keepsPlaces { return rows }
        guard step < 1.0 / 16 else { return 0..<source.height }
        let top = region.top + Double(rows.lowerBound) * step
        let first = max(0, min(Int(top.rounded(.down)) - 4, source.height - 2)) & ~1
        let last = Int((top + Double(rows.count) * step).rounded(.up)) + 4
        return first..<min(source.height, max(first + 2, (last + 1) & ~1))
    }

    private func makeGraph(_ rows: Range<Int>) throws(MediaError) -> PartGraph {
        var (source, target) = (source, target)
        target.height = rows.count
        let shown = shown(rows)
        source.height = shown.count
        if !keepsPlaces {
            let top = region.top + Double(rows.lowerBound) * step - Double(shown.lowerBound)
            let height = Double(rows.count) * step
            let isAll =
                region.left == 0 && top == 0 && region.width == Double(source.width)
                && height == Double(source.height)
            if !isAll { source.region = (region.left, top, region.width, height) }
        }
        return PartGraph(
            try ZimgGraph(from: source, to: target), width: target.width, height: rows.count,
            format: format)
    }

    private func window(of planes: [PixelPlane], _ rows: Range<Int>) -> [PixelPlane] {
        planes.enumerated().map { index, plane in
            let down = index > 0 && source.halvesRows ? 2 : 1
            return PixelPlane(
                base: plane.base + rows.lowerBound / down * plane.bytesPerRow,
                bytesPerRow: plane.bytesPerRow, rows: rows.count / down)
        }
    }
}

/// A graph and the memory for what it makes. Used by one caller at a time.
// because a part converter hands it to one caller at a time
private final class PartGraph: @unchecked Sendable {
    // immutable
    private let graph: ZimgGraph
    private let width: Int
    private let height: Int
    private let format: PixelFormat
    // owned by the caller
    /// What is made, where not all of it is kept.
    private var spare: PixelBuffer?
    /// The few rows that are made at once, where they are lent.
    private var ring: PixelBuffer?

    init(_ graph: ZimgGraph, width: Int, height: Int, format: PixelFormat) {
        (self.graph, self.width, self.height, self.format) = (graph, width, height, format)
    }

    /// - Parameter targets: planes of the whole output.
    func run(
        _ sources: [PixelPlane], madeAt rows: Range<Int>, keeping kept: Range<Int>,
        into targets: [MutablePixelPlane]
    ) throws(MediaError) {
        precondition(rows.contains(kept), "what is kept is made")
        let layouts = format.layout.planes
        if kept == rows {
            let windows = targets.enumerated().map { index, plane in
                MutablePixelPlane(
                    base: plane.base
                        + rows.lowerBound / layouts[index].rowsPerRow * plane.bytesPerRow,
                    bytesPerRow: plane.bytesPerRow, rows: rows.count / layouts[index].rowsPerRow)
            }
            return try graph.run(sources, windows)
        }
        if spare == nil { spare = PixelBuffer(width: width, height: height, format: format) }
        try spare?.withMutablePlanes { planes throws(MediaError) in
            try graph.run(sources, planes)
            for (index, layout) in layouts.enumerated() {
                let (bytes, down) = (layout.bytesPerRow(width: width), layout.rowsPerRow)
                let first = rows.lowerBound / down
                for row in kept.lowerBound / down..<kept.upperBound / down {
                    targets[index].row(row).update(
                        from: planes[index].row(row - first), count: bytes)
                }
            }
        }
    }
}

extension PartGraph {
    /// Planes are of whole chroma.
    func run(
        _ sources: [PixelPlane], madeAt rows: Range<Int>, lending lent: Range<Int>,
        _ taker: ([UnsafeMutableRawPointer], Int, Range<Int>) -> Void
    ) throws(MediaError) {
        let ringRows = graph.ringRows
        let bytes = format.layout.planes[0].bytesPerGroup
        if ring == nil { ring = PixelBuffer(width: width, height: ringRows, format: format) }
        try ring?.withMutablePlanes { planes throws(MediaError) in
            try graph.run(sources, through: planes) { row, columns in
                guard lent.contains(rows.lowerBound + row) else { return }
                let parts = planes.map {
                    UnsafeMutableRawPointer($0.row(row & (ringRows - 1)))
                        + columns.lowerBound * bytes
                }
                taker(parts, rows.lowerBound + row, columns)
            }
        }
    }
}

extension ZimgGraph.Side {
    /// Whether a row of the output depends on rows around it besides those its region is made of.
    fileprivate func isFiltered(into target: ZimgGraph.Side, resampled: Bool) -> Bool {
        var (before, after) = (color, target.color)
        (before.range, after.range) = (.full, .full)
        let isConverted = family != target.family || family == .yuv && before != after
        if isConverted && (halvesRows || target.halvesRows) { return true }
        if resampled { return false }
        return halvesRows != target.halvesRows || halvesColumns != target.halvesColumns
            || (halvesRows || halvesColumns) && siting != target.siting
    }
}
