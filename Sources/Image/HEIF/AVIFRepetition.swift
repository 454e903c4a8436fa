/// How often an AVIF sequence is shown, as its track's edit list says.
///
/// Source: ISO/IEC 14496-12, 8.6.6 (an edit list whose flags say so is repeated until the track ends); AV1 Image File
/// Format, 6. libavif 0.11 does not report it.
enum AVIFRepetition {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// - Returns: count; nil: for ever, which is also what readers take where nothing is said.
    static func loops(in file: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let movie = box("moov", in: file) else { return nil }
        for track in boxes("trak", in: movie) {
            guard let header = box("tkhd", in: track), let edits = box("edts", in: track),
                let list = box("elst", in: edits), let edit = Edit(list)
            else { continue }
            guard edit.isRepeated else { return 1 }
            guard edit.length > 0, let whole = length(ofTrack: header) else { return nil }
            return Int(clamping: (whole - 1) / edit.length + 1)
        }
        return nil
    }

    /// The only edit of a list.
    private struct Edit {
        let isRepeated: Bool
        /// In the movie's ticks.
        let length: UInt64

        init?(_ list: Bytes) {
            guard list.count >= 8, AVIFRepetition.number(list, at: 4, 4) == 1 else { return nil }
            let isLong = list[0] == 1
            guard list.count >= 8 + (isLong ? 8 : 4) else { return nil }
            isRepeated = list[3] & 1 == 1
            length = AVIFRepetition.number(list, at: 8, isLong ? 8 : 4)
        }
    }

    /// In the movie's ticks; nil: it has no end.
    private static func length(ofTrack header: Bytes) -> UInt64? {
        guard let version = header.first else { return nil }
        let (place, size) = version == 1 ? (28, 8) : (20, 4)
        guard header.count >= place + size else { return nil }
        let length = number(header, at: place, size)
        return length == (size == 8 ? .max : UInt64(UInt32.max)) || length == 0 ? nil : length
    }

    private static func box(_ name: String, in bytes: Bytes) -> Bytes? {
        boxes(name, in: bytes).first
    }

    /// The contents of the boxes of a name, those of them that are whole.
    private static func boxes(_ name: String, in bytes: Bytes) -> [Bytes] {
        var found: [Bytes] = []
        var at = 0
        while bytes.count - at >= 8 {
            var size = number(bytes, at: at, 4)
            var start = 8
            if size == 1 {
                guard bytes.count - at >= 16 else { break }
                size = number(bytes, at: at + 8, 8)
                start = 16
            } else if size == 0 {
                size = UInt64(bytes.count - at)
            }
            guard size >= UInt64(start), size <= UInt64(bytes.count - at) else { break }
            let end = at + Int(size)
            if bytes[(at + 4)..<(at + 8)].elementsEqual(name.utf8) {
                found.append(Bytes(rebasing: bytes[(at + start)..<end]))
            }
            at = end
        }
        return found
    }

    private static func number(_ bytes: Bytes, at place: Int, _ size: Int) -> UInt64 {
        bytes[place..<(place + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
