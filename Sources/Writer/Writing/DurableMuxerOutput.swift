internal import LibAV
internal import Media

/// A muxer's bytes into a durable file: at the end by appending, before it by overwriting.
/// Thread-bound: the writing thread.
final class DurableMuxerOutput: MuxerOutput {
    private let file: DurableFile
    /// Whether the room reserved for finishing may be used.
    var isFinishing = false

    init(file: DurableFile) { self.file = file }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        let known = max(0, min(Int64(bytes.count), file.logicalEnd - offset))
        if known > 0 {
            try file.overwrite(
                Array(bytes[..<Int(known)]), at: file.physicalOffset(ofLogical: offset))
        }
        guard known < bytes.count else { return }
        try file.append(Array(bytes[Int(known)...]), usingReserve: isFinishing)
    }
}
