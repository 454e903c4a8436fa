/// A block that says how long it lasts, in place of one that does not: libavformat 59 writes no lengths of frames
/// (RFC 9559, 5.1.3.5; 10 and 12.1).
enum MatroskaBlock {
    private static let simpleBlock: UInt32 = 0xA3
    private static let group: UInt32 = 0xA0
    private static let block: UInt32 = 0xA1
    private static let duration: UInt32 = 0x9B
    private static let reference: UInt32 = 0xFB

    /// - Parameters:
    ///   - clusters: whole elements, of which the last is a cluster.
    ///   - duration: of the last simple block of the track in that cluster (ticks of the file).
    ///   - reference: where a frame it needs is, from it on (ticks; nil: it needs none).
    /// - Returns: nil where there is no such block.
    static func lasting(
        _ duration: Int64, reference: Int64?, track: UInt8, in clusters: [UInt8]
    ) -> [UInt8]? {
        guard duration > 0, track < 0x80, let elements = elements(clusters[...]),
            let cluster = elements.last, cluster.id == MatroskaID.cluster,
            var children = self.elements(clusters[cluster.body])
        else { return nil }
        let marked = children.lastIndex {
            $0.id == simpleBlock && $0.body.count > 4
                && clusters[$0.body.lowerBound] == 0x80 | track
        }
        guard let marked else { return nil }
        let old = children.remove(at: marked)
        var body = Array(clusters[old.body])
        // a block in a group has no flags for sync samples and for what may be left out
        body[3] &= 0x7E
        var parts =
            EBMLElement.bytes(block, body) + EBMLElement.bytes(self.duration, number(duration))
        if let reference { parts += EBMLElement.bytes(self.reference, number(reference)) }
        let before = children[..<marked].filter { $0.id != MatroskaID.crc32 }
        var content = before.flatMap { clusters[$0.whole] } + EBMLElement.bytes(group, parts)
        content += children[marked...].flatMap { clusters[$0.whole] }
        if children.contains(where: { $0.id == MatroskaID.crc32 }) {
            content = checksum(of: content) + content
        }
        return Array(clusters[..<cluster.whole.lowerBound])
            + EBMLElement.bytes(MatroskaID.cluster, content)
    }

    private static func checksum(of content: [UInt8]) -> [UInt8] {
        var sum = CRC32()
        sum.add(content)
        let bytes = withUnsafeBytes(of: sum.value.littleEndian) { Array($0) }
        return [UInt8(MatroskaID.crc32), 0x84] + bytes
    }

    /// Eight bytes, so that signed and unsigned ones look alike.
    private static func number(_ value: Int64) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private struct Part {
        let id: UInt32
        let whole: Range<Int>
        let body: Range<Int>
    }

    /// The elements one after the other; nil where they are not whole.
    private static func elements(_ bytes: ArraySlice<UInt8>) -> [Part]? {
        var parts: [Part] = []
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let header = EBMLElement(bytes[at...].prefix(EBMLElement.headerLimit), at: Int64(at))
            guard let header, let end = header.end, end <= Int64(bytes.endIndex) else { return nil }
            parts.append(
                Part(id: header.id, whole: at..<Int(end), body: Int(header.bodyStart)..<Int(end)))
            at = Int(end)
        }
        return parts
    }
}
