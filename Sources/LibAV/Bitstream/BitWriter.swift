/// Writes bits and Exp-Golomb numbers (H.264 7.2 and 9.1), most significant first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    /// Bits of the last byte that are not written yet; they are zero.
    private var free = 0

    mutating func append(_ value: UInt64, count: Int) {
        var count = count
        while count > 0 {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            let part = min(free, count)
            count -= part
            free -= part
            let bits = UInt8(truncatingIfNeeded: value >> UInt64(count)) & UInt8(0xFF) >> (8 - part)
            bytes[bytes.count - 1] |= bits << UInt8(free)
        }
    }

    /// ue(v)
    mutating func append(unsigned value: Int) {
        let code = UInt64(value + 1)
        append(code, count: Self.count(unsigned: value))
    }

    /// Bits of an ue(v).
    static func count(unsigned value: Int) -> Int {
        let digits = Int.bitWidth - (value + 1).leadingZeroBitCount
        return 2 * digits - 1
    }

    /// Fills the last byte with ones.
    mutating func align() { append(0xFF, count: free) }

    /// Appends whole bytes where the last one is full.
    mutating func append(_ whole: ArraySlice<UInt8>) {
        bytes += whole
    }

    /// Appends some of the bits of bytes.
    mutating func append(_ source: [UInt8], bits: Range<Int>) {
        source.withUnsafeBytes { source in
            var bits = bits
            func take(_ count: Int) {
                append(Self.bits(source, bits.lowerBound, count), count: count)
                bits = bits.lowerBound + count..<bits.upperBound
            }
            take(min(free, bits.count))
            guard bits.count >= 8 else { return take(bits.count) }
            let count = bits.count / 8
            bytes += Self.shifted(source, bits.lowerBound, bytes: count)
            bits = bits.lowerBound + 8 * count..<bits.upperBound
            take(bits.count)
        }
    }

    /// Up to 8 bits at a position.
    private static func bits(
        _ source: UnsafeRawBufferPointer, _ position: Int, _ count: Int
    ) -> UInt64 {
        guard count > 0 else { return 0 }
        let index = position / 8
        let next = index + 1 < source.count ? source[index + 1] : 0
        let word = UInt64(source[index]) << 8 | UInt64(next)
        return word >> UInt64(16 - position % 8 - count) & (1 << UInt64(count) - 1)
    }

    /// Whole bytes from a position on, eight at a time.
    private static func shifted(
        _ source: UnsafeRawBufferPointer, _ position: Int, bytes count: Int
    ) -> [UInt8] {
        let (first, shift) = (position / 8, UInt64(position % 8))
        return [UInt8](unsafeUninitializedCapacity: count) { target, written in
            let target = UnsafeMutableRawBufferPointer(target)
            var index = 0
            while index + 8 <= count, first + index + 9 <= source.count {
                let at = first + index
                var word = source.loadUnaligned(fromByteOffset: at, as: UInt64.self).bigEndian
                word = word << shift | UInt64(source[at + 8]) >> (8 - shift)
                target.storeBytes(of: word.bigEndian, toByteOffset: index, as: UInt64.self)
                index += 8
            }
            while index < count {
                target[index] = UInt8(bits(source, position + 8 * index, 8))
                index += 1
            }
            written = count
        }
    }
}
