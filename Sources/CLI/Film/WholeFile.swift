internal import Glibc
import Media
import Movie

/// A file that is written whole or not at all, never over a file unless asked, and never over one that
/// another process is writing.
struct WholeFile {
    let path: String
    let replacesExisting: Bool
    /// Of the file that is replaced, as long as the value lives.
    private let old: FileLock?

    init(_ path: String, replacesExisting: Bool) throws(CommandFailure) {
        self.path = path
        self.replacesExisting = replacesExisting
        var info = stat()
        if lstat(path, &info) == 0 {
            guard info.st_mode & S_IFMT == S_IFREG else {
                throw CommandFailure(
                    .cannotCreate, "will not write to \(path): it is not a regular file")
            }
            if !replacesExisting { throw Self.taken(path) }
        }
        do throws(IOFailure) {
            old = replacesExisting ? try FileLock(locking: path) : nil
        } catch {
            throw CommandFailure(
                MediaError(error, attempt: "replace \(path)", subject: path), while: .writing)
        }
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do throws(IOFailure) {
            try NameChange.write(bytes, for: path, isDurable: false, naming: giveName)
        } catch { throw failure(error) }
    }

    private func giveName(_ temporary: String) throws(IOFailure) {
        guard replacesExisting else {
            return try NameChange.give(temporary, newName: path)
        }
        let expected = old?.identity
        try NameChange.give(temporary, name: path) { displaced, file throws(IOFailure) in
            if file != expected { _ = try FileLock(locking: displaced) }
        }
    }

    private static func taken(_ path: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate, "\(path) exists: choose another name, or give -y to replace it")
    }

    private func failure(_ failure: IOFailure) -> CommandFailure {
        if failure.errno == EEXIST { return Self.taken(path) }
        if failure.errno == EWOULDBLOCK {
            let error = MediaError(failure, attempt: "replace \(path)", subject: path)
            return CommandFailure(error, while: .writing)
        }
        return CommandFailure(
            failure.errno == ENOSPC || failure.errno == EIO ? .ioError : .cannotCreate,
            "cannot write \(path): \(String(cString: strerror(failure.errno)))")
    }
}
