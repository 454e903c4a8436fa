internal import Media

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
        var start: Int32 = 0
        var length: Int32 = 0
    }

    private var strings = [Place](repeating: Place(), count: most)

    /// Decodes a picture.
    /// - Parameters:
    ///   - scanner: at the smallest size of a code; continues through the picture's blocks, not
    ///     necessarily to their end.
    ///   - indices: at least `count`.
    ///   - count: as many as the picture has pixels.
    /// - Returns: how many indices there were before the end, or before something that is no code.
    mutating func decode(
        _ scanner: inout ByteScanner, into indices: inout [UInt8], count: Int
    ) throws(MediaError) -> Int {
        let smallest = Int(try scanner.byte())
        // beyond 8 only what browsers show: of an index the lowest eight bits count
        guard (1...12).contains(smallest) else { return 0 }
        var reader = CodeReader(scanner)
        defer { scanner = reader.scanner }
        return try strings.withUnsafeMutableBufferPointer { strings throws(MediaError) in
            try indices.withUnsafeMutableBufferPointer { indices throws(MediaError) in
                try Self.decode(
                    &reader, strings, clear: 1 << smallest, size: smallest + 1,
                    into: UnsafeMutableBufferPointer(rebasing: indices[..<count]))
            }
        }
    }

    /// - Parameters:
    ///   - strings: as many as there can be.
    ///   - clear: the code after which strings are learned anew.
    ///   - least: of a code then (bits).
    private static func decode(
        _ reader: inout CodeReader, _ strings: UnsafeMutableBufferPointer<Place>, clear: Int,
        size least: Int, into indices: UnsafeMutableBufferPointer<UInt8>
    ) throws(MediaError) -> Int {
        var (size, next) = (least, clear + 2)
        var window = CodeReader.Window()
        // of no length after clearing
        var previous = Place()
        var filled = 0
        while filled < indices.count {
            if window.count < size {
                window = try reader.fill(window)
                guard window.count >= size else { break }
            }
            let code = window.take(size)
            if code == clear {
                (size, next, previous) = (least, clear + 2, Place())
                continue
            }
            guard code != clear + 1 else { break }
            let isLearning = previous.length > 0 && next < most
            if isLearning {
                strings[next] = Place(start: previous.start, length: previous.length &+ 1)
            }
            var length = 1
            if code < clear {
                indices[filled] = UInt8(truncatingIfNeeded: code)
            } else {
                // the first string after clearing is of one index
                guard previous.length > 0, code < next || code == next && isLearning else { break }
                length = Int(strings[code].length)
                copy(strings[code], in: indices, to: filled)
            }
            previous = Place(
                start: Int32(truncatingIfNeeded: filled),
                length: Int32(truncatingIfNeeded: length))
            filled = min(filled &+ length, indices.count)
            guard isLearning else { continue }
            next &+= 1
            if next == 1 << size, size < 12 { size += 1 }
        }
        return filled
    }

    /// Writes a string once more, as much of it as there is room for; its last index may be the first that is written.
    private static func copy(
        _ string: Place, in indices: UnsafeMutableBufferPointer<UInt8>, to place: Int
    ) {
        guard let base = indices.baseAddress else { return }
        let start = Int(string.start)
        let (source, target) = (base + start, base + place)
        let count = min(Int(string.length), indices.count - place)
        let block = MemoryLayout<SIMD16<UInt8>>.size
        guard place - start >= block, place + count + block <= indices.count else {
            for index in 0..<count { target[index] = source[index] }
            return
        }
        // what is written too much is overwritten by the next
        var done = 0
        repeat {
            let bytes = UnsafeRawPointer(source).loadUnaligned(
                fromByteOffset: done, as: SIMD16<UInt8>.self)
            UnsafeMutableRawPointer(target).storeBytes(
                of: bytes, toByteOffset: done, as: SIMD16<UInt8>.self)
            done &+= block
        } while done < count
    }
}

/// Takes codes from a picture's blocks, the lowest bits first.
private struct CodeReader {
    /// Bits that come next.
    struct Window {
        /// The next one lowest; past `count` of them there may be some of those that follow.
        var bits: UInt64 = 0
        var count = 0

        /// - Parameter size: at most 13 bits, and `count`.
        mutating func take(_ size: Int) -> Int {
            let code = Int(truncatingIfNeeded: bits) & (1 &<< size &- 1)
            bits &>>= UInt64(truncatingIfNeeded: size)
            count &-= size
            return code
        }
    }

    var scanner: ByteScanner
    private var block: [UInt8] = []
    private var place = 0
    private var hasEnded = false

    init(_ scanner: ByteScanner) { self.scanner = scanner }

    /// - Returns: with more than 48 bits, or as many as there are.
    mutating func fill(_ given: Window) throws(MediaError) -> Window {
        var window = given
        while window.count <= 48 {
            if place == block.count {
                guard !hasEnded else { break }
                let length = Int(try scanner.byte())
                hasEnded = length == 0
                block.removeAll(keepingCapacity: true)
                place = 0
                try scanner.append(length, to: &block)
                continue
            }
            guard place + 8 <= block.count else {
                window.bits |= UInt64(block[place]) &<< UInt64(window.count)
                window.count += 8
                place += 1
                continue
            }
            let eight = block.withUnsafeBytes {
                UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            }
            window.bits |= eight &<< UInt64(window.count)
            let taken = (63 - window.count) / 8
            place += taken
            window.count += 8 * taken
        }
        return window
    }
}
