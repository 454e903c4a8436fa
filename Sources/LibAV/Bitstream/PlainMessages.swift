/// Messages that go with pictures (`sei_rbsp`; H.264 7.3.2.3 and D.1, H.265 7.3.2.4 and D.2) without those that name
/// parameter sets.
struct PlainMessages {
    /// Of a unit (bytes).
    let header: Int
    /// Types that are left out.
    let naming: Set<Int>

    /// `buffering_period` says how full a decoder's buffer is that has got this stream alone.
    static let h264 = PlainMessages(header: 1, naming: [0])
    /// The same, and `active_parameter_sets`.
    static let hevc = PlainMessages(header: 2, naming: [0, 129])

    /// Appends what is left of a unit; nothing where nothing is.
    func append(_ unit: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        let bytes = EmulationPrevention.removed(from: unit)
        var kept = [UInt8](bytes.prefix(header))
        var isWhole = true
        var offset = header
        // one byte is left behind the last message
        while bytes.count - offset > 2 {
            let start = offset
            guard let type = Self.number(bytes, &offset), let size = Self.number(bytes, &offset),
                size <= bytes.count - offset
            else {
                offset = start
                break
            }
            offset += size
            if naming.contains(type) { isWhole = false } else { kept += bytes[start..<offset] }
        }
        guard !isWhole else {
            output += unit
            return
        }
        guard kept.count > header else { return }
        kept += bytes[offset...]
        EmulationPrevention.append(kept, to: &output)
    }

    private static func number(_ bytes: [UInt8], _ offset: inout Int) -> Int? {
        var sum = 0
        while offset < bytes.count {
            let byte = Int(bytes[offset])
            offset += 1
            sum += byte
            if byte != 255 { return sum }
        }
        return nil
    }
}
