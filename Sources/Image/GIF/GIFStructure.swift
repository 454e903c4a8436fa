internal import Media

/// Where the pictures of a GIF lie and their headers; nothing is decoded.
///
/// Source: GIF89a specification; the looping extension of Netscape 2.0. Where browsers read more than the
/// specification they are followed: a first picture that reaches beyond the screen enlarges it, a picture
/// without a size has the screen's, disposal 4 is 3, and after whole pictures the file may end without its last
/// byte or with what is no block.
struct GIFStructure: Sendable {
    struct Picture: Sendable {
        var placement: PicturePlacement
        var isInterlaced: Bool
        /// The colour that is not painted.
        var transparentIndex: UInt8?
        /// Where its colours lie in the file; empty for none.
        var palette: Range<Int64>
        /// Where its coded data begin: with the smallest size of a code.
        var data: Int64
    }

    private(set) var width: Int
    private(set) var height: Int
    private(set) var pictures: [Picture] = []
    /// As written (1/100 s).
    private(set) var delays: [Int] = []
    /// How often it is to be shown (count; nil = for ever).
    private(set) var loops: Int? = 1
    /// Whether it does not end as it should behind its last picture.
    private(set) var endsEarly = false

    /// What stands before a picture.
    private struct Control {
        var delay = 0
        var disposal = PicturePlacement.Disposal.keep
        var transparentIndex: UInt8?
    }

    private let palette: Range<Int64>
    private var control = Control()

    static func looksLikeOne(_ head: [UInt8]) -> Bool {
        head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8)
    }

    /// - Throws: `damaged-file`, `over-limit`.
    init(_ file: FileBytes, _ limits: ImageLimits) throws(MediaError) {
        var scanner = ByteScanner(file, at: 6)
        width = try scanner.short()
        height = try scanner.short()
        let flags = try scanner.byte()
        try scanner.skip(2)
        palette = try Self.palette(flags, &scanner)
        reading: while true {
            if !pictures.isEmpty, scanner.offset >= file.count {
                endsEarly = true
                break
            }
            switch try scanner.byte() {
            case 0x2C: try picture(&scanner, limits)
            case 0x21: try readExtension(&scanner)
            case 0x3B: break reading
            // what fills up between blocks
            case 0: break
            case _ where !pictures.isEmpty:
                endsEarly = true
                break reading
            default: throw .damaged(file.path, "what follows a block is none")
            }
        }
        guard !pictures.isEmpty else {
            throw .damaged(file.path, "there is no whole picture in it")
        }
    }

    /// - Parameter flags: bit 7 whether there is one, bits 0 to 2 its size.
    private static func palette(
        _ flags: UInt8, _ scanner: inout ByteScanner
    ) throws(MediaError) -> Range<Int64> {
        let start = scanner.offset
        guard flags & 0x80 != 0 else { return start..<start }
        try scanner.skip(3 << (Int(flags & 7) + 1))
        return start..<scanner.offset
    }

    private mutating func picture(
        _ scanner: inout ByteScanner, _ limits: ImageLimits
    ) throws(MediaError) {
        let (x, y) = (try scanner.short(), try scanner.short())
        var (ownWidth, ownHeight) = (try scanner.short(), try scanner.short())
        let flags = try scanner.byte()
        if pictures.isEmpty {
            width = max(width, x + ownWidth)
            height = max(height, y + ownHeight)
        }
        if ownWidth == 0 { ownWidth = width }
        if ownHeight == 0 { ownHeight = height }
        try limits.checkSize(width, height, isStill: false, of: scanner.path)
        try limits.checkSize(ownWidth, ownHeight, isStill: false, of: scanner.path)
        try limits.checkCount(
            pictures.count + 1, width: width, height: height, of: scanner.path)
        let own = try Self.palette(flags, &scanner)
        let data = scanner.offset
        try scanner.skip(1)
        try Self.skipBlocks(&scanner)
        pictures.append(
            Picture(
                placement: PicturePlacement(
                    x: x, y: y, width: ownWidth, height: ownHeight, disposal: control.disposal,
                    isBlended: true, mayBeTransparent: control.transparentIndex != nil),
                isInterlaced: flags & 0x40 != 0, transparentIndex: control.transparentIndex,
                palette: own.isEmpty ? palette : own, data: data))
        delays.append(control.delay)
        control = Control()
    }

    private mutating func readExtension(_ scanner: inout ByteScanner) throws(MediaError) {
        let label = try scanner.byte()
        guard label == 0xF9 || label == 0xFF else { return try Self.skipBlocks(&scanner) }
        var blocks: [[UInt8]] = []
        // of what follows nothing is wanted
        while case let size = Int(try scanner.byte()), size > 0 {
            let block = try scanner.bytes(size)
            if blocks.count < 2 { blocks.append(block) }
        }
        guard let first = blocks.first else { return }
        if label == 0xF9 { return read(control: first) }
        let names = ["NETSCAPE2.0", "ANIMEXTS1.0"]
        guard names.contains(where: { first.starts(with: $0.utf8) }), let block = blocks.last,
            blocks.count == 2, block.count >= 3, block[0] & 7 == 1
        else { return }
        // so many times again
        let times = Int(block[1]) | Int(block[2]) << 8
        loops = times == 0 ? nil : times + 1
    }

    private mutating func read(control block: [UInt8]) {
        guard block.count >= 4 else { return }
        control.delay = Int(block[1]) | Int(block[2]) << 8
        control.disposal =
            switch block[0] >> 2 & 7 {
            case 2: .clear
            case 3, 4: .restore
            default: .keep
            }
        control.transparentIndex = block[0] & 1 != 0 ? block[3] : nil
    }

    /// Up to the empty block that ends them.
    private static func skipBlocks(_ scanner: inout ByteScanner) throws(MediaError) {
        while case let size = Int(try scanner.byte()), size > 0 { try scanner.skip(size) }
    }
}
