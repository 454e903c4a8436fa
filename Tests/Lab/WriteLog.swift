import Foundation

/// The log of a disk: every write and flush it was given, in the order completed. The form is that
/// of Linux's dm-log-writes (Documentation/admin-guide/device-mapper/log-writes.rst), which qemu's
/// blklogwrites driver shares; all numbers little-endian, everything in sectors of 512 bytes.
struct WriteLog {
    enum Entry {
        /// Bytes of the log that went to a place on the disk.
        case write(offset: Int, bytes: Range<Int>)
        /// Everything written before is durable from here on.
        case flush
    }

    private static let magic: UInt64 = 0x6A73_6677_7368_72
    private static let sector = 512

    private let log: Data
    let entries: [Entry]

    init(_ url: URL) throws {
        log = try Data(contentsOf: url, options: .alwaysMapped)
        guard log.count > Self.sector, Self.word(log, 0) == Self.magic else {
            throw Installation.Failure(description: "\(url.path) is no log of a disk")
        }
        // The count in the first sector is written now and then only: read while entries are whole.
        var entries: [Entry] = []
        var position = Self.sector
        while position + Self.sector <= log.count {
            let bytes = Self.word(log, position + 8) * UInt64(Self.sector)
            let flags = Self.word(log, position + 16)
            let data = position + Self.sector
            guard bytes < 1 << 32, flags & ~3 == 0, data + Int(bytes) <= log.count else { break }
            guard bytes > 0 || flags != 0 else { break }
            if bytes > 0 {
                let offset = Int(Self.word(log, position)) * Self.sector
                entries.append(.write(offset: offset, bytes: data..<data + Int(bytes)))
            }
            if flags != 0 { entries.append(.flush) }
            position = data + Int(bytes)
        }
        self.entries = entries
    }

    private static func word(_ data: Data, _ offset: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(data[data.startIndex + offset + $1]) << (8 * $1) }
    }

    /// Applies entries to an image that begins at an offset of a file.
    func replay(_ indices: some Sequence<Int>, into file: FileHandle, at start: Int) throws {
        for index in indices {
            guard case .write(let offset, let bytes) = entries[index] else { continue }
            try file.seek(toOffset: UInt64(start + offset))
            try file.write(contentsOf: log[bytes])
        }
    }

    /// What a disk with a volatile cache may hold when power goes after `count` entries: all up to
    /// the last flush, and of the writes since then those the choice keeps.
    func survivors(after count: Int, keeping choose: (Int) -> Bool) -> [Int] {
        let flushed = entries.prefix(count).lastIndex {
            if case .flush = $0 { true } else { false }
        }
        return (0..<count).filter { index in
            guard case .write = entries[index] else { return false }
            return index <= flushed ?? -1 || choose(index)
        }
    }

    /// Whether writes since the last flush were pending after `count` entries.
    func isPending(after count: Int) -> Bool {
        guard count > 0, case .write = entries[count - 1] else { return false }
        return true
    }
}
