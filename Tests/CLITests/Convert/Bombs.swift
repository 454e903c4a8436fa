import TestSupport
import Testing

/// Small files that claim to be large ones.
struct Bombs {
    private let files: SmallFiles

    init(_ files: SmallFiles) { self.files = files }

    /// Those that no limit lets through.
    var refused: [(name: String, bytes: [UInt8])] {
        get throws {
            var bombs: [(String, [UInt8])] = []
            for side in [65_535, 1 << 31 - 1, 1 << 32 - 1] {
                bombs.append(("png-\(side).png", Self.png(side, side, packedZeros: 100)))
                bombs.append(("tiff-\(side).tif", try tiff(side)))
                bombs.append(("apng-\(side).png", Self.apng(side, side, count: 2)))
                for kind in [SmallFiles.Kind.avif, .avifSequence, .heic] {
                    bombs.append(("\(side)-\(kind.name)", try boxed(kind, side)))
                }
            }
            bombs += [
                ("jpeg.jpg", try jpeg(65_535, 65_535)), ("webp.webp", try losslessWebP()),
                ("canvas.webp", try webP(1 << 24)), ("large.webp", try webP(16_383)),
                ("gif.gif", Self.gif(65_535, 65_535, count: 2)),
                ("million.gif", Self.gif(1, 1, count: 1_000_000)),
                ("product.gif", Self.gif(5000, 5000, count: 3000)),
                ("million.png", Self.apng(1, 1, count: 1_000_000)),
            ]
            return bombs
        }
    }

    // MARK: PNG

    /// A PNG of one byte a pixel.
    static func png(_ width: Int, _ height: Int, packedZeros: Int) -> [UInt8] {
        var bytes = signature + header(width, height)
        bytes += chunk("IDAT", Deflate.zeros(packedZeros))
        return bytes + chunk("IEND", [])
    }

