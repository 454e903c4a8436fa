extension SampleIndex {
    /// What `writeTables` writes at most (bytes).
    var tableBytes: Int {
        var cells = bytesPerFrame > 0 ? 0 : sizes.count
        cells += 2 * (durations.runs + 1) + 3 * samplesPerChunk.runs + 2 * chunkSteps.count
        if hasCompositionOffsets { cells += 2 * compositionOffsets.runs }
        if hasNonSync { cells += syncCount }
        return 4 * cells + 6 * 20
    }

    /// Adds the sample tables but `stsd`.
    /// - Parameter place: turns a stored offset into a physical one, and keeps their order.
    func writeTables(to builder: inout BoxBuilder, place: (Int64) -> Int64) {
        writeDurations(to: &builder)
        if hasCompositionOffsets {
            builder.table(CompositionOffsetBox.type, 1, rows: compositionOffsets.runs) { cells in
                for run in compositionOffsets { cells.add(run.count, run.value) }
            }
        }
        if hasNonSync {
            builder.table(SyncSampleBox.type, rows: syncCount) { cells in
                var number: UInt32 = 0
                for run in syncSteps {
                    for _ in 0..<run.count {
                        number += run.value
                        cells.add(number)
                    }
                }
            }
        }
        builder.table(SampleToChunkBox.type, rows: samplesPerChunk.runs) { cells in
            var chunk: UInt32 = 1
            for run in samplesPerChunk {
                cells.add(chunk, run.value)
                cells.add(1)  // the one description
                chunk += run.count
            }
        }
        builder.box(SampleSizeBox.type) { builder in
            builder.full(0, 0)
            builder.u32(UInt32(bytesPerFrame))
            builder.u32(fileCount)
            builder.cells { cells in for size in sizes { cells.add(UInt32(size)) } }
        }
        writeChunkOffsets(to: &builder, place: place)
    }

    private func writeDurations(to builder: inout BoxBuilder) {
        var durations = durations
        if bytesPerFrame == 0, count > 0 { durations.append(lastDuration) }
        let rows = bytesPerFrame > 0 ? 1 : durations.runs
        builder.table(TimeToSampleBox.type, rows: rows) { cells in
            if bytesPerFrame > 0 { cells.add(fileCount, 1) }
            for run in durations { cells.add(run.count, run.value) }
        }
    }

    /// `stco` where 32 bits are enough.
    private func writeChunkOffsets(to builder: inout BoxBuilder, place: (Int64) -> Int64) {
        let isShort = place(farthestChunkOffset) <= UInt32.max
        let type = isShort ? ChunkOffsetBox.shortType : ChunkOffsetBox.type
        builder.table(type, rows: chunkSteps.count) { cells in
            var offset: Int64 = 0
            var steps = chunkSteps.makeIterator()
            while let step = steps.nextSigned() {
                offset += step
                let physical = UInt64(place(offset))
                if !isShort { cells.add(UInt32(physical >> 32)) }
                cells.add(UInt32(truncatingIfNeeded: physical))
            }
        }
    }
}

extension BoxBuilder {
    /// A full box of rows: their number, then their cells.
    fileprivate mutating func table(
        _ type: FourCC, _ version: UInt8 = 0, rows: Int, _ body: (inout CellWriter) -> Void
    ) {
        box(type) { builder in
            builder.full(version, 0)
            builder.u32(UInt32(rows))
            builder.cells(body)
        }
    }

    fileprivate mutating func cells(_ body: (inout CellWriter) -> Void) {
        var cells = CellWriter(builder: self)
        // so that the bytes have one owner, and stay where they are
        self = BoxBuilder()
        body(&cells)
        self = cells.finish()
    }
}

/// Adds words by the thousand: millions of them one by one take three times as long.
private struct CellWriter {
    private static let limit = 4096

    private var builder: BoxBuilder
    private var words: [UInt32] = []

    init(builder: consuming BoxBuilder) {
        self.builder = builder
        words.reserveCapacity(Self.limit)
    }

    mutating func add(_ cell: UInt32) {
        words.append(cell.bigEndian)
        if words.count == Self.limit { flush() }
    }

    mutating func add(_ first: UInt32, _ second: UInt32) {
        add(first)
        add(second)
    }

    private mutating func flush() {
        words.withUnsafeBytes { builder.raw($0) }
        words.removeAll(keepingCapacity: true)
    }

    mutating func finish() -> BoxBuilder {
        flush()
        return builder
    }
}
