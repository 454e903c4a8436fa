package import Media

/// `stco` or `co64`: where each chunk is in the file (ISO/IEC 14496-12, 8.7.5).
package struct ChunkOffsetBox: Box {
    package static let type: FourCC = "co64"
    static let shortType: FourCC = "stco"
    package var offsets: [UInt64]

    package init(offsets: [UInt64]) { self.offsets = offsets }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let isShort = reader.type == ChunkOffsetBox.shortType
        _ = try reader.full()
        let count = try reader.u32()
        let table = try reader.table(rows: count, columns: isShort ? 1 : 2)
        offsets = (0..<Int(count)).map { row in
            isShort
                ? UInt64(table[row])
                : UInt64(table[row, 0]) << 32 | UInt64(table[row, 1])
        }
    }

    /// The body of `co64`.
    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.u32(UInt32(offsets.count))
        for offset in offsets { builder.u64(offset) }
    }
}
