internal import Media

/// Makes rows of one plane of a frame out of operations, back to front.
///
/// As long as a row is only a covering layer's it is not copied: `base` points at that layer.
struct RowWork<Sample: FixedWidthInteger & UnsignedInteger> {
    private let target: UnsafeMutablePointer<Sample>
    private var base: UnsafePointer<Sample>
    private let count: Int
    private let scratch: RowScratch

    @inline(__always)
    init(_ target: UnsafeMutablePointer<Sample>, count: Int, scratch: RowScratch) {
        self.target = target
        self.base = UnsafePointer(target)
        self.count = count
        self.scratch = scratch
    }

    @inline(__always)
    func clear(to code: Int) {
        target.update(repeating: Sample(truncatingIfNeeded: code), count: count)
    }

    /// Copies what was not copied yet.
    @inline(__always)
    mutating func finish() {
        guard base != UnsafePointer(target) else { return }
        target.update(from: base, count: count)
        base = UnsafePointer(target)
    }

    @inline(__always)
    mutating func apply(_ plane: FrameOperation.Plane, row: Int, opacity: Float) {
        guard let fill = plane.fill else {
            guard plane.rows.contains(row) else { return }
            let columns = plane.columns
            let samples: UnsafePointer<Sample> = samples(
                plane.samples, row, columns, scratch.samples)
            let coverage = plane.edges.row(row, opacity: opacity, into: scratch.weights)
            return mix(samples, columns, coverage, plane, row, lasts: plane.samples.arePlaced)
        }
        guard plane.outerRows.contains(row) else { return }
        let content = scratch.content.assumingMemoryBound(to: Sample.self)
        var back = UnsafePointer(content)
        switch fill {
        case .picture(let fill):
            back = UnsafePointer(
                fill.base.advanced(by: row * fill.bytesPerRow).assumingMemoryBound(to: Sample.self))
        case .code(let code):
            content.update(repeating: Sample(truncatingIfNeeded: code), count: count)
        }
        var source = back
        if plane.rows.contains(row) {
            var inner = RowWork(content, count: count, scratch: scratch)
            inner.base = back
            let columns = plane.columns
            let samples: UnsafePointer<Sample> = samples(
                plane.samples, row, columns, scratch.samples)
            let coverage = plane.edges.row(row, opacity: 1, into: scratch.weights)
            inner.mix(samples, columns, coverage, plane, row, lasts: plane.samples.arePlaced)
            source = inner.base
        }
        let outer = plane.outerEdges.row(row, opacity: opacity, into: scratch.weights)
        let columns = plane.outerColumns
        put(
            source + columns.lowerBound, columns, outer, lasts: source != UnsafePointer(content))
    }

    /// The samples of a row from the first of `columns` on.
    @inline(__always)
    private func samples<Element: FixedWidthInteger & UnsignedInteger>(
        _ rows: SampleRows, _ row: Int, _ columns: Range<Int>, _ memory: UnsafeMutableRawPointer
    ) -> UnsafePointer<Element> {
        switch rows {
        case .placed(let plane, let column, let first):
            return plane.base.advanced(by: (row - first) * plane.bytesPerRow)
                .assumingMemoryBound(to: Element.self) + (columns.lowerBound - column)
        case .sampled(let sampler):
            let line = memory.assumingMemoryBound(to: Element.self)
            sampler.row(row, columns: columns, into: line)
            return UnsafePointer(line)
        }
    }

    /// Puts samples over the row, by coverage and the samples' own weights.
    /// - Parameter lasts: whether the samples stay where they are while the row is made.
    @inline(__always)
    private mutating func mix(
        _ source: UnsafePointer<Sample>, _ columns: Range<Int>, _ coverage: Coverage.Row,
        _ plane: FrameOperation.Plane, _ row: Int, lasts: Bool
    ) {
        guard let alpha = plane.alpha else {
            return put(source, columns, coverage, lasts: lasts)
        }
        var columns = columns
        var skipped = 0
        if let extents = plane.extents {
            let extent = extents[row - plane.extentsRow].clamped(to: columns)
            guard !extent.isEmpty else { return }
            skipped = extent.lowerBound - columns.lowerBound
            columns = extent
        }
        let own: UnsafePointer<UInt16> = samples(alpha, row, columns, scratch.alpha)
        let weights = scratch.weights
        switch coverage {
        case .uniform(BlendKernels.one): blend(source + skipped, columns, own)
        case .uniform(0): break
        case .uniform(let weight):
            BlendKernels.scale(weights, own, weight, columns.count)
            blend(source + skipped, columns, weights)
        case .varying:
            BlendKernels.multiply(weights + skipped, own, columns.count)
            blend(source + skipped, columns, weights + skipped)
        }
    }

    @inline(__always)
    private mutating func put(
        _ source: UnsafePointer<Sample>, _ columns: Range<Int>, _ coverage: Coverage.Row,
        lasts: Bool
    ) {
        switch coverage {
        case .uniform(0): break
        case .uniform(BlendKernels.one):
            if columns.count == count, lasts {
                base = source
            } else {
                let place = blendPlace(columns)
                place.target.update(from: source, count: columns.count)
            }
        case .uniform(let weight):
            let place = blendPlace(columns)
            BlendKernels.blend(place.target, place.base, source, weight, columns.count)
        case .varying: blend(source, columns, scratch.weights)
        }
    }

    @inline(__always)
    private mutating func blend(
        _ source: UnsafePointer<Sample>, _ columns: Range<Int>, _ weights: UnsafePointer<UInt16>
    ) {
        let place = blendPlace(columns)
        BlendKernels.blend(place.target, place.base, source, weights, columns.count)
    }

    /// Where a range of the row is mixed from and to; the row is the target's own afterwards.
    @inline(__always)
    private mutating func blendPlace(
        _ columns: Range<Int>
    ) -> (target: UnsafeMutablePointer<Sample>, base: UnsafePointer<Sample>) {
        if columns.count != count { finish() }
        defer { base = UnsafePointer(target) }
        return (target + columns.lowerBound, base + columns.lowerBound)
    }
}
