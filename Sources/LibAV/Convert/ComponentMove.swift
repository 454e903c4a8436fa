internal import Media

/// Moves one component of a frame to where another format has it.
struct ComponentMove: Sendable {
    /// Nil for the opacity of what has none.
    let source: ComponentReading?
    let target: ComponentReading
    /// Pixels that a sample of the source covers.
    let across: Int
    /// Rows of pixels that a sample covers where it is moved to, as the source lies.
    let down: Int
    /// Whether two rows of the source become one.
    let joinsRows: Bool
    /// Greatest code.
    let most: Int

    /// Nil where codes must be computed or samples have no place.
    static func moves(
        from source: PixelFormat, to target: PixelFormat, swapsAxes: Bool
    ) -> [ComponentMove]? {
        let own = ComponentReading.colors(of: source)
        guard source.isRGB == target.isRGB, source.bitDepth == target.bitDepth,
            own.count == ComponentReading.colors(of: target).count
        else { return nil }
        return moves(
            own, ComponentReading.alpha(of: source), chroma: source.chromaGrid, to: target,
            swapsAxes: swapsAxes)
    }

    /// - Parameters:
    ///   - own: at least the target's components.
    ///   - grid: columns and rows of pixels that a sample of the source's chroma covers.
    /// - Returns: one for each of the target's components, opacity last; nil where samples have no place.
    static func moves(
        _ own: [ComponentReading], _ opacity: ComponentReading?, chroma grid: SampleGrid,
        to target: PixelFormat, swapsAxes: Bool
    ) -> [ComponentMove]? {
        let most = 1 << target.bitDepth - 1
        var moves: [ComponentMove] = []
        for (index, wanted) in ComponentReading.colors(of: target).enumerated() {
            let from: SampleGrid = index > 0 ? grid : (1, 1)
            var to: SampleGrid = index > 0 ? target.chromaGrid : (1, 1)
            if swapsAxes { swap(&to.across, &to.down) }
            guard from.across == to.across, from.down == to.down || (from.down, to.down) == (1, 2)
            else { return nil }
            moves.append(
                ComponentMove(
                    source: own[index], target: wanted, across: from.across, down: to.down,
                    joinsRows: from.down != to.down, most: most))
        }
        if let wanted = ComponentReading.alpha(of: target) {
            moves.append(
                ComponentMove(
                    source: opacity, target: wanted, across: 1, down: 1, joinsRows: false,
                    most: most))
        }
        return moves
    }

    /// Moves components, all of them in a band of rows before the next one, while its memory is near.
    /// - Parameters:
    ///   - size: of the source (pixels).
    ///   - isWide: whether samples are words of 16 bits.
    static func run(
        _ moves: [ComponentMove], _ sources: [PixelPlane], _ targets: [MutablePixelPlane],
        _ size: PixelSize, _ orientation: VideoOrientation, isWide: Bool
    ) {
        if isWide {
            run(moves, sources, targets, size, SampleRotation(orientation), as: UInt16.self)
        } else {
            run(moves, sources, targets, size, SampleRotation(orientation), as: UInt8.self)
        }
    }

    private static func run<Sample: FixedWidthInteger & UnsignedInteger>(
        _ moves: [ComponentMove], _ sources: [PixelPlane], _ targets: [MutablePixelPlane],
        _ size: PixelSize, _ rotation: SampleRotation, as _: Sample.Type
    ) {
        let spare = UnsafeMutablePointer<Sample>.allocate(
            capacity: size.width * SampleRotation.band)
        defer { spare.deallocate() }
        for first in stride(from: 0, to: size.height, by: SampleRotation.band) {
            let band = first..<min(size.height, first + SampleRotation.band)
            for move in moves { move.run(sources, targets, size, band, rotation, spare) }
        }
    }

    /// Moves what lies in a band of rows.
    /// - Parameters:
    ///   - band: rows of the source's pixels; it begins at an even one.
    ///   - spare: room for the band's samples.
    private func run<Sample: FixedWidthInteger & UnsignedInteger>(
        _ sources: [PixelPlane], _ targets: [MutablePixelPlane], _ size: PixelSize,
        _ band: Range<Int>, _ rotation: SampleRotation, _ spare: UnsafeMutablePointer<Sample>
    ) {
        let columns = (size.width + across - 1) / across
        let rows = (size.height + down - 1) / down
        let part = band.lowerBound / down..<(band.upperBound + down - 1) / down
        let plane = targets[target.plane]
        let isStraight =
            !rotation.swapsAxes && !rotation.flipsColumns
            && target.step == MemoryLayout<Sample>.size
            && target.shift == 0
        for row in part {
            let line =
                isStraight
                ? (plane.base + (rotation.flipsRows ? rows - 1 - row : row) * plane.bytesPerRow
                    + target.offset).assumingMemoryBound(to: Sample.self)
                : spare + (row - part.lowerBound) * columns
            gather(sources, row, of: size.height, columns, into: line)
        }
        if !isStraight { place(spare, part, columns: columns, of: rows, plane, rotation) }
    }

