import Media

@testable import Movie

/// The sample tables cell by cell, as the standard has them and without anything packed: what `SampleIndex` must
/// write.
struct PlainTables {
    private var sizes = PackedTable(columns: 1)
    private var durations = PackedTable(columns: 2)
    private var offsets = PackedTable(columns: 2)
    private var syncSamples = PackedTable(columns: 1)
    private var samplesPerChunk = PackedTable(columns: 3)
    private var chunkOffsets: [UInt64] = []
    private var last: SampleIndex.Sample?
    private var isReordered = false

    mutating func appendChunk(_ samples: [SampleIndex.Sample], at offset: Int64) {
        for sample in samples {
            if let last { durations.appendRun(of: UInt32(sample.decodeTime - last.decodeTime)) }
            last = sample
            sizes.append(sample.size)
            offsets.appendRun(of: UInt32(bitPattern: sample.compositionOffset))
            if sample.compositionOffset != 0 { isReordered = true }
            if sample.isSync { syncSamples.append(UInt32(sizes.rows)) }
        }
        chunkOffsets.append(UInt64(offset))
        let before = samplesPerChunk.rows - 1
        if before < 0 || samplesPerChunk[before, 1] != UInt32(samples.count) {
            samplesPerChunk.append(UInt32(chunkOffsets.count), UInt32(samples.count), 1)
        }
    }

    var bytes: [UInt8] {
        var durations = durations
        if let last { durations.appendRun(of: last.duration) }
        var builder = BoxBuilder()
        builder.append(TimeToSampleBox(table: durations))
        if isReordered { builder.append(CompositionOffsetBox(table: offsets)) }
        if syncSamples.rows < sizes.rows { builder.append(SyncSampleBox(table: syncSamples)) }
        builder.append(SampleToChunkBox(table: samplesPerChunk))
        builder.append(
            SampleSizeBox(constantSize: 0, count: UInt32(sizes.rows), table: sizes))
        ChunkOffsetBox(offsets: chunkOffsets).writeShortest(to: &builder)
        return builder.bytes
    }
}

extension PackedTable {
    /// A row of a count and a value: longer by one if the value is that of the last row.
    mutating func appendRun(of value: UInt32) {
        let last = rows - 1
        if last >= 0, self[last, 1] == value {
            self[last, 0] += 1
        } else {
            append(1, value)
        }
    }
}

extension ChunkOffsetBox {
    /// The whole box, `stco` where 32 bits are enough.
    func writeShortest(to builder: inout BoxBuilder) {
        guard offsets.allSatisfy({ $0 <= UInt32.max }) else { return builder.append(self) }
        builder.box(ChunkOffsetBox.shortType) { builder in
            builder.full(0, 0)
            builder.u32(UInt32(offsets.count))
            for offset in offsets { builder.u32(UInt32(offset)) }
        }
    }
}
