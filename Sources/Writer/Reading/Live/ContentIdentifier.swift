/// The name that an Apple photo and its movie share.
enum ContentIdentifier {
    /// Tags: Exif's own directory, the maker's note, and in Apple's note the identifier.
    private static let (exif, makerNote, identifier): (UInt16, UInt16, UInt16) = (
        0x8769, 0x927C, 0x11
    )

    /// - Parameter exif: from the TIFF header on.
    ///
    /// Source: TIFF 6.0, section 2; Exif 2.3, 4.6.3. Apple's note begins with "Apple iOS", a zero, a
    /// version and a byte order, and is a directory of its own, offsets counted from the note's beginning.
    static func read(exif bytes: [UInt8]) -> String? {
        guard bytes.count >= 8 else { return nil }
        let isLittle = bytes[0] == 0x49
        let block = TIFFBlock(bytes: bytes[...], isLittle: isLittle)
        guard block.u16(2) == 42, let first = block.u32(4),
            let own = block.entry(exif, inDirectoryAt: first)?.value,
            let note = block.entry(makerNote, inDirectoryAt: own), note.count > 14,
            let body = block.slice(note.value, note.count),
            body.starts(with: "Apple iOS\0".utf8)
        else { return nil }
        let order = body[body.startIndex + 12]
        let inner = TIFFBlock(bytes: body, isLittle: order == 0x49)
        guard let entry = inner.entry(identifier, inDirectoryAt: 14), entry.count <= 256,
            let text = inner.slice(entry.count > 4 ? entry.value : entry.place, entry.count)
        else { return nil }
        let name = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}

/// Numbers and directories of a TIFF structure; everything outside is nil.
private struct TIFFBlock {
    struct Entry {
        /// Bytes of ASCII and undefined values, elsewhere values.
        let count: Int
        /// The value, or where it lies.
        let value: Int
        /// Where the value's own four bytes lie.
        let place: Int
    }

    let bytes: ArraySlice<UInt8>
    let isLittle: Bool

    func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
            return nil
        }
        let start = bytes.startIndex + offset
        return bytes[start..<(start + count)]
    }

    private func number(_ offset: Int, _ count: Int) -> Int? {
        guard let part = slice(offset, count) else { return nil }
        return isLittle
            ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }

    func u16(_ offset: Int) -> Int? { number(offset, 2) }
    func u32(_ offset: Int) -> Int? { number(offset, 4) }

    func entry(_ tag: UInt16, inDirectoryAt offset: Int) -> Entry? {
        guard let count = u16(offset) else { return nil }
        for index in 0..<count {
            let at = offset + 2 + 12 * index
            guard let found = u16(at), let length = u32(at + 4), let value = u32(at + 8) else {
                return nil
            }
            if found == tag { return Entry(count: length, value: value, place: at + 8) }
        }
        return nil
    }
}
