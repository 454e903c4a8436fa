internal import Glibc
internal import Media

/// Reads a file byte by byte, forwards.
struct ByteScanner {
    private static let windowSize = 64 << 10

    private let file: FileBytes
    private var window: [UInt8] = []
    private var place = 0
    private var windowStart: Int64

    init(_ file: FileBytes, at offset: Int64 = 0) {
        self.file = file
        windowStart = offset
    }

    /// Of the next byte.
    var offset: Int64 { windowStart + Int64(place) }

    var path: String { file.path }

    /// - Throws: `damaged-file` at the file's end.
    mutating func byte() throws(MediaError) -> UInt8 {
        if place == window.count { try refill() }
        defer { place += 1 }
        return window[place]
    }

    /// Continues behind the next byte of this value.
    /// - Throws: `damaged-file` at the file's end.
    mutating func skip(behind value: UInt8) throws(MediaError) {
        while true {
            if place == window.count { try refill() }
            let found = window.withUnsafeBytes { bytes -> Int? in
                guard let start = bytes.baseAddress,
                    let hit = memchr(start + place, Int32(value), bytes.count - place)
                else { return nil }
                return UnsafeRawPointer(hit) - start
            }
            if let found {
                place = found + 1
                return
            }
            place = window.count
        }
    }

    /// Little-endian, of two bytes.
    mutating func short() throws(MediaError) -> Int {
        let low = try byte()
        return Int(low) | Int(try byte()) << 8
    }

    /// Big-endian, of four bytes.
    mutating func long() throws(MediaError) -> Int {
        try bytes(4).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func bytes(_ count: Int) throws(MediaError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        try append(count, to: &result)
        return result
    }

    mutating func append(_ count: Int, to bytes: inout [UInt8]) throws(MediaError) {
        var left = count
        while left > 0 {
            if place == window.count { try refill() }
            let part = min(left, window.count - place)
            bytes += window[place..<(place + part)]
            place += part
            left -= part
        }
    }

    mutating func skip(_ count: Int) throws(MediaError) {
        guard offset + Int64(count) <= file.count else { throw .cutOff(file.path) }
        if count <= window.count - place {
            place += count
        } else {
            windowStart = offset + Int64(count)
            (window, place) = ([], 0)
        }
    }

    private mutating func refill() throws(MediaError) {
        windowStart = offset
        place = 0
        window = try file.readSome(at: windowStart, Self.windowSize)
        guard !window.isEmpty else { throw .cutOff(file.path) }
    }
}
