package import Media

/// `ctts`: runs of samples of one composition offset: count, ticks (ISO/IEC 14496-12, 8.6.1.3).
/// The ticks are signed in either version: writers of version 0 use them so.
package struct CompositionOffsetBox: Box {
    package static let type: FourCC = "ctts"
    package var table: PackedTable

    package init(table: PackedTable) { self.table = table }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        table = try reader.table(rows: try reader.u32(), columns: 2)
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(1, 0)
        builder.u32(UInt32(table.rows))
        table.write(to: &builder)
    }
}
