internal import Glibc

/// A file that is written whole or not at all, never over a file unless asked.
struct WholeFile {
    let path: String
    let replacesExisting: Bool

    init(_ path: String, replacesExisting: Bool) throws(CommandFailure) {
        self.path = path
        self.replacesExisting = replacesExisting
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(
                .cannotCreate, "will not write to \(path): it is not a regular file")
        }
        if !replacesExisting {
            throw CommandFailure(
                .cannotCreate, "\(path) exists: choose another name, or give -y to replace it")
        }
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        let temporary = path + ".part"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = errno
                close(descriptor)
                unlink(temporary)
                throw failure(number)
            }
            rest = rest.dropFirst(count)
        }
        guard close(descriptor) == 0, rename(temporary, path) == 0 else {
            let number = errno
            unlink(temporary)
            throw failure(number)
        }
    }

    private func failure(_ number: Int32) -> CommandFailure {
        CommandFailure(
            number == ENOSPC || number == EIO ? .ioError : .cannotCreate,
            "cannot write \(path): \(String(cString: strerror(number)))")
    }
}
