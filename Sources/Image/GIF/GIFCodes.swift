/// The coding of a GIF's pictures: strings of colour indices, of which new ones are made of known ones
/// (LZW with codes of growing size). Thread-bound.
///
/// Source: GIF89a specification, appendix F.
struct GIFCodes {
    private static let most = 4096

    // of each string: the string before its last index, that index, its length
    private var parents = [UInt16](repeating: 0, count: most)
    private var lasts = [UInt8](repeating: 0, count: most)
    private var lengths = [Int32](repeating: 0, count: most)

    /// Decodes a picture.
    /// - Parameters:
    ///   - scanner: at the smallest size of a code; goes on through the picture's blocks, not
    ///     necessarily to their end.
    ///   - indices: as many as the picture has pixels.
    /// - Returns: how many indices there were before the end, or before something that is no code.
    mutating func decode(
        _ scanner: inout ByteScanner, into indices: inout [UInt8]
    ) throws(ImageError) -> Int {
        let smallest = Int(try scanner.byte())
        guard (1...8).contains(smallest) else { return 0 }
        var reader = CodeReader(scanner)
        defer { scanner = reader.scanner }
        let clear = 1 << smallest
        for index in 0..<clear { (lasts[index], lengths[index]) = (UInt8(index), 1) }
        var (size, next) = (smallest + 1, clear + 2)
        var previous: Int?
        var filled = 0
        while filled < indices.count {
            guard let code = try reader.code(size) else { break }
            if code == clear {
                (size, next, previous) = (smallest + 1, clear + 2, nil)
                continue
            }
            guard code != clear + 1 else { break }
            let isNew = code == next && previous != nil && next < Self.most
            guard code < next || isNew, code < clear || code > clear + 1 else { break }
            guard let before = previous else {
                // the first string after clearing is of one index
                guard code < clear else { break }
                indices[filled] = UInt8(code)
                filled += 1
                previous = code
                continue
            }
            if next < Self.most {
                parents[next] = UInt16(before)
                lengths[next] = lengths[before] + 1
                lasts[next] = first(isNew ? before : code)
                next += 1
                if next == 1 << size, size < 12 { size += 1 }
            }
            filled = write(code, to: &indices, at: filled)
            previous = code
        }
        return filled
    }

    /// The first index of a string.
    private func first(_ code: Int) -> UInt8 {
        var code = code
        while lengths[code] > 1 { code = Int(parents[code]) }
        return lasts[code]
    }

    /// Writes a string, as much of it as there is room for.
    private func write(_ code: Int, to indices: inout [UInt8], at start: Int) -> Int {
        let end = start + Int(lengths[code])
        let room = indices.count
        var code = code
        indices.withUnsafeMutableBufferPointer { indices in
            for place in stride(from: end - 1, through: start, by: -1) {
                if place < room { indices[place] = lasts[code] }
                code = Int(parents[code])
            }
        }
        return min(end, room)
    }
}

/// Takes codes from a picture's blocks, the lowest bits first.
private struct CodeReader {
    var scanner: ByteScanner
    private var bits: UInt32 = 0
    private var count = 0
    private var left = 0
    private var hasEnded = false

    init(_ scanner: ByteScanner) { self.scanner = scanner }

    /// - Returns: nil at the end.
    mutating func code(_ size: Int) throws(ImageError) -> Int? {
        while count < size {
            if left == 0, !hasEnded {
                left = Int(try scanner.byte())
                hasEnded = left == 0
            }
            guard !hasEnded else { return nil }
            bits |= UInt32(try scanner.byte()) << UInt32(count)
            count += 8
            left -= 1
        }
        defer {
            bits >>= UInt32(size)
            count -= size
        }
        return Int(bits & (1 << UInt32(size) - 1))
    }
}
