package import Media

/// Finds the boxes at the top of a file, around whatever is damaged.
package struct BoxScanner {
    /// One box, as its header states.
    package struct Entry: Sendable, Hashable {
        package let type: FourCC
        /// Where the box begins (byte).
        package let offset: Int64
        package let headerSize: Int
        /// Size with the header (bytes).
        package let size: Int64

        package var end: Int64 { offset + size }
        package var body: Range<Int64> { offset + Int64(headerSize)..<end }
        package var bodySize: Int64 { size - Int64(headerSize) }
    }

    /// Complete boxes in order.
    package private(set) var entries: [Entry] = []
    /// Spans between boxes that are no box (bytes).
    package private(set) var damage: [Range<Int64>] = []
    /// Where the last complete box ends (byte).
    package private(set) var end: Int64 = 0
    /// Size of the file (bytes).
    package let fileSize: Int64
    /// The box that the end of the file cuts, if one is; its size is what it claims.
    package private(set) var cut: Entry?

    private let io: any FileIO
    private let file: String
    private let limits: MovieLimits

    package init(_ io: any FileIO, file: String, limits: MovieLimits) throws(MediaError) {
        self.io = io
        self.file = file
        self.limits = limits
        do throws(IOFailure) { fileSize = try io.size() } catch {
            throw MediaError(error, attempt: "read \(file)", subject: file)
        }
        try scan()
    }

    private mutating func scan() throws(MediaError) {
        var offset: Int64 = 0
        var hasFragments = false
        while offset < fileSize {
            if let entry = try header(at: offset), entry.end <= fileSize {
                guard entries.count < limits.rootBoxes else {
                    throw MediaError(
                        code: .damagedFile, subject: file,
                        message: "Cannot read \(file): it has more than \(limits.rootBoxes) "
                            + "boxes at the top; it is damaged or not a movie.")
                }
                entries.append(entry)
                hasFragments = hasFragments || entry.type == "moof"
                offset = entry.end
                end = offset
                continue
            }
            cut = try header(at: offset)
            // only fragments can be found again behind damage
            let next = hasFragments ? try nextFragment(after: offset) : nil
            damage.append(offset..<(next ?? fileSize))
            guard let next else { return }
            cut = nil
            offset = next
        }
    }

    /// The header at an offset; `nil` if what is there cannot be one.
    private func header(at offset: Int64) throws(MediaError) -> Entry? {
        let bytes = try read(16, at: offset)
        guard bytes.count >= 8 else { return nil }
        var reader = BoxReader(type: "root", bytes: bytes, at: offset, file: file)
        var size = Int64(try reader.u32())
        let type = try reader.code()
        guard type.bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        var headerSize = 8
        if size == 1 {
            guard bytes.count == 16 else { return nil }
            size = try reader.i64()
            headerSize = 16
        } else if size == 0 {
            size = fileSize - offset  // to the end of the file
        }
        guard size >= Int64(headerSize), size <= Int64.max - offset else { return nil }
        return Entry(type: type, offset: offset, headerSize: headerSize, size: size)
    }

    /// Where the next `moof` is that begins as one does.
    private func nextFragment(after offset: Int64) throws(MediaError) -> Int64? {
        let window = 1 << 20
        let marks: [UInt8] = Array("moof".utf8) + [0, 0, 0] + [16] + Array("mfhd".utf8)
        var start = offset + 1
        while start + 20 <= fileSize {
            let bytes = try read(window, at: start)
            if let found = BoxScanner.find(marks, in: bytes), found >= 4 {
                return start + Int64(found) - 4
            }
            guard bytes.count == window else { return nil }
            start += Int64(window - 32)
        }
        return nil
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { whole in
            var position = 4
            while position + pattern.count <= whole.count {
                if whole[position] == pattern[0],
                    pattern.indices.allSatisfy({ whole[position + $0] == pattern[$0] })
                {
                    return position
                }
                position += 1
            }
            return nil
        }
    }

    /// A reader of a box's body.
    package func body(of entry: Entry, limit: Int64) throws(MediaError) -> BoxReader {
        guard entry.bodySize <= limit else {
            throw MediaError(
                code: .damagedFile, subject: file,
                message: "Cannot read \(file): box \(entry.type) at byte \(entry.offset) claims "
                    + "\(entry.size) bytes; the file is damaged or not a movie.")
        }
        let start = entry.offset + Int64(entry.headerSize)
        return BoxReader(
            type: entry.type, bytes: try read(Int(entry.bodySize), at: start), at: start,
            file: file)
    }

    /// Bytes of the file, fewer at its end.
    package func read(_ count: Int, at offset: Int64) throws(MediaError) -> [UInt8] {
        let there = Int(clamping: max(0, fileSize - offset))
        do throws(IOFailure) { return try io.readAll(min(count, there), at: offset) } catch {
            throw MediaError(error, attempt: "read \(file)", subject: file)
        }
    }
}
