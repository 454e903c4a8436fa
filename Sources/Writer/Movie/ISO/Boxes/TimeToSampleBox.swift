package import Media

/// `stts`: runs of samples of one duration: count, ticks (ISO/IEC 14496-12, 8.6.1.2).
package struct TimeToSampleBox: Box {
    package static let type: FourCC = "stts"
    package var table: PackedTable

    package init(table: PackedTable) { self.table = table }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        table = try reader.table(rows: try reader.u32(), columns: 2)
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.u32(UInt32(table.rows))
        table.write(to: &builder)
    }
}
