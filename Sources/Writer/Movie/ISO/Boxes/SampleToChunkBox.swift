package import Media

/// `stsc`: runs of chunks with as many samples: first chunk, samples, entry (8.7.4).
package struct SampleToChunkBox: Box {
    package static let type: FourCC = "stsc"
    package var table: PackedTable

    package init(table: PackedTable) { self.table = table }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        table = try reader.table(rows: try reader.u32(), columns: 3)
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.u32(UInt32(table.rows))
        table.write(to: &builder)
    }
}