    /// One row of what is moved.
    private func gather<Sample: FixedWidthInteger & UnsignedInteger>(
        _ sources: [PixelPlane], _ row: Int, of height: Int, _ columns: Int,
        into line: UnsafeMutablePointer<Sample>
    ) {
        guard let source else {
            return line.update(repeating: Sample(truncatingIfNeeded: most), count: columns)
        }
        let plane = sources[source.plane]
        let bytes = plane.bytesPerRow
        let upper = plane.base + (joinsRows ? 2 * row : row) * bytes
        guard joinsRows else { return source.copyRow(upper, columns, into: line) }
        let lower = plane.base + min(2 * row + 1, height - 1) * bytes
        source.copyMean(upper, lower, columns, into: line)
    }

    private func place<Sample: FixedWidthInteger & UnsignedInteger>(
        _ lines: UnsafeMutablePointer<Sample>, _ part: Range<Int>, columns: Int, of rows: Int,
        _ plane: MutablePixelPlane, _ rotation: SampleRotation
    ) {
        let size = MemoryLayout<Sample>.size
        let shift = Sample(truncatingIfNeeded: target.shift)
        guard target.bits == 0 else {
            let (field, most) = (UInt16(target.shift), UInt16(1 << target.bits - 1))
            return rotation.place(
                UnsafeRawPointer(lines), columns * size, part.lowerBound, part.count,
                columns: columns, of: rows, in: plane, target.offset, target.step, size: size
            ) { from, to in
                let code = (UInt16(from.load(as: UInt8.self)) &* most &+ 127) / 255
                let others = to.loadUnaligned(as: UInt16.self) & ~(most &<< field)
                to.storeBytes(of: others | code &<< field, as: UInt16.self)
            }
        }
        rotation.place(
            UnsafeRawPointer(lines), columns * size, part.lowerBound, part.count, columns: columns,
            of: rows, in: plane, target.offset, target.step, size: size
        ) { from, to in
            to.storeBytes(
                of: from.loadUnaligned(as: Sample.self) &<< shift, as: Sample.self)
        }
    }
}

/// Columns and rows of pixels that a sample covers.
typealias SampleGrid = (across: Int, down: Int)

extension PixelFormat {
    /// Of chroma; of what has none, or has red, green and blue, every pixel.
    var chromaGrid: SampleGrid {
        let planes = layout.planes
        let chroma = planes.count > 1 ? planes[1] : planes[0]
        return (chroma.pixelsPerGroup, chroma.rowsPerRow)
    }
}

extension ComponentReading {
    /// Samples of a row side by side.
    /// - Parameter row: the plane's row.
    func copyRow<Sample: FixedWidthInteger & UnsignedInteger>(
        _ row: UnsafeRawPointer, _ columns: Int, into line: UnsafeMutablePointer<Sample>
    ) {
        let bytes = MemoryLayout<Sample>.size
        if bits > 0 {
            let (down, most) = (UInt32(shift), UInt32(1 << bits - 1))
            for x in 0..<columns {
                let word = row.loadUnaligned(fromByteOffset: 2 &* x, as: UInt16.self)
                let code = UInt32(UInt16(littleEndian: word)) &>> down & most
                line[x] = Sample(truncatingIfNeeded: (code &* 510 &+ most) / (2 &* most))
            }
        } else if step == bytes, shift == 0 {
            UnsafeMutableRawPointer(line).copyMemory(from: row + offset, byteCount: columns * bytes)
        } else if bytes == 1, step == 2 {
            // whole words, several of which the machine takes at once
            let down = UInt16(8 * (offset & 1))
            let start = row + (offset & ~1)
            for x in 0..<columns {
                let word = start.loadUnaligned(fromByteOffset: 2 &* x, as: UInt16.self)
                line[x] = Sample(truncatingIfNeeded: UInt16(littleEndian: word) &>> down)
            }
        } else if bytes == 1, step == 4 {
            let down = UInt32(8 * offset)
            for x in 0..<columns {
                let word = row.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self)
                line[x] = Sample(truncatingIfNeeded: UInt32(littleEndian: word) &>> down)
            }
        } else {
            let (start, down) = (row + offset, Sample(truncatingIfNeeded: shift))
            for x in 0..<columns {
                line[x] =
                    start.loadUnaligned(fromByteOffset: x &* step, as: Sample.self) &>> down
            }
        }
    }

    /// Means of two rows, halves rounded up.
    func copyMean<Sample: FixedWidthInteger & UnsignedInteger>(
        _ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer, _ columns: Int,
        into line: UnsafeMutablePointer<Sample>
    ) {
        if MemoryLayout<Sample>.size == 1, step == 4 {
            let down = UInt32(8 * offset)
            for x in 0..<columns {
                let a = upper.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self)
                let b = lower.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self)
                let sum =
                    (UInt32(littleEndian: a) &>> down & 255)
                    &+ (UInt32(littleEndian: b) &>> down & 255)
                line[x] = Sample(truncatingIfNeeded: (sum &+ 1) &>> 1)
            }
            return
        }
        let down = UInt32(shift)
        for x in 0..<columns {
            let place = offset &+ x &* step
            let a = UInt32(upper.loadUnaligned(fromByteOffset: place, as: Sample.self)) &>> down
            let b = UInt32(lower.loadUnaligned(fromByteOffset: place, as: Sample.self)) &>> down
            line[x] = Sample(truncatingIfNeeded: (a &+ b &+ 1) &>> 1)
        }
    }
}
