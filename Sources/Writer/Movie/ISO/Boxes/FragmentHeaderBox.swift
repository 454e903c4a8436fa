package import Media

/// `mfhd`: a fragment's number, from 1 (ISO/IEC 14496-12, 8.8.5).
package struct FragmentHeaderBox: Box {
    package static let type: FourCC = "mfhd"
    package var sequenceNumber: UInt32

    package init(sequenceNumber: UInt32) { self.sequenceNumber = sequenceNumber }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        sequenceNumber = try reader.u32()
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.u32(sequenceNumber)
    }
}
