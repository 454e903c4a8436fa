/// The blocks that Samsung's cameras append to a photo.
///
/// The file ends in a directory: "SEFH", version, count, entries (kind, distance of the block back from
/// the directory, size), the directory's length, "SEFT"; numbers little endian. A block begins with its
/// kind and its name.
struct SamsungTrailer {
    /// Where the movie's bytes are in the file.
    private(set) var movie: Range<Int64>?
    /// Where the first block begins: the photo ends there.
    private(set) var start: Int64

    private static let movieName = Array("MotionPhoto_Data".utf8)
    private static let mostEntries = 1024

    /// - Returns: nil for a file without such a trailer.
    init?(_ io: any FileIO) throws(IOFailure) {
        let size = try io.size()
        guard size > 24 else { return nil }
        let tail = try io.readAll(8, at: size - 8)
        guard tail.count == 8, tail[4...].elementsEqual("SEFT".utf8) else { return nil }
        let length = Int64(Self.u32(tail, 0))
        let directory = size - 8 - length
        guard length >= 12, length <= 12 + 12 * Int64(Self.mostEntries), directory > 0 else {
            return nil
        }
        let entries = try io.readAll(Int(length), at: directory)
        guard entries.starts(with: "SEFH".utf8) else { return nil }
        start = directory
        for index in 0..<min(Int(Self.u32(entries, 8)), (entries.count - 12) / 12) {
            let at = 12 + 12 * index
            let block = directory - Int64(Self.u32(entries, at + 4))
            let bytes = Int64(Self.u32(entries, at + 8))
            guard block > 0, bytes <= directory - block else { continue }
            start = min(start, block)
            let head = try io.readAll(8 + Self.movieName.count, at: block)
            guard bytes > Int64(head.count), head[8...].elementsEqual(Self.movieName) else {
                continue
            }
            movie = (block + Int64(head.count))..<(block + bytes)
        }
    }

    private static func u32(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        guard at + 4 <= bytes.count else { return 0 }
        return bytes[at..<(at + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
