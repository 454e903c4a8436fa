/// A four-character code: the name of a box, brand, handler or sample entry.
package struct FourCC: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let code: UInt32

    package init(code: UInt32) { self.code = code }

    /// Exactly four characters of Latin-1 (`©` is legal).
    package init(stringLiteral text: StaticString) {
        let scalars = "\(text)".unicodeScalars
        precondition(scalars.count == 4, "a four-character code has four characters")
        code = scalars.reduce(0) { $0 << 8 | ($1.value & 0xFF) }
    }

    package var bytes: [UInt8] {
        [
            UInt8(code >> 24), UInt8(truncatingIfNeeded: code >> 16),
            UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code),
        ]
    }

    /// Latin-1, with anything unprintable as `?`: no terminal is steered by it, and no sentence ends in it.
    package var description: String {
        String(
            String.UnicodeScalarView(
                bytes.map { (0x20..<0x7F).contains($0) || $0 >= 0xA0 ? Unicode.Scalar($0) : "?" }))
    }
}
