internal import Movie

/// The blocks that Samsung's cameras append to a photo.
///
/// The file ends in a directory: "SEFH", version, count, entries (kind, distance of the block back from
/// the directory, size), the directory's length, "SEFT"; numbers little endian. A block begins with its
/// kind and its name.
///
/// Programs that shorten a file (that take blocks out, or cut the photo) leave the directory as it is: a place
/// counts only where the block of that kind is, and the film's block is looked for where it is not at its place.
struct SamsungTrailer {
    /// Where the movie's bytes are in the file.
    private(set) var movie: Range<Int64>?
    /// Whether the directory names a movie, wherever it is.
    private(set) var promisesMovie = false
    /// Where the first block begins: the photo ends there.
    private(set) var start: Int64

    private static let movieName = Array("MotionPhoto_Data".utf8)
    /// Of the movie's block.
    private static let movieKind: [UInt8] = [0x30, 0x0A]
    private static let mostEntries = 1024
    /// What of the file is looked through at once, and how far back from its end at most (bytes).
    private static let window: Int64 = 1 << 20
    private static let reach: Int64 = 256 << 20

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
        var movieBytes: Int64 = 0
        for index in 0..<min(Int(Self.u32(entries, 8)), (entries.count - 12) / 12) {
            let at = 12 + 12 * index
            let kind = Array(entries[(at + 2)..<(at + 4)])
            let block = directory - Int64(Self.u32(entries, at + 4))
            let bytes = Int64(Self.u32(entries, at + 8))
            if kind == Self.movieKind {
                promisesMovie = true
                movieBytes = bytes
            }
            guard block > 0, bytes <= directory - block else { continue }
            let head = try io.readAll(8 + Self.movieName.count, at: block)
            guard head.starts(with: [0, 0] + kind), Int64(Self.u32(head, 4)) + 8 <= bytes else {
                continue
            }
            start = min(start, block)
            guard bytes > Int64(head.count), head[8...].elementsEqual(Self.movieName) else {
                continue
            }
            movie = (block + Int64(head.count))..<(block + bytes)
        }
        guard movie == nil, promisesMovie else { return }
        guard let block = try Self.movieBlock(io, before: directory) else { return }
        let head = Int64(8 + Self.movieName.count)
        let end = movieBytes > head ? min(directory, block + movieBytes) : directory
        guard end > block + head else { return }
        movie = (block + head)..<end
        start = min(start, block)
    }

    /// The last place where a movie's block begins.
    private static func movieBlock(
        _ io: any FileIO, before end: Int64
    ) throws(IOFailure) -> Int64? {
        let mark = [0, 0] + movieKind + [UInt8(movieName.count), 0, 0, 0] + movieName
        var high = end
        while high > max(0, end - reach) {
            let low = max(0, high - window)
            // a mark may lie across two windows
            let bytes = try io.readAll(Int(min(end, high + Int64(mark.count)) - low), at: low)
            var place = bytes.count - mark.count
            while place >= 0 {
                if bytes[place + 2] == mark[2], bytes[place..<(place + mark.count)] == mark[...] {
                    return low + Int64(place)
                }
                place -= 1
            }
            high = low
        }
        return nil
    }

    private static func u32(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        guard at + 4 <= bytes.count else { return 0 }
        return bytes[at..<(at + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
