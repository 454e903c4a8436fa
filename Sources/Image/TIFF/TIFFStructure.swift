internal import Media

/// What a TIFF says of its first picture; nothing is decoded.
///
/// Source: TIFF 6.0, sections 2 and 8.
struct TIFFStructure: Sendable {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var orientation: VideoOrientation?
    /// Bits of a component, and components of a pixel (count).
    private(set) var bitDepth = 1
    private(set) var components = 1
    /// PhotometricInterpretation: 0 and 1 grey, 2 RGB, 3 palette, 5 CMYK, 6 YCbCr.
    private(set) var colors = 1
    private(set) var profile: Range<Int64>?
    /// Whether more pictures follow the first.
    private(set) var hasMore = false

    private let isLittle: Bool

    /// An entry of the directory: how large its values are, how many there are, where they lie.
    private struct Entry {
        let size: Int
        let count: Int
        let place: Int64
    }

    static func looksLikeOne(_ head: [UInt8]) -> Bool {
        head.starts(with: [0x49, 0x49, 42, 0]) || head.starts(with: [0x4D, 0x4D, 0, 42])
    }

    var hasAlpha: Bool { components == (colors == 2 ? 4 : 2) && colors < 3 }

    /// - Throws: `damaged-file`, `over-limit`; `unsupported` for raw photos, and for JPEG inside.
    init(_ file: FileBytes, _ limits: ImageLimits) throws(MediaError) {
        let head = try file.read(0..<8)
        isLittle = head[0] == 0x49
        let directory = Int64(Self.number(head[4..<8], isLittle))
        let count = Self.number(try file.read(directory..<(directory + 2))[...], isLittle)
        let bytes = try file.read((directory + 2)..<(directory + 2 + 12 * Int64(count)))
        var entries: [Int: Entry] = [:]
        for index in 0..<count {
            let at = 12 * index
            let size = [1: 1, 2: 1, 3: 2, 4: 4, 7: 1][
                Self.number(bytes[(at + 2)..<(at + 4)], isLittle)]
            guard let size else { continue }
            let values = Self.number(bytes[(at + 4)..<(at + 8)], isLittle)
            let isInside = values * size <= 4
            entries[Self.number(bytes[at..<(at + 2)], isLittle)] = Entry(
                size: size, count: values,
                place: isInside
                    ? directory + 2 + Int64(at) + 8
                    : Int64(Self.number(bytes[(at + 8)..<(at + 12)], isLittle)))
        }
        func first(_ tag: Int) throws(MediaError) -> Int? {
            guard let entry = entries[tag], entry.count > 0 else { return nil }
            let place = entry.place..<(entry.place + Int64(entry.size))
            return Self.number(try file.read(place)[...], isLittle)
        }
        width = try first(256) ?? 0
        height = try first(257) ?? 0
        try limits.checkSize(width, height, isStill: true, of: file.path)
        bitDepth = try first(258) ?? 1
        colors = try first(262) ?? 1
        components = try first(277) ?? 1
        if entries[50_706] != nil {
            throw MediaError(
                code: .unsupported, subject: file.path,
                message:
                    "Cannot read \(file.path): a DNG holds raw values of a sensor, which vcap does not develop; "
                    + "save it as a TIFF, PNG or JPEG with a program for raw photos.")
        }
        if [6, 7].contains(try first(259)) {
            throw MediaError(
                code: .unsupported, subject: file.path,
                message:
                    "Cannot read \(file.path): a TIFF with JPEG inside is not read; save it with LZW or "
                    + "deflate, or as a JPEG.")
        }
        let next = directory + 2 + 12 * Int64(count)
        hasMore = try file.readSome(at: next, 4).contains { $0 != 0 }
        orientation = try first(274).flatMap(VideoOrientation.init(exif:))
        if let entry = entries[34_675], entry.count <= ColorProfile.most {
            profile = entry.place..<(entry.place + Int64(entry.count))
        }
        for (starts, lengths) in [(273, 279), (324, 325)] {
            try Self.check(entries[starts], entries[lengths], isLittle, file)
        }
    }

    /// - Throws: `damaged-file` where a strip or tile reaches behind the file's end.
    private static func check(
        _ starts: Entry?, _ lengths: Entry?, _ isLittle: Bool, _ file: FileBytes
    ) throws(MediaError) {
        guard let starts, let lengths else { return }
        func values(_ entry: Entry) throws(MediaError) -> [Int] {
            let end = entry.place + Int64(entry.size * entry.count)
            let bytes = try file.read(entry.place..<end, most: 16 << 20)
            return stride(from: 0, to: bytes.count, by: entry.size).map {
                number(bytes[$0..<($0 + entry.size)], isLittle)
            }
        }
        for (start, length) in zip(try values(starts), try values(lengths))
        where Int64(start + length) > file.count {
            throw .cutOff(file.path)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isLittle: Bool) -> Int {
        isLittle
            ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
            : bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
