internal import CZlib
internal import Media

/// The rows of a PNG one after the other, unpacked and unfiltered. Thread-bound.
///
/// Source: PNG (ISO/IEC 15948), 9.2 and 10; zlib.
final class PNGLines {
    private static let windowSize = 64 << 10

    // immutable
    private let file: FileBytes
    /// How far the pixel on the left is (bytes).
    private let distance: Int
    private let count: Int
    private let stream: UnsafeMutablePointer<z_stream>
    private let window: UnsafeMutablePointer<UInt8>
    /// The kind of filter, then the row; of this row and of the one above.
    private let buffer: UnsafeMutablePointer<UInt8>

    private var isOdd = false
    private var isAtEnd = false
    /// Coded data that were not read yet, in order.
    private var parts: ArraySlice<Range<Int64>>

    /// - Parameter data: where the coded data lie in the file.
    init(
        _ file: FileBytes, _ data: [Range<Int64>], bytesPerPixel: Int, width: Int
    ) throws(MediaError) {
        self.file = file
        parts = data[...]
        distance = bytesPerPixel
        count = bytesPerPixel * width
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        window = .allocate(capacity: Self.windowSize)
        buffer = .allocate(capacity: 2 * (count + 1))
        buffer.initialize(repeating: 0, count: 2 * (count + 1))
        let result = inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            throw MediaError(
                code: .unsupported, function: "inflateInit", subject: file.path,
                message: "Cannot unpack \(file.path): zlib did not start.")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        window.deallocate()
        buffer.deallocate()
    }

    /// The row that `next` read.
    var line: UnsafePointer<UInt8> { UnsafePointer(row(isOdd) + 1) }

    private func row(_ isOdd: Bool) -> UnsafeMutablePointer<UInt8> {
        buffer + (isOdd ? count + 1 : 0)
    }

    /// - Returns: false where the coded data end before a whole row.
    /// - Throws: `damaged-file` where they make no sense.
    func next() throws(MediaError) -> Bool {
        isOdd.toggle()
        let start = row(isOdd)
        stream.pointee.next_out = start
        stream.pointee.avail_out = UInt32(count + 1)
        while stream.pointee.avail_out > 0 {
            guard !isAtEnd, try refill() else { return false }
            let result = inflate(stream, Z_NO_FLUSH)
            isAtEnd = result == Z_STREAM_END
            guard isAtEnd || result == Z_OK else {
                throw .damaged(file.path, "a picture in it cannot be decoded")
            }
        }
        try unfilter(start[0], start + 1, above: row(!isOdd) + 1)
        return true
    }

    /// - Returns: false where there are no more coded data.
    private func refill() throws(MediaError) -> Bool {
        guard stream.pointee.avail_in == 0 else { return true }
        while let part = parts.first {
            let end = min(part.upperBound, part.lowerBound + Int64(Self.windowSize))
            let bytes = try file.read(part.lowerBound..<end)
            parts[parts.startIndex] = end..<part.upperBound
            if end == part.upperBound { parts.removeFirst() }
            guard !bytes.isEmpty else { continue }
            window.update(from: bytes, count: bytes.count)
            stream.pointee.next_in = window
            stream.pointee.avail_in = UInt32(bytes.count)
            return true
        }
        return false
    }

    private func unfilter(
        _ kind: UInt8, _ row: UnsafeMutablePointer<UInt8>, above: UnsafeMutablePointer<UInt8>
    ) throws(MediaError) {
        switch kind {
        case 0: break
        case 1: for place in distance..<count { row[place] &+= row[place - distance] }
        case 2: for place in 0..<count { row[place] &+= above[place] }
        case 3:
            for place in 0..<distance { row[place] &+= above[place] / 2 }
            for place in distance..<count {
                let sum = UInt16(row[place - distance]) + UInt16(above[place])
                row[place] &+= UInt8(truncatingIfNeeded: sum / 2)
            }
        case 4:
            for place in 0..<distance { row[place] &+= above[place] }
            for place in distance..<count {
                row[place] &+= Self.nearest(
                    row[place - distance], above[place], above[place - distance])
            }
        default: throw .damaged(file.path, "a picture in it cannot be decoded")
        }
    }

    /// Paeth's predictor.
    private static func nearest(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
        let toLeft = abs(Int16(up) - Int16(corner))
        let toUp = abs(Int16(left) - Int16(corner))
        let toCorner = abs(Int16(left) + Int16(up) - 2 * Int16(corner))
        return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
    }
}
