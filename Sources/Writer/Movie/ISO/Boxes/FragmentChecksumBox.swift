package import Media

/// `vsum`, vcap's own, last in a `moof`: a checksum of the fragment's sample data, so that repair
/// knows which fragments a crash or a dying disk tore. Other readers skip it.
package struct FragmentChecksumBox: Box {
    package static let type: FourCC = "vsum"
    package var checksum: UInt64

    package init(checksum: UInt64) { self.checksum = checksum }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        checksum = try reader.u64()
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.u64(checksum)
    }

    /// FNV-1a over little-endian 64-bit words (the last one padded with zeros) and the length, with
    /// a rotation a word so that high bits reach low ones.
    package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        let prime: UInt64 = 0x0000_0100_0000_01B3
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let whole = bytes.count & ~7
        var offset = 0
        while offset < whole {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            hash = (hash ^ word) &* prime
            hash = hash << 29 | hash >> 35
            offset += 8
        }
        var last: UInt64 = 0
        for (index, byte) in bytes[whole...].enumerated() {
            last |= UInt64(byte) << UInt64(8 * index)
        }
        hash = (hash ^ last) &* prime
        return (hash ^ UInt64(bytes.count)) &* prime
    }
}
