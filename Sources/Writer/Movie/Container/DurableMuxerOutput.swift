internal import LibAV
internal import Media

/// A muxer's bytes into a durable file: at the end by appending, before it by overwriting.
/// Thread-bound: the writing thread.
final class DurableMuxerOutput: MuxerOutput {
    private let file: DurableFile
    private var isFinishing = false
    /// What is kept from the file for now, and where it begins.
    private var kept: (offset: Int64, bytes: [UInt8])?
    /// What a full disk did not take.
    private var refused: [UInt8] = []

    init(file: DurableFile) { self.file = file }

    /// From now on the room reserved for finishing may be used.
    func finish() { isFinishing = true }

    /// Keeps what is appended from here on, instead of writing it.
    func beginKeeping() { kept = (file.logicalEnd, []) }

    /// - Returns: what would have been written since.
    func endKeeping() -> [UInt8] {
        defer { kept = nil }
        return kept?.bytes ?? []
    }

    /// What the muxer writes meanwhile is in the file all or none: a full disk tears no element, and finds nothing that
    /// the muxer does not know.
    /// - Returns: how much that was (bytes).
    @discardableResult
    func whole(_ body: () throws -> Void) throws -> Int {
        guard kept == nil else {
            try body()
            return 0
        }
        beginKeeping()
        let outcome = Result(catching: body)
        let bytes = endKeeping()
        try append(bytes)
        try outcome.get()
        return bytes.count
    }

    /// Writes at the end of the file.
    func append(_ bytes: [UInt8]) throws {
        if kept != nil {
            kept?.bytes += bytes
            return
        }
        guard !bytes.isEmpty else { return }
        do { try file.append(bytes, usingReserve: isFinishing) } catch {
            refused += bytes
            throw error
        }
    }

    /// Writes what a full disk did not take, into the room that was reserved for it.
    func appendRefused() throws {
        let bytes = refused
        refused = []
        try append(bytes)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        if let kept, offset == kept.offset + Int64(kept.bytes.count) {
            self.kept?.bytes += bytes
            return
        }
        if let kept, offset >= kept.offset, offset < kept.offset + Int64(kept.bytes.count) {
            let place = Int(offset - kept.offset)
            let count = min(bytes.count, kept.bytes.count - place)
            self.kept?.bytes.replaceSubrange(place..<place + count, with: bytes[..<count])
            self.kept?.bytes += bytes[count...]
            return
        }
        let known = max(0, min(Int64(bytes.count), file.logicalEnd - offset))
        if known > 0 {
            try file.overwrite(
                Array(bytes[..<Int(known)]), at: file.physicalOffset(ofLogical: offset))
        }
        guard known < bytes.count else { return }
        try file.append(Array(bytes[Int(known)...]), usingReserve: isFinishing)
    }
}
