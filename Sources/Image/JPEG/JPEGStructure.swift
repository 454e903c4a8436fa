internal import Media

/// What a JPEG says of its picture; nothing is decoded.
///
/// Source: ISO/IEC 10918-1, B; Exif 2.32, 4.7.2; ICC.1, B.4; Adobe's APP14.
struct JPEGStructure: Sendable {
    private(set) var width = 0
    private(set) var height = 0
    /// Of a pixel (count).
    private(set) var components = 0
    private(set) var exif: [UInt8] = []
    /// The embedded ICC profile, put together of its parts; empty for none.
    private(set) var profile: [UInt8] = []
    /// Whether Adobe's programs wrote it: CMYK is then inverted.
    private(set) var isAdobe = false
    /// Where the picture ends (bytes); what follows belongs to something else.
    private(set) var end: Int64 = 0

    static func looksLikeOne(_ head: [UInt8]) -> Bool { head.starts(with: [0xFF, 0xD8, 0xFF]) }

    /// Goes from segment to segment, and through coded data, to the marker of the picture's end.
    /// - Throws: `damaged-file`, `over-limit`.
    init(_ file: FileBytes, _ limits: ImageLimits) throws(MediaError) {
        var scanner = ByteScanner(file, at: 2)
        var parts: [Int: [UInt8]] = [:]
        reading: while true {
            // between segments there is nothing; what fills it is skipped, as coded data are
            try scanner.skip(behind: 0xFF)
            var marker = try scanner.byte()
            while marker == 0xFF { marker = try scanner.byte() }
            switch marker {
            case 0xD9: break reading
            // a stuffed byte, a restart, a marker without a length
            case 0x00, 0x01, 0xD0...0xD8: continue
            default: break
            }
            let length = try scanner.bytes(2).reduce(0) { $0 << 8 | Int($1) }
            guard length >= 2 else { throw .damaged(file.path, "a part of it has no length") }
            let body = scanner.offset..<(scanner.offset + Int64(length - 2))
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                try readFrame(&scanner, length, limits)
            case 0xE1 where exif.isEmpty:
                let bytes = try file.read(body)
                if bytes.starts(with: "Exif\0\0".utf8) { exif = bytes }
            case 0xE2:
                let bytes = try file.read(body)
                if bytes.starts(with: "ICC_PROFILE\0".utf8), bytes.count > 14 {
                    parts[Int(bytes[12])] = Array(bytes[14...])
                }
            case 0xEE where length >= 14:
                isAdobe = try file.read(body).starts(with: "Adobe".utf8) || isAdobe
            default: break
            }
            try scanner.skip(Int(body.upperBound - scanner.offset))
        }
        end = scanner.offset
        guard width > 0, components > 0 else {
            throw .damaged(file.path, "there is no whole picture in it")
        }
        profile = parts.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    private mutating func readFrame(
        _ scanner: inout ByteScanner, _ length: Int, _ limits: ImageLimits
    ) throws(MediaError) {
        guard length >= 8, width == 0 else {
            throw .damaged(scanner.path, "its header is none")
        }
        let bytes = try scanner.bytes(6)
        (width, height) = (
            Int(bytes[3]) << 8 | Int(bytes[4]), Int(bytes[1]) << 8 | Int(bytes[2])
        )
        components = Int(bytes[5])
        try limits.checkSize(width, height, isStill: true, of: scanner.path)
    }
}
