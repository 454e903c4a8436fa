internal import Media

/// A `moov` whose chunk offsets are those of the samples' new places. Everything else in it stays as it
/// is, byte for byte.
struct MovedIndex {
    let bytes: [UInt8]

    /// Boxes on the way to chunk offsets.
    private static let way: Set<FourCC> = ["trak", "mdia", "minf", "stbl"]

    /// - Parameters:
    ///   - body: of the `moov` as it is.
    ///   - boxes: that hold samples, in the order in which they will follow the index.
    ///   - start: where the index will begin in the new file (bytes).
    init(
        _ body: BoxReader, _ boxes: [BoxScanner.Entry], from start: Int64
    ) throws(MediaError) {
        // offsets of 64 bits make the index longer, which moves the samples on; so once more with the
        // length that came out, and with long offsets everywhere if that is needed for one
        let plain = try Self.build(body, isLong: false) { $0 }
        let reach = boxes.reduce(start + Int64(plain.count)) { $0 + $1.size }
        let isLong = reach > Int64(UInt32.max)
        let length = isLong ? try Self.build(body, isLong: true) { $0 }.count : plain.count
        var shifts: [(old: Range<Int64>, by: Int64)] = []
        var place = start + Int64(length)
        for box in boxes {
            shifts.append((box.offset..<box.end, place - box.offset))
            place += box.size
        }
        let sorted = shifts.sorted { $0.old.lowerBound < $1.old.lowerBound }
        bytes = try Self.build(body, isLong: isLong) { offset in
            let next = sorted.partitionIndex { $0.old.lowerBound > offset }
            return next > 0 ? offset + sorted[next - 1].by : offset
        }
    }

    private static func build(
        _ body: BoxReader, isLong: Bool, _ place: (Int64) -> Int64
    ) throws(MediaError) -> [UInt8] {
        var builder = BoxBuilder()
        var failure: MediaError?
        builder.box("moov") { builder in
            do throws(MediaError) {
                try write(body, isLong, place, to: &builder)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return builder.bytes
    }

    private static func write(
        _ parent: BoxReader, _ isLong: Bool, _ place: (Int64) -> Int64,
        to builder: inout BoxBuilder
    ) throws(MediaError) {
        var parent = parent
        while var child = try parent.child() {
            var failure: MediaError?
            switch child.type {
            case ChunkOffsetBox.type, ChunkOffsetBox.shortType:
                let isShort = child.type == ChunkOffsetBox.shortType && !isLong
                let old = try ChunkOffsetBox(from: &child)
                let new = old.offsets.map { UInt64(bitPattern: place(Int64(bitPattern: $0))) }
                if isShort {
                    builder.box(ChunkOffsetBox.shortType) { builder in
                        builder.full(0, 0)
                        builder.u32(UInt32(new.count))
                        for offset in new { builder.u32(UInt32(truncatingIfNeeded: offset)) }
                    }
                } else {
                    builder.append(ChunkOffsetBox(offsets: new))
                }
            case let type where way.contains(type):
                builder.box(type) { builder in
                    do throws(MediaError) {
                        try write(child, isLong, place, to: &builder)
                    } catch { failure = error }
                }
            default:
                let rest = child.rest()
                builder.box(child.type) { $0.raw(rest) }
            }
            if let failure { throw failure }
        }
    }
}

extension Array {
    /// The first index whose element is one of those behind, in an array of which all such come last.
    fileprivate func partitionIndex(_ isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
