package import Media

/// `dfLa`: FLAC's metadata blocks; the first is STREAMINFO ("FLAC in ISOBMFF", 3.3.2).
package struct FLACSpecificBox: Box {
    package static let type: FourCC = "dfLa"
    /// The 34 bytes of STREAMINFO.
    package var streamInfo: [UInt8]

    package init(streamInfo: [UInt8]) { self.streamInfo = streamInfo }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        let header = try reader.u32()
        guard header >> 24 & 0x7F == 0, header & 0xFF_FFFF == 34 else {
            throw reader.damaged("the first FLAC block is not STREAMINFO")
        }
        streamInfo = try reader.raw(34)
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.u32(0x8000_0000 | UInt32(streamInfo.count))
        builder.raw(streamInfo)
    }
}
