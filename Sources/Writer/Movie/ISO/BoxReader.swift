package import Media

/// Reads the bytes of one box; knows where in the file it is, so that an error can say so.
package struct BoxReader: Sendable {
    /// Boxes nested deeper than this are refused.
    static let depthLimit = 12

    /// The box's type.
    package let type: FourCC
    /// Names from the root, such as `moov/trak`.
    package let path: String
    private let file: String
    private let bytes: [UInt8]
    private let base: Int64  // file offset of bytes[0]
    private let depth: Int
    private var position: Int
    private let end: Int

    /// - Parameters:
    ///   - bytes: the body of the box.
    ///   - base: where the body begins in the file.
    package init(type: FourCC, bytes: [UInt8], at base: Int64, file: String) {
        self.init(
            type: type, path: "\(type)", file: file, bytes: bytes, base: base, depth: 1,
            position: 0, end: bytes.count)
    }

    private init(
        type: FourCC, path: String, file: String, bytes: [UInt8], base: Int64, depth: Int,
        position: Int, end: Int
    ) {
        self.type = type
        self.path = path
        self.file = file
        self.bytes = bytes
        self.base = base
        self.depth = depth
        self.position = position
        self.end = end
    }

    /// Bytes not yet read.
    package var remaining: Int { end - position }

    /// Where the next byte is in the file.
    package var fileOffset: Int64 { base + Int64(position) }

    /// The error that names this place.
    package func damaged(_ what: String) -> MediaError {
        MediaError(
            code: .damagedFile, subject: file,
            message: "Cannot read \(file): \(what), in box \(path) at byte \(fileOffset); "
                + "the file is damaged or not a movie.")
    }

    private mutating func take(_ count: Int) throws(MediaError) -> Int {
        guard count >= 0, count <= remaining else {
            throw damaged("\(count) bytes are missing")
        }
        defer { position += count }
        return position
    }

    package mutating func u8() throws(MediaError) -> UInt8 { bytes[try take(1)] }

    package mutating func u16() throws(MediaError) -> UInt16 {
        let at = try take(2)
        return UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
    }

    package mutating func u32() throws(MediaError) -> UInt32 {
        let at = try take(4)
        return bytes.withUnsafeBytes {
            UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        }
    }

    package mutating func u64() throws(MediaError) -> UInt64 {
        UInt64(try u32()) << 32 | UInt64(try u32())
    }

    package mutating func i32() throws(MediaError) -> Int32 { Int32(bitPattern: try u32()) }
    package mutating func i64() throws(MediaError) -> Int64 { Int64(bitPattern: try u64()) }
    package mutating func code() throws(MediaError) -> FourCC { FourCC(code: try u32()) }
    package mutating func skip(_ count: Int) throws(MediaError) { _ = try take(count) }

    package mutating func raw(_ count: Int) throws(MediaError) -> [UInt8] {
        let at = try take(count)
        return Array(bytes[at..<at + count])
    }

    package mutating func rest() -> [UInt8] {
        defer { position = end }
        return Array(bytes[position..<end])
    }

    /// UTF-8 up to a zero or the end of the box; broken sequences are replaced.
    package mutating func text() -> String {
        let slice = bytes[position..<end]
        let stop = slice.firstIndex(of: 0) ?? end
        defer { position = min(stop + 1, end) }
        return String(decoding: bytes[position..<stop], as: UTF8.self)
    }

    /// A table of `count` rows of 32-bit words, checked against the bytes that are there.
    package mutating func table(
        rows: UInt32, columns: Int
    ) throws(MediaError) -> PackedTable {
        let size = Int(rows) * columns * 4
        guard size <= remaining else {
            throw damaged("a table of \(rows) rows does not fit")
        }
        let at = try take(size)
        return bytes.withUnsafeBytes { whole in
            PackedTable(
                columns: columns,
                bigEndian: UnsafeRawBufferPointer(rebasing: whole[at..<at + size]))
        }
    }

    package mutating func full() throws(MediaError) -> (version: UInt8, flags: UInt32) {
        let word = try u32()
        return (UInt8(word >> 24), word & 0xFF_FFFF)
    }

    /// The next child, or `nil` at the end. Fewer than 8 bytes at the end are padding (QuickTime
    /// ends some atoms with a zero word).
    package mutating func child() throws(MediaError) -> BoxReader? {
        guard remaining >= 8 else { return nil }
        guard depth < BoxReader.depthLimit else { throw damaged("boxes nest too deep") }
        let start = position
        var size = Int64(try u32())
        let type = try code()
        if size == 1 { size = try i64() }
        if size == 0 { size = Int64(end - start) }
        let header = position - start
        guard size >= header, size <= Int64(end - start) else {
            position = start
            throw damaged("box \(type) claims \(size) bytes")
        }
        let stop = start + Int(size)
        defer { position = stop }
        return BoxReader(
            type: type, path: "\(path)/\(type)", file: file, bytes: bytes, base: base,
            depth: depth + 1, position: position, end: stop)
    }

    /// The type of the box that would come after `skipping` bytes, without moving.
    package func peekType(skipping count: Int) -> FourCC? {
        var copy = self
        do throws(MediaError) {
            try copy.skip(count + 4)
            return try copy.code()
        } catch { return nil }
    }
}
