internal import Media

/// The boxes around pictures that are stored as movies are.
///
/// Source: ISO/IEC 14496-12, 4.3 (brands); ISO/IEC 23008-12, 10; AV1 Image File Format, 6.
enum HEIFBrands {
    private static let pictures: Set = [
        "avif", "avis", "mif1", "msf1", "heic", "heix", "heim", "heis", "hevc", "hevx",
    ]

    /// What a file's beginning says of pictures; nil for a movie and everything else.
    static func kind(_ head: [UInt8]) -> ImageFile.Kind? {
        guard head.count >= 16, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(head.count, size)
        guard end >= 16 else { return nil }
        let places = [8] + stride(from: 16, through: end - 4, by: 4)
        let brands = places.map { String(decoding: head[$0..<($0 + 4)], as: UTF8.self) }
        guard pictures.contains(brands[0]) else { return nil }
        return brands.contains("avif") || brands.contains("avis") ? .avif : .heic
    }

    /// - Throws: `damaged-file` where the last box ends behind the file.
    static func checkWhole(_ file: FileBytes) throws(MediaError) {
        var at: Int64 = 0
        while at < file.count {
            let head = try file.readSome(at: at, 16)
            guard head.count >= 8 else { throw .cutOff(file.path) }
            var size = head[0..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            // of 64 bits, or up to the file's end
            if size == 1, head.count == 16 {
                guard head[8] < 0x40 else { throw .cutOff(file.path) }
                size = head[8..<16].reduce(0) { $0 << 8 | Int64($1) }
            } else if size == 0 {
                return
            }
            guard size >= 8, size <= file.count - at else { throw .cutOff(file.path) }
            at += size
        }
    }
}

/// A whole file in memory, for libraries that read it from there.
final class FileMemory {
    let bytes: UnsafeBufferPointer<UInt8>

    init(_ file: FileBytes, _ limits: ImageLimits) throws(MediaError) {
        let contents = try file.read(0..<file.count, most: limits.codedBytes)
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, contents.count))
        _ = memory.update(fromContentsOf: contents)
        bytes = UnsafeBufferPointer(rebasing: memory[..<contents.count])
    }

    deinit { bytes.deallocate() }
}
