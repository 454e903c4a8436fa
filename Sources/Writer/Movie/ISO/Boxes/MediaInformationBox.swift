package import Media

/// `gmin`: how media that are neither video nor audio would be drawn (QuickTime File Format).
package struct MediaInformationBox: Box {
    package static let type: FourCC = "gmin"

    package init() {}

    package init(from reader: inout BoxReader) throws(MediaError) { _ = try reader.full() }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.u16(0x40)  // copied
        for _ in 0..<3 { builder.u16(0x8000) }
        builder.zeros(4)
    }
}
