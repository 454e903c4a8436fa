/// The header of one element of a Matroska file (RFC 8794, 6).
struct EBMLElement: Sendable, Hashable {
    /// Most bytes a header has.
    static let headerLimit = 12

    let id: UInt32
    /// Where the element begins (byte of the file).
    let offset: Int64
    let headerSize: Int
    /// Bytes of the body; nil: up to the next element that cannot be inside.
    let size: Int64?

    var bodyStart: Int64 { offset + Int64(headerSize) }
    var end: Int64? { size.map { bodyStart + $0 } }

    /// - Parameter bytes: what is at `offset`, as much as there is of a header.
    /// - Returns: nil when that is no header.
    init?(_ bytes: ArraySlice<UInt8>, at offset: Int64) {
        guard let first = bytes.first, first >= 0x10 else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard bytes.count > idLength else { return nil }
        id = bytes.prefix(idLength).reduce(0) { $0 << 8 | UInt32($1) }
        let rest = bytes.dropFirst(idLength)
        let lead = rest[rest.startIndex]
        guard lead != 0 else { return nil }
        let sizeLength = lead.leadingZeroBitCount + 1
        guard rest.count >= sizeLength else { return nil }
        let mask = UInt64(1) << UInt64(7 * sizeLength) - 1
        let value = rest.prefix(sizeLength).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & mask
        size = value == mask ? nil : Int64(value)
        guard value == mask || Int64(value) <= Int64.max / 2 - offset else { return nil }
        self.offset = offset
        headerSize = idLength + sizeLength
    }

    /// An element around a body.
    static func bytes(_ id: UInt32, _ body: [UInt8]) -> [UInt8] {
        // a size of four bytes holds 256 MiB, more than anything built in memory
        let size = bigEndian(0x1000_0000 | UInt32(body.count))
        return bigEndian(id).drop { $0 == 0 } + size + body
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}

/// The elements that matter here (RFC 9559, 5).
enum MatroskaID {
    static let header: UInt32 = 0x1A45_DFA3
    static let docType: UInt32 = 0x4282
    static let segment: UInt32 = 0x1853_8067
    static let cluster: UInt32 = 0x1F43_B675
    static let timestamp: UInt32 = 0xE7
    static let crc32: UInt32 = 0xBF
    static let void: UInt32 = 0xEC
    static let info: UInt32 = 0x1549_A966
    static let timestampScale: UInt32 = 0x2A_D7B1
    static let tags: UInt32 = 0x1254_C367
    static let tag: UInt32 = 0x7373
    static let targets: UInt32 = 0x63C0
    static let simpleTag: UInt32 = 0x67C8
    static let tagName: UInt32 = 0x45A3
    static let tagString: UInt32 = 0x4487

    /// What a segment holds: SeekHead, Info, Tracks, Chapters, Cluster, Cues, Attachments, Tags.
    static let inSegment: Set<UInt32> = [
        0x114D_9B74, info, 0x1654_AE6B, 0x1043_A770, cluster, 0x1C53_BB6B, 0x1941_A469, tags, void,
        crc32,
    ]
    /// What a cluster holds: besides blocks its time, place, the size of the one before.
    static let inCluster: Set<UInt32> = [
        timestamp, 0xA3, 0xA0, 0xA7, 0xAB, 0x5854, 0xAF, void, crc32,
    ]
}
