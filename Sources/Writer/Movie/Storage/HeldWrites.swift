/// Writes that no sync has covered yet, in their order, with their bytes. A pure value.
struct HeldWrites: Sendable {
    struct Write: Sendable {
        fileprivate(set) var offset: Int64
        let bytes: GatheredBytes
        fileprivate let sequence: UInt64
    }

    private(set) var writes: [Write] = []
    /// Bytes of all of them.
    private(set) var byteCount = 0
    /// What a write has from now on; a sync that begins now covers those with less.
    private(set) var nextSequence: UInt64 = 0

    var isEmpty: Bool { writes.isEmpty }

    mutating func hold(_ bytes: GatheredBytes, at offset: Int64) {
        writes.append(Write(offset: offset, bytes: bytes, sequence: nextSequence))
        nextSequence += 1
        byteCount += bytes.count
    }

    /// A sync has covered what was written before `sequence`.
    mutating func release(before sequence: UInt64) {
        let covered = writes.prefix { $0.sequence < sequence }
        byteCount -= covered.reduce(0) { $0 + $1.bytes.count }
        writes.removeFirst(covered.count)
    }

    mutating func releaseAll() {
        writes = []
        byteCount = 0
    }

    mutating func move(_ index: Int, by distance: Int64) { writes[index].offset += distance }

    /// Whether they are one run of appends up to the end of the file.
    func areTail(ofFileEndingAt end: Int64) -> Bool {
        guard var offset = writes.first?.offset else { return false }
        for write in writes {
            guard write.offset == offset else { return false }
            offset += Int64(write.bytes.count)
        }
        return offset == end
    }
}
