/// The coding of a GIF's pictures: strings of colour indices, of which new ones are made of known ones
/// (LZW with codes of growing size). Thread-bound.
///
/// A new string is one that was just written and the index behind it, so that every string lies whole in what has
/// been written: of each only its place and its length are kept.
///
/// Source: GIF89a specification, appendix F.
struct GIFCodes {
    private static let most = 4096

    /// Where a string was written (first index and count).
    private struct Place {
        var start = 0
        var length = 0
    }

    private var strings = [Place](repeating: Place(), count: most)

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
        return try indices.withUnsafeMutableBufferPointer { indices throws(ImageError) in
            try decode(&reader, clear: 1 << smallest, size: smallest + 1, into: indices)
        }
    }

    /// - Parameters:
    ///   - clear: the code after which strings are learned anew.
    ///   - least: of a code then (bits).
    private mutating func decode(
        _ reader: inout CodeReader, clear: Int, size least: Int,
        into indices: UnsafeMutableBufferPointer<UInt8>
    ) throws(ImageError) -> Int {
        var (size, next) = (least, clear + 2)
        var previous: Place?
        var filled = 0
        while filled < indices.count, let code = try reader.code(size) {
            if code == clear {
                (size, next, previous) = (least, clear + 2, nil)
                continue
            }
            guard code != clear + 1 else { break }
            // the first string after clearing is of one index
            guard code < clear || previous != nil else { break }
            var learned: Place?
            if let previous, next < Self.most {
                learned = Place(start: previous.start, length: previous.length + 1)
            }
            var length = 1
            if code < clear {
                indices[filled] = UInt8(truncatingIfNeeded: code)
            } else {
                guard let string = code < next ? strings[code] : code == next ? learned : nil
                else { break }
                length = string.length
                Self.copy(string, in: indices, to: filled)
            }
            previous = Place(start: filled, length: length)
            filled = min(filled + length, indices.count)
            guard let learned else { continue }
            strings[next] = learned
            next += 1
            if next == 1 << size, size < 12 { size += 1 }
        }
        return filled
    }

    /// Writes a string once more, as much of it as there is room for; its last index may be the first that is written.
    private static func copy(
        _ string: Place, in indices: UnsafeMutableBufferPointer<UInt8>, to place: Int
    ) {
        guard let base = indices.baseAddress else { return }
        let (source, target) = (base + string.start, base + place)
        let count = min(string.length, indices.count - place)
        let block = MemoryLayout<SIMD16<UInt8>>.size
        if count <= block, string.start + block <= place, place + block <= indices.count {
            // most are short: what follows them is overwritten by the next
            let bytes = UnsafeRawPointer(source).loadUnaligned(as: SIMD16<UInt8>.self)
            UnsafeMutableRawPointer(target).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
        } else if string.start + count <= place {
            target.update(from: source, count: count)
        } else {
            for index in 0..<count { target[index] = source[index] }
        }
    }
}

/// Takes codes from a picture's blocks, the lowest bits first.
private struct CodeReader {
    var scanner: ByteScanner
    private var bits: UInt64 = 0
    private var count = 0
    private var block: [UInt8] = []
    private var place = 0
    private var hasEnded = false

    init(_ scanner: ByteScanner) { self.scanner = scanner }

    /// - Parameter size: at most 12 bits.
    /// - Returns: nil at the end.
    mutating func code(_ size: Int) throws(ImageError) -> Int? {
        if count < size {
            try fill()
            guard count >= size else { return nil }
        }
        let code = Int(bits & (1 << UInt64(size) - 1))
        bits >>= UInt64(size)
        count -= size
        return code
    }

    private mutating func fill() throws(ImageError) {
        while count <= 48 {
            if place == block.count {
                guard !hasEnded else { return }
                let length = Int(try scanner.byte())
                hasEnded = length == 0
                block.removeAll(keepingCapacity: true)
                place = 0
                try scanner.append(length, to: &block)
                continue
            }
            bits |= UInt64(block[place]) << UInt64(count)
            count += 8
            place += 1
        }
    }
}
