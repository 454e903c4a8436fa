internal import Media

/// The units of H.264 and HEVC streams and the two ways to distinguish them: start codes (Annex B of
/// both standards) and lengths (ISO/IEC 14496-15).
enum NALUnits {
    /// Where the units of an Annex B stream lie, start codes and trailing zeros excluded.
    static func annexBUnits(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var units: [Range<Int>] = []
        var start: Int?
        var index = 0
        let count = bytes.count
        while index + 2 < count {
            let third = bytes[index + 2]
            if third > 1 {
                index += 3
            } else if third == 1, bytes[index] == 0, bytes[index + 1] == 0 {
                if let start { units.append(start..<trimmed(bytes, start, index)) }
                start = index + 3
                index += 3
            } else {
                index += 1
            }
        }
        if let start { units.append(start..<trimmed(bytes, start, count)) }
        return units.filter { !$0.isEmpty }
    }

    /// A unit never ends in a zero byte; zeros before a start code belong to it.
    private static func trimmed(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int {
        var end = end
        while end > start, bytes[end - 1] == 0 { end -= 1 }
        return end
    }

    /// An Annex B sample with 4-byte lengths, without the units `isDropped` names by their first byte.
    static func lengthPrefixed(
        _ bytes: UnsafeRawBufferPointer, dropping isDropped: (UInt8) -> Bool
    ) -> BlockBuffer {
        let units = annexBUnits(in: bytes).filter { !isDropped(bytes[$0.lowerBound]) }
        let size = units.reduce(0) { $0 + 4 + $1.count }
        return BlockBuffer(count: size) { memory in
            var offset = 0
            for unit in units {
                memory.storeBytes(
                    of: UInt32(unit.count).bigEndian, toByteOffset: offset, as: UInt32.self)
                let target = UnsafeMutableRawBufferPointer(rebasing: memory[(offset + 4)...])
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[unit]))
                offset += 4 + unit.count
            }
        }
    }

    /// Whether a length-prefixed sample (4 bytes) has a unit of a kind, by its first byte; true for damage.
    static func holds(_ sample: BlockBuffer, where isWanted: (UInt8) -> Bool) -> Bool {
        sample.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                guard bytes.count - offset > 4, !isWanted(bytes[offset + 4]) else { return true }
                let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
                guard length > 0, length <= bytes.count - offset - 4 else { return true }
                offset += 4 + length
            }
            return false
        }
    }

    /// A length-prefixed sample (4 bytes) with other units.
    /// - Parameter append: what stands there instead of a unit, its length left out; nothing: the unit is left out;
    ///   false: it cannot be changed.
    /// - Returns: nil for damage, and where nothing is left or something cannot be changed.
    static func rewritten(
        _ sample: BlockBuffer,
        _ append: (_ unit: UnsafeRawBufferPointer, _ output: inout [UInt8]) -> Bool
    ) -> BlockBuffer? {
        sample.withUnsafeBytes { bytes in
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count + bytes.count / 64 + 64)
            var offset = 0
            while offset < bytes.count {
                guard bytes.count - offset > 4 else { return nil }
                let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
                offset += 4
                guard length > 0, length <= bytes.count - offset else { return nil }
                let start = output.count
                output += [0, 0, 0, 0]
                let unit = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
                guard append(unit, &output), let count = UInt32(exactly: output.count - start - 4)
                else { return nil }
                if count == 0 {
                    output.removeLast(4)
                } else {
                    withUnsafeBytes(of: count.bigEndian) {
                        output.replaceSubrange(start..<start + 4, with: $0)
                    }
                }
                offset += length
            }
            return output.isEmpty ? nil : BlockBuffer(output)
        }
    }

    /// A length-prefixed sample with 4-byte lengths instead of 1…3-byte ones; `nil` when damaged.
    static func widened(_ bytes: UnsafeRawBufferPointer, from lengthSize: Int) -> BlockBuffer? {
        var units: [Range<Int>] = []
        var offset = 0
        while offset < bytes.count {
            guard offset + lengthSize <= bytes.count else { return nil }
            let length = bytes[offset..<(offset + lengthSize)].reduce(0) { $0 << 8 | Int($1) }
            offset += lengthSize
            guard length <= bytes.count - offset else { return nil }
            units.append(offset..<(offset + length))
            offset += length
        }
        return BlockBuffer(
            units.reduce(into: []) { result, unit in
                withUnsafeBytes(of: UInt32(unit.count).bigEndian) { result += $0 }
                result += bytes[unit]
            })
    }
}

/// What parameter sets, delimiters and fillers are called in the two standards.
enum NALCodec {
    case h264, hevc

    /// - Returns: nil for codecs without units.
    init?(_ codec: VideoCodec?) {
        switch codec {
        case .h264: self = .h264
        case .hevc: self = .hevc
        default: return nil
        }
    }

    func type(_ firstByte: UInt8) -> UInt8 {
        self == .h264 ? firstByte & 31 : firstByte >> 1 & 63
    }

    /// Access unit delimiters and filler, which length-prefixed samples go without.
    func isDelimiter(_ firstByte: UInt8) -> Bool {
        let type = type(firstByte)
        return self == .h264 ? type == 9 || type == 12 : type == 35 || type == 38
    }

    /// Whether a unit is a parameter set.
    func isParameterSet(_ firstByte: UInt8) -> Bool {
        let type = type(firstByte)
        return self == .h264 ? type == 7 || type == 8 : (32...34).contains(type)
    }

    /// Parameter sets (kept in the configuration), access unit delimiters and filler.
    func isOutOfBand(_ firstByte: UInt8) -> Bool {
        let type = type(firstByte)
        switch self {
        case .h264: return type == 7 || type == 8 || type == 9 || type == 12
        case .hevc: return (32...35).contains(type) || type == 38
        }
    }
}
