internal import Media

/// What a conformer made of frames one after the other, each little different from the one before. The memory of one
/// that nobody looks at any more takes the next: of the latest only that is copied which it does not show. Thread-bound.
struct SteadyResults {
    /// What is seen where a frame does not change.
    struct Background: Sendable {
        /// Made last.
        let latest: PixelBuffer
        /// Where the memory of the next one does not show it (pixels).
        let stale: RowSpans
    }

    private struct Result {
        var picture: PixelBuffer
        var stale: RowSpans
    }

    /// Results remembered: those that wait for an encoder, that it holds, that are shown, and one that is free. Where
    /// fewer are in use at once fewer are made.
    private static let most = 16

    /// The latest last.
    private var results: [Result] = []

    var latest: PixelBuffer? { results.last?.picture }

    /// Memory for the next frame, and what shows where it does not change; nil where nothing was made before.
    /// - Parameter make: memory where none is free.
    mutating func next(
        _ make: () -> PixelBuffer
    ) -> (picture: PixelBuffer, over: Background?) {
        guard let latest else { return (make(), nil) }
        // the youngest that is free lacks least
        let free = results.indices.dropLast().last { results[$0].picture.isUniquelyHeld() }
        guard let free else {
            let all = RowSpans(width: latest.width, height: latest.height)
            return (make(), Background(latest: latest, stale: all))
        }
        let result = results.remove(at: free)
        return (result.picture, Background(latest: latest, stale: result.stale))
    }

    /// - Parameter changed: where it does not show what the latest does (pixels).
    mutating func append(_ frame: PixelBuffer, changed: RowSpans) {
        for index in results.indices { results[index].stale.formUnion(changed) }
        if results.count == Self.most { results.removeFirst() }
        results.append(Result(picture: frame, stale: RowSpans(rows: frame.height)))
    }
}

extension SteadyResults.Background {
    /// Copies what rows (of pixels) do not show, but for what is made there anyway.
    /// - Parameters:
    ///   - changed: the pixels of which that is made.
    ///   - planes: of the memory that came with it.
    func copy(rows: Range<Int>, but changed: RowSpans, into planes: [MutablePixelPlane]) {
        latest.withPlanes { sources in
            for (index, layout) in latest.format.layout.planes.enumerated() {
                let bytes = layout.bytesPerGroup
                for row in rows.samples(every: layout.rowsPerRow) {
                    let lacking = stale.samples(row, layout, width: latest.width)
                    let made = changed.samples(row, layout, width: latest.width)
                    for samples in lacking.without(made) {
                        let start = samples.lowerBound * bytes
                        (planes[index].row(row) + start).update(
                            from: sources[index].row(row) + start, count: samples.count * bytes)
                    }
                }
            }
        }
    }
}

extension RowSpans {
    /// The samples of one of a plane's rows that depend on the pixels: a halved one takes halves of the pixels, or rows
    /// of them, beside its own.
    func samples(_ row: Int, _ layout: PixelLayout.Plane, width: Int) -> Range<Int> {
        let pixels =
            layout.rowsPerRow == 2 ? around((2 * row - 1)...(2 * row + 2)) : self[row]
        guard layout.pixelsPerGroup == 2, !pixels.isEmpty else { return pixels }
        return pixels.lowerBound / 2..<Swift.min(width / 2, pixels.upperBound / 2 + 1)
    }
}

extension Range<Int> {
    /// What lies on either side of another one.
    fileprivate func without(_ other: Range<Int>) -> [Range<Int>] {
        guard overlaps(other) else { return isEmpty ? [] : [self] }
        var parts: [Range<Int>] = []
        if lowerBound < other.lowerBound { parts.append(lowerBound..<other.lowerBound) }
        if other.upperBound < upperBound { parts.append(other.upperBound..<upperBound) }
        return parts
    }

    /// Of rows of pixels the rows of samples.
    fileprivate func samples(every step: Int) -> Range<Int> {
        lowerBound / step..<upperBound / step
    }
}
