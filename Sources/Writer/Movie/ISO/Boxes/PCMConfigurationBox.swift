package import Media

/// `pcmC`: the byte order and width of `ipcm` and `fpcm` samples (ISO/IEC 23003-5, 5.2).
package struct PCMConfigurationBox: Box {
    package static let type: FourCC = "pcmC"
    package var isLittleEndian: Bool
    /// Bits of a sample (16, 24, 32 or 64).
    package var bits: UInt8

    package init(isLittleEndian: Bool, bits: UInt8) {
        self.isLittleEndian = isLittleEndian
        self.bits = bits
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        isLittleEndian = try reader.u8() & 1 != 0
        bits = try reader.u8()
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.u8(isLittleEndian ? 1 : 0)
        builder.u8(bits)
    }
}
