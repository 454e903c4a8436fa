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

    package static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var sum = FragmentChecksum()
        sum.add(bytes)
        return sum.value
    }
}

/// FNV-1a over little-endian 64-bit words (the last one padded with zeros) and the length, with a rotation a
/// word so that high bits reach low ones. Of bytes that come in pieces it is that of all of them.
package struct FragmentChecksum: Sendable {
    private static let prime: UInt64 = 0x0000_0100_0000_01B3
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private var count = 0
    /// Bytes of a word that is not whole yet, in its low bytes.
    private var rest: UInt64 = 0
    private var restCount: Int { count & 7 }

    package init() {}

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset < bytes.count, restCount != 0 {
            addByte(bytes[offset])
            offset += 1
        }
        let whole = offset + (bytes.count - offset) & ~7
        var hash = hash
        count += whole - offset
        while offset < whole {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            hash = (hash ^ word) &* Self.prime
            hash = hash << 29 | hash >> 35
            offset += 8
        }
        self.hash = hash
        for byte in bytes[whole...] { addByte(byte) }
    }

    private mutating func addByte(_ byte: UInt8) {
        rest |= UInt64(byte) << UInt64(8 * restCount)
        count += 1
        guard restCount == 0 else { return }
        hash = (hash ^ rest) &* Self.prime
        hash = hash << 29 | hash >> 35
        rest = 0
    }

    package var value: UInt64 {
        ((hash ^ rest) &* Self.prime ^ UInt64(count)) &* Self.prime
    }
}
