/// The bytes that keep start codes out of H.264's units (7.3.1 and 7.4.1.1): a 3 behind two zeros.
enum EmulationPrevention {
    /// A unit, or the first part of it, without them.
    static func removed(from unit: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(unit.count)
        var start = 0
        var index = 2
        while index < unit.count {
            if unit[index] > 3 {
                index += 3
            } else if unit[index] == 3, unit[index - 1] == 0, unit[index - 2] == 0 {
                result += UnsafeRawBufferPointer(rebasing: unit[start..<index])
                start = index + 1
                index += 3
            } else {
                index += 1
            }
        }
        result += UnsafeRawBufferPointer(rebasing: unit[start...])
        return result
    }

    /// Appends a unit with them.
    static func append(_ payload: [UInt8], to output: inout [UInt8]) {
        payload.withUnsafeBytes { bytes in
            var start = 0
            var index = 2
            while index < bytes.count {
                if bytes[index] > 3 {
                    index += 3
                } else if bytes[index - 1] == 0, bytes[index - 2] == 0 {
                    output += UnsafeRawBufferPointer(rebasing: bytes[start..<index])
                    output.append(3)
                    start = index
                    index += 2
                } else {
                    index += 1
                }
            }
            output += UnsafeRawBufferPointer(rebasing: bytes[start...])
        }
        // a unit never ends in a zero
        if payload.last == 0 { output.append(3) }
    }

    /// Where the byte stands in a unit that has so many before it when they are removed.
    static func offset(of count: Int, in unit: UnsafeRawBufferPointer) -> Int {
        var (offset, kept, zeros) = (0, 0, 0)
        while offset < unit.count {
            let byte = unit[offset]
            if zeros >= 2, byte == 3 {
                zeros = 0
            } else {
                if kept == count { return offset }
                kept += 1
                zeros = byte == 0 ? zeros + 1 : 0
            }
            offset += 1
        }
        return offset
    }
}