    static func apng(_ width: Int, _ height: Int, count: Int, claimed: UInt32? = nil) -> [UInt8] {
        let small = min(width, 4)
        let data = Deflate.zeros(small * (small + 1))
        var bytes = signature + header(width, height)
        bytes += chunk("acTL", big(Int(claimed ?? UInt32(count)), 4) + big(0, 4))
        var number = 0
        for index in 0..<count {
            var control = big(number, 4) + big(small, 4) + big(small, 4)
            control += [UInt8](repeating: 0, count: 8) + big(1, 2) + big(50, 2) + [0, 0]
            bytes += chunk("fcTL", control)
            number += 1
            if index == 0 {
                bytes += chunk("IDAT", data)
            } else {
                bytes += chunk("fdAT", big(number, 4) + data)
                number += 1
            }
        }
        return bytes + chunk("IEND", [])
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func header(_ width: Int, _ height: Int) -> [UInt8] {
        chunk("IHDR", big(width, 4) + big(height, 4) + [8, 0, 0, 0, 0])
    }

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + body
        return big(body.count, 4) + named + big(Int(Deflate.checksum(named)), 4)
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> (8 * $0) & 255) }
    }

    // MARK: GIF

    static func gif(_ width: Int, _ height: Int, count: Int) -> [UInt8] {
        let size = little(width, 2) + little(height, 2)
        var bytes = Array("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let picture: [UInt8] =
            [0x21, 0xF9, 4, 0, 2, 0, 0, 0, 0x2C, 0, 0, 0, 0] + size + [0, 2, 2, 0x44, 1, 0]
        bytes.reserveCapacity(bytes.count + count * picture.count)
        for _ in 0..<count { bytes += picture }
        return bytes + [0x3B]
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    }

    // MARK: Others, with the sizes in their headers changed

    private func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
        var bytes = try files.bytes(of: .jpeg)
        let frame = try #require(bytes.firstRange(of: [0xFF, 0xC0]))
        let size = Self.big(height, 2) + Self.big(width, 2)
        bytes.replaceSubrange((frame.lowerBound + 5)..<(frame.lowerBound + 9), with: size)
        return bytes
    }

    private func tiff(_ side: Int) throws -> [UInt8] {
        var bytes = try files.bytes(of: .tiff)
        let isLittle = bytes[0] == 0x49
        func number(_ place: Int, _ count: Int) -> Int {
            let part = bytes[place..<(place + count)]
            return (isLittle ? part.reversed() : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        func written(_ value: Int, _ count: Int) -> [UInt8] {
            isLittle ? Self.little(value, count) : Self.big(value, count)
        }
        let directory = number(4, 4)
        for entry in 0..<number(directory, 2) {
            let place = directory + 2 + 12 * entry
            // width and height, as numbers of 32 bits
            guard [256, 257].contains(number(place, 2)) else { continue }
            bytes.replaceSubrange(
                (place + 2)..<(place + 12), with: written(4, 2) + written(1, 4) + written(side, 4))
        }
        return bytes
    }

    /// All sizes that the boxes of pictures state.
    private func boxed(_ kind: SmallFiles.Kind, _ side: Int) throws -> [UInt8] {
        var bytes = try files.bytes(of: kind)
        let name = Array("ispe".utf8)
        for place in 0..<(bytes.count - 16) where bytes[place..<(place + 4)].elementsEqual(name) {
            let size = Self.big(side, 4) + Self.big(side, 4)
            bytes.replaceSubrange((place + 8)..<(place + 16), with: size)
        }
        return bytes
    }

    private func losslessWebP() throws -> [UInt8] {
        var bytes = try files.bytes(of: .webp)
        let start = try #require(bytes.firstRange(of: Array("VP8L".utf8))).lowerBound + 9
        let bits = bytes[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
        bytes.replaceSubrange(
            start..<(start + 4), with: Self.little(bits & ~0xFFF_FFFF | 16_383 << 14 | 16_383, 4))
        return bytes
    }

    private func webP(_ side: Int) throws -> [UInt8] {
        var bytes = try files.bytes(of: .animatedWebP)
        let start = try #require(bytes.firstRange(of: Array("VP8X".utf8))).lowerBound + 12
        let size = Self.little(side - 1, 3) + Self.little(side - 1, 3)
        bytes.replaceSubrange(start..<(start + 6), with: size)
        return bytes
    }
}

/// Zeros in the coding of PNG's data, packed as densely as it allows.
enum Deflate {
    /// Whole blocks of fixed codes: a zero, then copies of 258 of what came before, a bit more than a
    /// byte each.
    static func zeros(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.put(0x78, 8)
        bits.put(0x01, 8)
        // the last block, of fixed codes
        bits.put(1, 1)
        bits.put(1, 2)
        var left = count
        if left > 0 {
            bits.putCode(0x30, 8)
            left -= 1
        }
        while left >= 258 {
            // length 258 is code 285 (8 bits, 11000101), distance 1 is code 0 (5 bits)
            bits.putCode(0xC5, 8)
            bits.putCode(0, 5)
            left -= 258
        }
        for _ in 0..<left { bits.putCode(0x30, 8) }
        bits.putCode(0, 7)
        // of zeros the sum is the count above one
        let sum = UInt32(count % 65_521) << 16 | 1
        return bits.bytes + (0..<4).reversed().map { UInt8(sum >> (8 * UInt32($0)) & 255) }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in
            sum & 1 != 0 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1
        }
    }
}

/// Bits from the lowest of each byte on.
private struct BitWriter {
    private var full: [UInt8] = []
    private var waiting: UInt32 = 0
    private var count: UInt32 = 0

    /// A number, its lowest bit first.
    mutating func put(_ value: UInt32, _ size: UInt32) {
        waiting |= value << count
        count += size
        while count >= 8 {
            full.append(UInt8(truncatingIfNeeded: waiting))
            waiting >>= 8
            count -= 8
        }
    }

    /// A code, its highest bit first.
    mutating func putCode(_ code: UInt32, _ size: UInt32) {
        for bit in (0..<size).reversed() { put(code >> bit & 1, 1) }
    }

    var bytes: [UInt8] { count > 0 ? full + [UInt8(truncatingIfNeeded: waiting)] : full }
}

/// Texts and programs that are called pictures and movies.
enum Disguises {
    /// - Parameter secret: a movie that they want opened.
    static func texts(naming secret: String) -> [(what: String, bytes: [UInt8])] {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
        let doctype = "<!DOCTYPE x [<!ENTITY e SYSTEM \"file://\(secret)\">]>"
        let texts = [
            ("playlist", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(secret)\n"),
            ("remote", "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n"),
            ("indented", "\u{FEFF}\n  #EXTM3U\n#EXTINF:1,\n\(secret)\n"),
            ("ffconcat", "ffconcat version 1.0\nfile \(secret)\n"),
            ("concat", "file '\(secret)'\n"), ("remark", "# list\nfile \(secret)\n"),
            ("svg", "\(svg)<image href='file://\(secret)' width='9' height='9'/></svg>"),
            ("entity", "<?xml version=\"1.0\"?>\(doctype)<x>&e;</x>"),
            ("bare-entity", "\(doctype)<svg>&e;</svg>"),
            ("dash", "<MPD><Period><BaseURL>\(secret)</BaseURL></Period></MPD>"),
            ("session", "v=0\no=- 0 0 IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n"),
            ("list", "[playlist]\nFile1=\(secret)\n"),
            ("drawing", "push graphic-context\nimage over 0,0 0,0 '\(secret)'\n"),
            ("text", "just a text\n"),
        ]
        let program: [UInt8] =
            [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + [UInt8](repeating: 0, count: 8)
            + [3, 0, 62, 0, 1, 0, 0, 0] + [UInt8](repeating: 0x90, count: 4000)
        return texts.map { ($0.0, Array($0.1.utf8)) } + [("program", program)]
    }
}
