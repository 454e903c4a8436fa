internal import Media

/// Where a mirrored and rotated frame has its samples.
struct SampleRotation: Sendable {
    /// Whether columns become rows.
    let swapsAxes: Bool
    /// Whether the source's columns, and its rows, are counted from the other end.
    let flipsColumns: Bool
    let flipsRows: Bool

    init(_ orientation: VideoOrientation) {
        swapsAxes = orientation.swapsAxes
        let isMirrored = orientation.isMirrored
        switch orientation.rotation {
        case .none: (flipsColumns, flipsRows) = (isMirrored, false)
        case .clockwise90: (flipsColumns, flipsRows) = (isMirrored, true)
        case .half: (flipsColumns, flipsRows) = (!isMirrored, true)
        case .clockwise270: (flipsColumns, flipsRows) = (!isMirrored, false)
        }
    }

    /// Rows of a source that are moved one after the other while they are near.
    static let band = 32

    /// Moves the groups of a plane.
    /// - Parameter bytes: of a group.
    func move(
        _ source: PixelPlane, _ columns: Int, _ rows: Int, _ bytes: Int, _ target: MutablePixelPlane
    ) {
        if !swapsAxes, !flipsColumns {
            for row in 0..<rows {
                target.row(flipsRows ? rows - 1 - row : row)
                    .update(from: source.row(row), count: columns * bytes)
            }
            return
        }
        switch bytes {
        case 1: move(source, columns, rows, target, UInt8.self)
        case 2: move(source, columns, rows, target, UInt16.self)
        case 3: move(source, columns, rows, target, (UInt8, UInt8, UInt8).self)
        case 4: move(source, columns, rows, target, UInt32.self)
        case 6: move(source, columns, rows, target, (UInt16, UInt16, UInt16).self)
        default: move(source, columns, rows, target, UInt64.self)
        }
    }

    private func move<Element>(
        _ source: PixelPlane, _ columns: Int, _ rows: Int, _ target: MutablePixelPlane,
        _: Element.Type
    ) {
        for first in stride(from: 0, to: rows, by: Self.band) {
            let count = min(Self.band, rows - first)
            place(
                source.base + first * source.bytesPerRow, source.bytesPerRow, first, count,
                columns: columns, of: rows, in: target, 0, MemoryLayout<Element>.stride
            ) { from, to in
                to.assumingMemoryBound(to: Element.self).pointee =
                    from.loadUnaligned(as: Element.self)
            }
        }
    }

    /// Places a band of rows, sample by sample; the target is written along its rows.
    /// - Parameters:
    ///   - source: the band's first row, of samples side by side.
    ///   - first: its number among all rows.
    ///   - offset, step: of the target's samples in a row (bytes).
    @inline(__always)
    func place(
        _ source: UnsafeRawPointer, _ bytesPerRow: Int, _ first: Int, _ count: Int, columns: Int,
        of rows: Int, in target: MutablePixelPlane, _ offset: Int, _ step: Int,
        size: Int? = nil, _ copy: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
    ) {
        let size = size ?? step
        if swapsAxes {
            let left = flipsRows ? rows - first - count : first
            let start = flipsRows ? source + (count - 1) * bytesPerRow : source
            let down = flipsRows ? -bytesPerRow : bytesPerRow
            for column in 0..<columns {
                let row = flipsColumns ? columns - 1 - column : column
                var to = target.base + row * target.bytesPerRow + offset + left * step
                var from = start + column * size
                for _ in 0..<count {
                    copy(from, to)
                    from += down
                    to += step
                }
            }
            return
        }
        for index in 0..<count {
            let row = flipsRows ? rows - 1 - first - index : first + index
            var to = target.base + row * target.bytesPerRow + offset
            var from = source + index * bytesPerRow
            let across = flipsColumns ? -size : size
            if flipsColumns { from += (columns - 1) * size }
            for _ in 0..<columns {
                copy(from, to)
                from += across
                to += step
            }
        }
    }
}
