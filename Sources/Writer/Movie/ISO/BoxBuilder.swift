package import Media

/// Builds boxes in memory, big endian.
package struct BoxBuilder {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// - Parameter room: bytes that can be added before anything moves.
    package init(room: Int) { bytes.reserveCapacity(room) }

    package mutating func u8(_ value: UInt8) { bytes.append(value) }

    package mutating func u16(_ value: UInt16) {
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    package mutating func u32(_ value: UInt32) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func u64(_ value: UInt64) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func i32(_ value: Int32) { u32(UInt32(bitPattern: value)) }
    package mutating func i64(_ value: Int64) { u64(UInt64(bitPattern: value)) }
    package mutating func code(_ value: FourCC) { u32(value.code) }
    package mutating func zeros(_ count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }
    package mutating func raw(_ more: [UInt8]) { bytes.append(contentsOf: more) }
    package mutating func raw(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// UTF-8 with its closing zero; a zero inside ends it.
    package mutating func text(_ text: String) {
        bytes.append(contentsOf: text.utf8.prefix { $0 != 0 })
        bytes.append(0)
    }

    /// Version and flags of a full box.
    package mutating func full(_ version: UInt8, _ flags: UInt32) {
        u32(UInt32(version) << 24 | flags & 0xFF_FFFF)
    }

    /// A box around what `body` adds. Boxes built in memory stay far below 4 GiB.
    package mutating func box(_ type: FourCC, _ body: (inout BoxBuilder) -> Void) {
        let start = bytes.count
        u32(0)
        code(type)
        body(&self)
        patch(UInt32(bytes.count - start), at: start)
    }

    package mutating func patch(_ value: UInt32, at offset: Int) {
        for index in 0..<4 {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(index)))
        }
    }

    package mutating func append<Kind: Box>(_ box: Kind) {
        self.box(Kind.type) { box.write(to: &$0) }
    }
}

/// One kind of box, read and written.
package protocol Box: Sendable, Equatable {
    static var type: FourCC { get }

    /// Reads the body.
    init(from reader: inout BoxReader) throws(MediaError)

    /// Adds the body.
    func write(to builder: inout BoxBuilder)
}
