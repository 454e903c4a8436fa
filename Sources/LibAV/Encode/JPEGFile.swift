/// A JPEG as its segments lie, so that some can be put in. A pure value.
///
/// Source: ITU-T T.81, annex B (markers) and annex K.3 (typical Huffman tables); Exif 2.32, 4.7.2;
/// XMP part 3, 1.1.3.
package struct JPEGFile: Sendable {
    /// All of it.
    package let bytes: [UInt8]
    /// Behind the start of image.
    private static let start = 2
    /// Whether it says how its codes are to be read.
    private let hasTables: Bool

    /// - Returns: `nil` for what does not begin as a JPEG, or has no frame. One that does not end as a JPEG gets an end:
    ///   whether it is whole, its decoder knows.
    package init?(_ given: [UInt8]) {
        guard given.starts(with: [0xFF, 0xD8]) else { return nil }
        // drivers round a frame's size up
        if let end = Self.end(of: given) {
            bytes = Array(given[..<end])
        } else {
            let filled = given.reversed().prefix { $0 == 0 }.count
            bytes = Array(given.dropLast(filled)) + [0xFF, 0xD9]
        }
        var place = Self.start
        var found = (tables: false, frame: false)
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            if marker == 0xDA { break }
            found.tables = found.tables || marker == 0xC4
            found.frame = found.frame || (0xC0...0xC2).contains(marker)
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            guard length >= 2 else { return nil }
            place += 2 + length
        }
        guard found.frame, place + 4 <= bytes.count else { return nil }
        hasTables = found.tables
    }

    /// Behind the last end of image.
    private static func end(of bytes: [UInt8]) -> Int? {
        var place = bytes.count
        while place >= 4 {
            if bytes[place - 1] == 0xD9, bytes[place - 2] == 0xFF { return place }
            place -= 1
        }
        return nil
    }

    /// The file with Exif data, and with Huffman tables where it has none; all else bit for bit.
    package func adding(_ exif: ExifBlock) -> [UInt8] {
        var added = Self.segment(0xE1, Array("Exif\0\0".utf8) + exif.bytes)
        if !hasTables { added += Self.segment(0xC4, Self.typicalTables) }
        return bytes[..<Self.start] + added + bytes[Self.start...]
    }

    /// The file with an XMP packet behind its Exif data, where that is first; all else bit for bit.
    /// - Parameter packet: at most 65,502 bytes.
    package func adding(xmp packet: String) -> [UInt8] {
        var place = Self.start
        if bytes.count > place + 10, bytes[place] == 0xFF, bytes[place + 1] == 0xE1,
            bytes[(place + 4)...].starts(with: "Exif\0\0".utf8)
        {
            place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
        }
        let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
        return bytes[..<place] + Self.segment(0xE1, content) + bytes[place...]
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
    }

    /// Tables K.3 to K.6: class and number, codes of each length, values.
    static let typicalTables: [UInt8] =
        table(0x00, [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], Array(0...11))
        + table(
            0x10, [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D],
            [0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51]
                + [0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1]
                + [0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72, 0x82]
                + runs(
                    [0x09...0x0A, 0x16...0x1A, 0x25...0x2A, 0x34...0x3A, 0x43...0x4A]
                        + [0x53...0x5A, 0x63...0x6A, 0x73...0x7A, 0x83...0x8A, 0x92...0x9A]
                        + [
                            0xA2...0xAA, 0xB2...0xBA, 0xC2...0xCA, 0xD2...0xDA, 0xE1...0xEA,
                            0xF1...0xFA,
                        ]))
        + table(0x01, [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], Array(0...11))
        + table(
            0x11, [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77],
            [0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07]
                + [0x61, 0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1]
                + [0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1, 0x0A, 0x16, 0x24, 0x34]
                + [0xE1, 0x25, 0xF1]
                + runs(
                    [0x17...0x1A, 0x26...0x2A, 0x35...0x3A, 0x43...0x4A, 0x53...0x5A]
                        + [0x63...0x6A, 0x73...0x7A, 0x82...0x8A, 0x92...0x9A, 0xA2...0xAA]
                        + [0xB2...0xBA, 0xC2...0xCA, 0xD2...0xDA, 0xE2...0xEA, 0xF2...0xFA]))

    private static func table(_ name: UInt8, _ counts: [UInt8], _ values: [UInt8]) -> [UInt8] {
        [name] + counts + values
    }

    private static func runs(_ runs: [ClosedRange<UInt8>]) -> [UInt8] { runs.flatMap { $0 } }
}
