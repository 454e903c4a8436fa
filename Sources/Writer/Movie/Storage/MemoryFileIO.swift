internal import Glibc
internal import Media

/// A file in memory, for movies of a few seconds that become part of another file. Thread-safe.
package final class MemoryFileIO: FileIO {
    private let content = Lock<[UInt8]>([])

    package init() {}

    /// What was written so far.
    package var bytes: [UInt8] { content.withLock { $0 } }

    package func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) throws(IOFailure) -> Int {
        guard let start = Int(exactly: offset), start >= 0 else {
            throw IOFailure(function: "write", errno: EINVAL)
        }
        let given = Array(bytes)
        content.withLock { content in
            let end = start + given.count
            if content.count < end {
                content += [UInt8](repeating: 0, count: end - content.count)
            }
            content.replaceSubrange(start..<end, with: given)
        }
        return given.count
    }

    package func read(
        into bytes: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(IOFailure) -> Int {
        let part = content.withLock { content in
            let start = min(max(0, Int(clamping: offset)), content.count)
            return Array(content[start..<min(content.count, start + bytes.count)])
        }
        bytes.copyBytes(from: part)
        return part.count
    }

    package func synchronize() throws(IOFailure) {}

    package func synchronizeName() throws(IOFailure) {}

    package func allocate(from start: Int64, to end: Int64) throws(IOFailure) {}

    package func truncate(to size: Int64) throws(IOFailure) {
        content.withLock { content in
            let end = max(0, Int(clamping: size))
            if end < content.count { content.removeSubrange(end...) }
        }
    }

    package func size() throws(IOFailure) -> Int64 { Int64(content.withLock { $0.count }) }

    package func close() {}
}
