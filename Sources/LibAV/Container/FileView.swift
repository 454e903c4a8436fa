/// A file without some of its bytes. A pure value.
struct FileView: Sendable {
    private struct Piece: Sendable {
        /// Where the piece begins as seen.
        let start: Int64
        /// Where it is in the file.
        let bytes: Range<Int64>
    }

    private let pieces: [Piece]
    /// As seen (bytes).
    let size: Int64

    init(size: Int64, excluding excluded: [Range<Int64>]) {
        var pieces: [Piece] = []
        var (start, position) = (Int64(0), Int64(0))
        func keep(to end: Int64) {
            guard end > position else { return }
            pieces.append(Piece(start: start, bytes: position..<end))
            start += end - position
        }
        for gap in excluded.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            keep(to: min(gap.lowerBound, size))
            position = max(position, gap.upperBound)
        }
        keep(to: size)
        self.pieces = pieces
        self.size = start
    }

    /// Where a byte is in the file, and how many of `most` follow it there; none behind the end.
    func place(of position: Int64, most: Int) -> (offset: Int64, count: Int) {
        guard let piece = pieces.last(where: { $0.start <= position }) else { return (0, 0) }
        let offset = piece.bytes.lowerBound + position - piece.start
        return (offset, max(0, Int(min(Int64(most), piece.bytes.upperBound - offset))))
    }
}
