internal import Media

/// Where the pictures of a WebP lie and their headers; nothing is decoded.
///
/// Source: WebP Container Specification; RFC 6386, 9.1 (lossy), WebP Lossless Bitstream Specification, 2.
struct WebPStructure: Sendable {
    struct Picture: Sendable {
        var placement: PicturePlacement
        /// Its opacity and its coded picture with their headers, as the decoder takes them.
        var data: Range<Int64>
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var pictures: [Picture] = []
    /// As written (ms); none for a still picture.
    private(set) var delays: [Int] = []
    /// How often it is to be shown (count; nil = for ever).
    private(set) var loops: Int? = 1
    private(set) var profile: Range<Int64>?
    private(set) var exif: Range<Int64>?
    private(set) var isAnimated = false

    /// A chunk of a RIFF file.
    private struct Chunk {
        let name: [UInt8]
        /// With its header, without what fills it up to an even size.
        let whole: Range<Int64>
        var body: Range<Int64> { (whole.lowerBound + 8)..<whole.upperBound }

        func isNamed(_ text: String) -> Bool { name.elementsEqual(text.utf8) }
    }

    /// A coded picture's own header.
    private struct Header {
        let width: Int
        let height: Int
        let mayBeTransparent: Bool
    }

    static func looksLikeOne(_ head: [UInt8]) -> Bool {
        head.count >= 12 && head.starts(with: "RIFF".utf8)
            && head[8..<12].elementsEqual("WEBP".utf8)
    }

    /// - Throws: `damaged-file`, `over-limit`.
    init(_ file: FileBytes, _ limits: ImageLimits) throws(MediaError) {
        let head = try file.read(4..<8)
        let end = 8 + Int64(Self.number(head[0..<4]))
        guard end <= file.count else { throw .cutOff(file.path) }
        // it counts the four bytes of its own kind
        guard end >= 12 else { throw .damaged(file.path, "it says that it is empty") }
        let chunks = try Self.chunks(file, in: 12..<end, most: limits.pictures + 100)
        if let canvas = chunks.first, canvas.isNamed("VP8X") {
            let bytes = try file.read(canvas.body, most: 1 << 16)
            guard bytes.count >= 10 else { throw .damaged(file.path, "its header is too short") }
            isAnimated = bytes[0] & 2 != 0
            width = Self.number(bytes[4..<7]) + 1
            height = Self.number(bytes[7..<10]) + 1
            try limits.checkSize(width, height, isStill: !isAnimated, of: file.path)
        }
        profile = chunks.first { $0.isNamed("ICCP") }?.body
        exif = chunks.first { $0.isNamed("EXIF") }?.body
        if isAnimated {
            try readAnimation(file, chunks, limits)
        } else {
            try readStill(file, chunks, limits)
        }
        guard !pictures.isEmpty else {
            throw .damaged(file.path, "there is no whole picture in it")
        }
    }

    private mutating func readAnimation(
        _ file: FileBytes, _ chunks: [Chunk], _ limits: ImageLimits
    ) throws(MediaError) {
        for chunk in chunks {
            if chunk.isNamed("ANIM") {
                let bytes = try file.read(chunk.body, most: 1 << 16)
                guard bytes.count >= 6 else { throw .damaged(file.path, "its header is short") }
                let times = Self.number(bytes[4..<6])
                loops = times == 0 ? nil : times
            }
            guard chunk.isNamed("ANMF") else { continue }
            try limits.checkCount(
                pictures.count + 1, width: width, height: height, of: file.path)
            guard chunk.body.count > 16 else { throw .damaged(file.path, "a picture is empty") }
            let start = chunk.body.lowerBound
            let bytes = try file.read(start..<(start + 16))
            let parts = try Self.chunks(
                file, in: (start + 16)..<chunk.body.upperBound, most: 16)
            let (data, header) = try Self.picture(file, parts)
            let placement = PicturePlacement(
                x: 2 * Self.number(bytes[0..<3]), y: 2 * Self.number(bytes[3..<6]),
                width: Self.number(bytes[6..<9]) + 1, height: Self.number(bytes[9..<12]) + 1,
                disposal: bytes[15] & 1 != 0 ? .clear : .keep, isBlended: bytes[15] & 2 == 0,
                mayBeTransparent: header.mayBeTransparent)
            guard placement.width == header.width, placement.height == header.height,
                placement.x + placement.width <= width,
                placement.y + placement.height <= height
            else {
                throw .damaged(file.path, "a picture's place is none in the whole one")
            }
            pictures.append(Picture(placement: placement, data: data))
            delays.append(Self.number(bytes[12..<15]))
        }
    }

    private mutating func readStill(
        _ file: FileBytes, _ chunks: [Chunk], _ limits: ImageLimits
    ) throws(MediaError) {
        let (data, header) = try Self.picture(file, chunks)
        guard width == 0 || (header.width, header.height) == (width, height) else {
            throw .damaged(file.path, "its picture has another size than it says")
        }
        (width, height) = (header.width, header.height)
        try limits.checkSize(width, height, isStill: true, of: file.path)
        pictures = [
            Picture(
                placement: PicturePlacement(
                    x: 0, y: 0, width: width, height: height, isBlended: false,
                    mayBeTransparent: header.mayBeTransparent), data: data)
        ]
    }

    private static func chunks(
        _ file: FileBytes, in range: Range<Int64>, most: Int
    ) throws(MediaError) -> [Chunk] {
        var result: [Chunk] = []
        var at = range.lowerBound
        while at + 8 <= range.upperBound {
            guard result.count < most else {
                throw .overLimit(file.path, "\(result.count) or more parts are")
            }
            let header = try file.read(at..<(at + 8))
            let size = Int64(number(header[4..<8]))
            guard at + 8 + size <= range.upperBound else { throw .cutOff(file.path) }
            result.append(Chunk(name: Array(header[0..<4]), whole: at..<(at + 8 + size)))
            at += 8 + size + size % 2
        }
        return result
    }

    /// The coded picture among chunks, with the opacity that stands before it.
    private static func picture(
        _ file: FileBytes, _ chunks: [Chunk]
    ) throws(MediaError) -> (data: Range<Int64>, header: Header) {
        guard let index = chunks.firstIndex(where: { $0.isNamed("VP8 ") || $0.isNamed("VP8L") })
        else { throw .damaged(file.path, "there is no whole picture in it") }
        let chunk = chunks[index]
        let bytes = try file.readSome(at: chunk.body.lowerBound, min(10, chunk.body.count))
        if chunk.isNamed("VP8L") {
            guard bytes.count >= 5, bytes[0] == 0x2F else {
                throw .damaged(file.path, "a picture in it is none")
            }
            let bits = number(bytes[1..<5])
            return (
                chunk.whole,
                Header(
                    width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1,
                    mayBeTransparent: bits >> 28 & 1 != 0)
            )
        }
        guard bytes.count == 10, bytes[3..<6].elementsEqual([0x9D, 1, 0x2A]) else {
            throw .damaged(file.path, "a picture in it is none")
        }
        let alpha = index > 0 && chunks[index - 1].isNamed("ALPH") ? chunks[index - 1] : nil
        let start = alpha?.whole.lowerBound ?? chunk.whole.lowerBound
        return (
            start..<chunk.whole.upperBound,
            Header(
                width: number(bytes[6..<8]) & 0x3FFF, height: number(bytes[8..<10]) & 0x3FFF,
                mayBeTransparent: alpha != nil)
        )
    }

    /// Little-endian.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
