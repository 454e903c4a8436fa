package import Media

/// `stsz`: the size of each sample, or of all (ISO/IEC 14496-12, 8.7.3.2).
package struct SampleSizeBox: Box {
    package static let type: FourCC = "stsz"
    /// Size of every sample (bytes; 0 = each its own).
    package var constantSize: UInt32
    package var count: UInt32
    /// Empty when the size is constant.
    package var table: PackedTable

    package init(constantSize: UInt32, count: UInt32, table: PackedTable) {
        self.constantSize = constantSize
        self.count = count
        self.table = table
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        constantSize = try reader.u32()
        count = try reader.u32()
        table = try reader.table(rows: constantSize == 0 ? count : 0, columns: 1)
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.u32(constantSize)
        builder.u32(count)
        table.write(to: &builder)
    }
}
