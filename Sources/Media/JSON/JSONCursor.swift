/// Walks over the bytes of a text and counts lines and columns.
struct JSONCursor {
    private let bytes: [UInt8]
    /// Of the byte here, from 0.
    private(set) var offset = 0
    private(set) var position = TextPosition.start

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }
    /// The byte here; nil at the end.
    var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func peek(_ distance: Int) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    /// Moves on by a byte. Bytes inside a character do not count as columns.
    mutating func advance() {
        let byte = bytes[offset]
        offset += 1
        if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && self.byte != 10) {
            position = TextPosition(line: position.line + 1, column: 1)
        } else if self.byte.map({ $0 & 0xC0 != 0x80 }) ?? true {
            position.column += 1
        }
    }

    mutating func advance(_ count: Int) {
        for _ in 0..<count { advance() }
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard self.byte == byte else { return false }
        advance()
        return true
    }

    /// The Unicode scalar here and its bytes; nil at the end and for bytes that are not UTF-8.
    var scalar: (value: Unicode.Scalar, bytes: Int)? {
        guard let first = byte else { return nil }
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, offset + count <= bytes.count else { return nil }
        var value = UInt32(first) & (0x7F >> UInt32(count))
        for index in 1..<count {
            let next = bytes[offset + index]
            guard next & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(next & 0x3F)
        }
        let least: [UInt32] = [0, 0, 0x80, 0x800, 0x10000]
        guard value >= least[count], let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, count)
    }

    /// What lies here, for messages.
    var found: String {
        guard let scalar = scalar else { return isAtEnd ? "the end" : "a byte that is not UTF-8" }
        return scalar.value.value < 0x20 ? "a control character" : "\"\(scalar.value)\""
    }
}
