/// Reads bits and Exp-Golomb numbers of a parameter set (H.264 7.2 and 9.1; AV1's uvlc is the same), most significant
/// first.
/// Past the end it reads zeros; `isExhausted` says so.
struct BitReader {
    private let bytes: [UInt8]
    /// Bits read or skipped so far.
    private(set) var position = 0

    /// Takes bytes as they are.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Takes a unit's bytes and removes the emulation prevention (00 00 03).
    init<Bytes: Sequence>(unescaping unit: Bytes) where Bytes.Element == UInt8 {
        var result: [UInt8] = []
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        bytes = result
    }

    var isExhausted: Bool { position > bytes.count * 8 }

    mutating func bits(_ count: Int) -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<count {
            let byte = position / 8
            let bit = byte < bytes.count ? bytes[byte] >> (7 - position % 8) & 1 : 0
            value = value << 1 | UInt64(bit)
            position += 1
        }
        return value
    }

    mutating func flag() -> Bool { bits(1) == 1 }

    mutating func skip(_ count: Int) { position += count }

    /// ue(v)
    mutating func unsigned() -> UInt64 {
        var zeros = 0
        while zeros < 32, !isExhausted, bits(1) == 0 { zeros += 1 }
        return (1 << UInt64(zeros)) - 1 + bits(zeros)
    }

    /// se(v)
    mutating func signed() -> Int64 {
        let code = Int64(unsigned())
        return code % 2 == 0 ? -code / 2 : (code + 1) / 2
    }
}
