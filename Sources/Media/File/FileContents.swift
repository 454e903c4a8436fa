internal import Glibc

/// Reads a regular file whole; never waits for a pipe or device.
package struct FileContents: Sendable {
    /// What the file is, for messages, such as "project".
    let kind: String
    /// Bytes.
    let most: Int
    /// Of what is no such file.
    let refusal: MediaError.Code

    /// - Parameters:
    ///   - kind: for messages.
    ///   - most: how many bytes it can have.
    ///   - refusal: of what is no regular file, or a longer one.
    package init(_ kind: String, most: Int, refusal: MediaError.Code) {
        (self.kind, self.most, self.refusal) = (kind, most, refusal)
    }

    /// - Throws: `no-such-file`, `not-permitted`, `io-error`, and what is refused.
    package func read(_ path: String) throws(MediaError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("open", path, errno) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw failure("fstat", path, errno) }
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw refused(path, "\(path) is no regular file, so it is no \(kind)")
        }
        guard info.st_size <= most else {
            throw refused(
                path,
                "\(path) has \(info.st_size) bytes; a \(kind) has at most \(most / 1_000_000) MB")
        }
        var bytes = [UInt8](repeating: 0, count: Int(info.st_size))
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if got < 0 { throw failure("read", path, errno) }
            if got == 0 { break }
            count += got
        }
        return Array(bytes.prefix(count))
    }

    private func refused(_ path: String, _ message: String) -> MediaError {
        MediaError(code: refusal, subject: path, message: message)
    }

    private func failure(_ function: String, _ path: String, _ reason: Int32) -> MediaError {
        let code: MediaError.Code =
            switch reason {
            case ENOENT, ENOTDIR: .noSuchFile
            case EACCES, EPERM: .notPermitted
            default: .ioError
            }
        return MediaError(
            code: code, function: function, subject: path, errno: reason,
            message: "the \(kind) \(path) cannot be read: \(String(cString: strerror(reason)))")
    }
}
