internal import Media

/// Where the pictures of a PNG lie and their headers; nothing is decoded.
///
/// Source: PNG (ISO/IEC 15948); APNG and cICP as in its third edition (W3C), 11.3.2 and 11.3.2.6.
struct PNGStructure: Sendable {
    struct Picture: Sendable {
        var placement: PicturePlacement
        /// Where its coded data lie, in order.
        var data: [Range<Int64>] = []
    }

    /// Of the whole picture (pixels).
    private(set) var width = 0
    private(set) var height = 0
    /// Bits of a component, and what components there are (IHDR's colour type).
    private(set) var bitDepth: UInt8 = 0
    private(set) var colorType: UInt8 = 0
    private(set) var pictures: [Picture] = []
    /// As written (seconds); none for a still picture.
    private(set) var delays: [MediaTime] = []
    /// How often it is to be shown (count; nil = for ever).
    private(set) var loops: Int? = 1
    private(set) var isAnimated = false
    /// IHDR's body after the size.
    private(set) var kind: [UInt8] = []
    /// Whole chunks that decoding any picture needs: palette, transparent colour.
    private(set) var shared: [Range<Int64>] = []
    private(set) var profile: Range<Int64>?
    private(set) var exif: Range<Int64>?
    /// What the codes mean, where it is stated by numbers.
    private(set) var color: ColorDescription?
    private var hasTransparentColor = false

    /// Most parts of coded data (count): writers cut them at some thousand bytes.
    private static let mostParts = 2_000_000

    static func looksLikeOne(_ head: [UInt8]) -> Bool {
        head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    /// Whether it is stated to be an animation before its first coded data.
    /// - Throws: `damaged-file` where it is cut off before.
    static func isAnimated(_ file: FileBytes) throws(MediaError) -> Bool {
        var scanner = ByteScanner(file, at: 8)
        for _ in 0..<1000 {
            let length = try scanner.long()
            switch String(decoding: try scanner.bytes(4), as: UTF8.self) {
            case "acTL": return true
            case "IDAT", "IEND": return false
            default: try scanner.skip(length + 4)
            }
        }
        return false
    }

    var mayBeTransparent: Bool { colorType & 4 != 0 || hasTransparentColor }

    /// - Throws: `damaged-file`, `over-limit`.
    init(_ file: FileBytes, _ limits: ImageLimits) throws(MediaError) {
        var scanner = ByteScanner(file, at: 8)
        var parts = 0
        var hasData = false
        while true {
            let length = try scanner.long()
            let name = String(decoding: try scanner.bytes(4), as: UTF8.self)
            let start = scanner.offset
            let body = start..<(start + Int64(length))
            parts += 1
            guard parts <= Self.mostParts else { throw .overLimit(file.path, "its parts are") }
            guard (name == "IHDR") == (parts == 1) else {
                throw .damaged(file.path, "it does not begin with its size")
            }
            switch name {
            case "IHDR": try readHeader(&scanner, length, limits)
            case "PLTE", "tRNS":
                // one of each, of at most 256 colours
                guard length <= 768, shared.count < 2 else {
                    throw .damaged(file.path, "its colours are too many")
                }
                shared.append((start - 8)..<(body.upperBound + 4))
                if name == "tRNS" { hasTransparentColor = true }
            case "iCCP": profile = body
            case "eXIf": exif = body
            case "cICP" where length == 4 && !hasData:
                let codes = try scanner.bytes(4)
                // RGB has no matrix, and pictures have the full range
                if codes[2] == 0, codes[3] == 1 {
                    color = .pictures(primaries: codes[0], transfer: codes[1])
                }
            case "acTL" where !hasData && length >= 8:
                isAnimated = true
                _ = try scanner.long()
                let times = try scanner.long()
                loops = times == 0 ? nil : times
            case "fcTL" where isAnimated && length >= 26: try readControl(&scanner, limits)
            case "IDAT":
                hasData = true
                // before the first control it is for those who know no animations
                if isAnimated {
                    if pictures.count == 1 { pictures[0].data.append(body) }
                } else {
                    if pictures.isEmpty { addStill() }
                    pictures[0].data.append(body)
                }
            case "fdAT" where isAnimated && length >= 4 && !pictures.isEmpty:
                pictures[pictures.count - 1].data.append((start + 4)..<body.upperBound)
            default: break
            }
            try scanner.skip(Int(body.upperBound + 4 - scanner.offset))
            if name == "IEND" { break }
        }
        try finish(file)
    }

    private mutating func readHeader(
        _ scanner: inout ByteScanner, _ length: Int, _ limits: ImageLimits
    ) throws(MediaError) {
        guard length == 13 else { throw .damaged(scanner.path, "its header is none") }
        (width, height) = (try scanner.long(), try scanner.long())
        kind = try scanner.bytes(5)
        (bitDepth, colorType) = (kind[0], kind[1])
        try limits.checkSize(width, height, isStill: true, of: scanner.path)
    }

    private mutating func addStill() {
        pictures = [
            Picture(
                placement: PicturePlacement(
                    x: 0, y: 0, width: width, height: height, isBlended: false,
                    mayBeTransparent: true))
        ]
    }

    private mutating func readControl(
        _ scanner: inout ByteScanner, _ limits: ImageLimits
    ) throws(MediaError) {
        let path = scanner.path
        try limits.checkSize(width, height, isStill: false, of: path)
        try limits.checkCount(pictures.count + 1, width: width, height: height, of: path)
        try scanner.skip(4)
        let (ownWidth, ownHeight) = (try scanner.long(), try scanner.long())
        let (x, y) = (try scanner.long(), try scanner.long())
        let numbers = try scanner.bytes(6)
        guard ownWidth > 0, ownHeight > 0, x + ownWidth <= width, y + ownHeight <= height else {
            throw .damaged(path, "a picture's place is none in the whole one")
        }
        let isFirst = pictures.isEmpty
        let disposal: PicturePlacement.Disposal =
            switch numbers[4] {
            case 1: .clear
            case 2: isFirst ? .clear : .restore
            default: .keep
            }
        pictures.append(
            Picture(
                placement: PicturePlacement(
                    x: x, y: y, width: ownWidth, height: ownHeight, disposal: disposal,
                    isBlended: numbers[5] == 1, mayBeTransparent: true)))
        let parts = Int32(numbers[2]) << 8 | Int32(numbers[3])
        delays.append(
            MediaTime(
                value: Int64(numbers[0]) << 8 | Int64(numbers[1]),
                timescale: parts == 0 ? 100 : parts))
    }

    private mutating func finish(_ file: FileBytes) throws(MediaError) {
        guard !pictures.isEmpty, pictures.allSatisfy({ !$0.data.isEmpty }) else {
            throw .damaged(file.path, "there is no whole picture in it")
        }
        // the transparent colour may stand behind the first control
        for index in pictures.indices {
            pictures[index].placement.mayBeTransparent = mayBeTransparent
        }
    }
}
