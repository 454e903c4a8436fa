/// The beginning of an HEVC slice segment, up to the number of its picture parameter set (H.265, 7.3.6.1).
struct HEVCSliceHead {
    /// Types of units at which decoding can begin (broken links, refreshes, clean random access).
    static let entries: ClosedRange<UInt8> = 16...21
    /// Types of which a segment says whether earlier pictures are thrown away (`IRAP_VIDEO`).
    private static let points: ClosedRange<UInt8> = 16...23

    /// Raw bytes that hold it, and more than that.
    private static let longest = 8

    /// What becomes of it.
    struct Change {
        /// New numbers of picture parameter sets by the old ones; nil: they stay.
        let numbers: [Int: Int]?
        /// Whether pictures that are shown before it and decoded behind it are left out, and what is before it are other
        /// pictures, all of which are to be shown.
        let begins: Bool
    }

    /// Appends a slice segment with another head. A number is as many whole bytes longer or shorter than the old one, so that
    /// what is behind it does not move within its bytes: nothing else has to be understood.
    /// - Returns: false for a number that is not known or is not as much longer, and for what is cut.
    static func append(
        _ unit: UnsafeRawBufferPointer, _ change: Change, to output: inout [UInt8]
    ) -> Bool {
        // emulation prevention does not look back across a byte above 3
        var border = min(longest, unit.count)
        while border < unit.count, unit[border - 1] <= 3 { border += 1 }
        let head = EmulationPrevention.removed(
            from: UnsafeRawBufferPointer(rebasing: unit[..<border]))
        guard head.count > 2 else { return false }
        let type = NALCodec.hevc.type(head[0])
        var reader = BitReader(head)
        reader.skip(16)
        let isFirst = reader.flag()
        let discards = points.contains(type) ? reader.flag() : nil
        let old = Int(reader.unsigned())
        let end = reader.position
        guard end < 8 * head.count, let new = change.numbers.map({ $0[old] }) ?? old else {
            return false
        }
        let growth = BitWriter.count(unsigned: new) - BitWriter.count(unsigned: old)
        guard growth.isMultiple(of: 8) else { return false }
        var writer = BitWriter()
        let newType = change.begins ? beginning(type) : type
        writer.append(UInt64(head[0] & 0x81 | newType << 1), count: 8)
        writer.append(UInt64(head[1]), count: 8)
        writer.append(isFirst ? 1 : 0, count: 1)
        if let discards { writer.append(discards && !change.begins ? 1 : 0, count: 1) }
        writer.append(unsigned: new)
        writer.append(head, bits: end..<8 * head.count)
        EmulationPrevention.append(writer.bytes, to: &output)
        output += UnsafeRawBufferPointer(rebasing: unit[border...])
        return true
    }

    /// The type of a picture behind others, of those whose leading pictures are left out: a refresh (IDR_N_LP) or a
    /// broken link (BLA_N_LP).
    private static func beginning(_ type: UInt8) -> UInt8 {
        switch type {
        case 19, 20: 20
        case 16...18, 21: 18
        default: type
        }
    }
}
