/// The checksum of Matroska's elements: CRC-32 of IEEE 802.3.
struct CRC32 {
    private var state: UInt32 = 0xFFFF_FFFF

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in
            value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
        }
    }

    mutating func add(_ bytes: [UInt8]) {
        var value = state
        CRC32.table.withUnsafeBufferPointer { table in
            for byte in bytes {
                value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8
            }
        }
        state = value
    }

    var value: UInt32 { ~state }
}
