internal import Media

/// Makes one strip of a picture, of which rows at its edges may be thrown away.
// because one strip is made by one caller at a time, and `spare` is its
final class StripGraph: @unchecked Sendable {
    // immutable
    private let graph: ZimgGraph
    private let made: Range<Int>
    private let kept: Range<Int>
    private let format: PixelFormat
    // owned by the caller
    /// What is made, where not all of it is kept.
    private var spare: PixelBuffer?

    /// - Parameters:
    ///   - made: rows the graph makes (of the whole picture's pixels, even where chroma is halved).
    ///   - kept: those of them that are wanted.
    init(
        _ graph: ZimgGraph, made: Range<Int>, kept: Range<Int>, width: Int, format: PixelFormat
    ) {
        (self.graph, self.made, self.kept, self.format) = (graph, made, kept, format)
        if made != kept {
            spare = PixelBuffer(width: width, height: made.count, format: format)
        }
    }

    /// - Parameter targets: planes of the rows that are kept.
    func run(_ sources: [PixelPlane], into targets: [MutablePixelPlane]) throws(LibAVError) {
        guard spare != nil else { return try graph.run(sources, targets) }
        try spare?.withMutablePlanes { planes throws(LibAVError) in
            try graph.run(sources, planes)
            for (index, layout) in format.layout.planes.enumerated() {
                let first = (kept.lowerBound - made.lowerBound) / layout.rowsPerRow
                let bytes = min(planes[index].bytesPerRow, targets[index].bytesPerRow)
                for row in 0..<targets[index].rows {
                    targets[index].row(row).update(
                        from: planes[index].row(row + first), count: bytes)
                }
            }
        }
    }
}

extension Range<Int> {
    /// Longer at both ends, as far as there is room.
    func widened(by margin: Int, within count: Int) -> Range<Int> {
        Swift.max(0, lowerBound - margin)..<Swift.min(count, upperBound + margin)
    }
}
