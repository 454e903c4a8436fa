internal import Glibc
internal import Media

/// A regular file, opened for reading by us and nobody else. Closes its descriptor exactly once.
/// Thread-bound.
final class FileBytes {
    let path: String
    /// Bytes.
    let count: Int64
    private let descriptor: Int32

    /// - Throws: `no-such-file`, `not-permitted`, `unsupported` for what is no regular file.
    init(_ path: String) throws(MediaError) {
        guard !path.utf8.contains(0) else {
            throw MediaError(
                code: .noSuchFile, subject: "",
                message: "Cannot open a file whose name holds a NUL character.")
        }
        // a FIFO without a writer must not block the open
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let number = Glibc.errno
            throw MediaError(
                code: number == EACCES || number == EPERM ? .notPermitted : .noSuchFile,
                function: "open", subject: path, errno: number,
                message: "Cannot open \(path): \(String(cString: strerror(number))).")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw MediaError(
                code: .unsupported, subject: path,
                message: "Cannot open \(path): it is not a regular file; copy it to one.")
        }
        self.path = path
        self.descriptor = descriptor
        count = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// As many of the bytes as there are.
    func readSome(at offset: Int64, _ wanted: Int) throws(MediaError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = 0
            while filled < wanted {
                let got = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, wanted - filled,
                    Int(offset) + filled)
                if got < 0, Glibc.errno == EINTR { continue }
                if got < 0 { failure = Glibc.errno }
                guard got > 0 else { return }
                filled += got
            }
        }
        guard failure == 0 else {
            throw MediaError(
                code: .ioError, function: "pread", subject: path, errno: failure,
                message: "Cannot read \(path): \(String(cString: strerror(failure))).")
        }
        return bytes
    }

    /// All of the bytes.
    /// - Throws: `damaged-file` where the file ends before, `over-limit` beyond `most`.
    func read(_ range: Range<Int64>, most: Int = .max) throws(MediaError) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= count else { throw .cutOff(path) }
        guard range.count <= most else {
            throw .overLimit(path, "a coded picture of \(range.count) bytes is")
        }
        let bytes = try readSome(at: range.lowerBound, range.count)
        guard bytes.count == range.count else { throw .cutOff(path) }
        return bytes
    }
}
