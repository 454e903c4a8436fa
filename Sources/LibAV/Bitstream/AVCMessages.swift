/// Messages that go with H.264 pictures (`sei_rbsp`; 7.3.2.3 and D.1).
enum AVCMessages {
    /// Appends a unit of messages (type 6) without those that name a sequence parameter set (`buffering_period`): they say
    /// how full a decoder's buffer is that has got this stream alone. Nothing is appended where none is left.
    static func appendPlain(_ unit: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        let bytes = EmulationPrevention.removed(from: unit)
        var kept = [UInt8](bytes.prefix(1))
        var isWhole = true
        var offset = 1
        // one byte is left behind the last message
        while bytes.count - offset > 2 {
            let start = offset
            guard let type = number(bytes, &offset), let size = number(bytes, &offset),
                size <= bytes.count - offset
            else {
                offset = start
                break
            }
            offset += size
            if type == 0 { isWhole = false } else { kept += bytes[start..<offset] }
        }
        guard !isWhole else {
            output += unit
            return
        }
        guard kept.count > 1 else { return }
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
