internal import Glibc

/// Reads a small text file whole.
enum SmallFile {
    enum Outcome: Sendable, Equatable {
        case bytes([UInt8])
        case absent
        /// It is there but cannot be read; the system's reason.
        case unreadable(String)
    }

    /// Reads a regular file of at most `limit` bytes; never waits for a pipe or device.
    static func read(_ path: String, limit: Int) -> Outcome {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = errno
            return reason == ENOENT || reason == ENOTDIR
                ? .absent : .unreadable(String(cString: strerror(reason)))
        }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            return .unreadable("it is not a regular file")
        }
        guard info.st_size <= limit else {
            return .unreadable("it is larger than \(limit) bytes")
        }
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), limit - count)
            }
            if got < 0 { return .unreadable(String(cString: strerror(errno))) }
            if got == 0 { break }
            count += got
        }
        return .bytes(Array(bytes.prefix(count)))
    }
}
