internal import Glibc
internal import Writer

/// A file that grows under a temporary name in the folder of the final one, and gets that name when it
/// is complete. Nothing is written through a symbolic link and, unless asked, over anything.
struct TemporaryOutput: Sendable {
    /// The name the file gets.
    let path: String
    /// The name it has while it grows: the same each time, so that it can be gone on with.
    let temporaryPath: String
    /// Where an earlier run's part lies while this one copies it.
    let earlierPath: String
    /// Where the complete film is copied to with its index in front.
    let frontPath: String
    let overwrites: Bool

    /// - Throws: `alreadyExists`, `cannotCreate`.
    init(path: String, overwrites: Bool) throws(ComposeError) {
        self.path = path
        self.overwrites = overwrites
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        temporaryPath = "\(folder).\(name[..<dot]).part\(name[dot...])"
        earlierPath = "\(folder).\(name[..<dot]).earlier\(name[dot...])"
        frontPath = "\(folder).\(name[..<dot]).front\(name[dot...])"
        guard !name.isEmpty, dot != name.startIndex else {
            throw refusal(.cannotCreate, "the name has nothing before its ending")
        }
        try checkTarget()
    }

    private func checkTarget() throws(ComposeError) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        switch info.st_mode & S_IFMT {
        case S_IFREG:
            if overwrites { return }
            throw ComposeError(
                code: .alreadyExists, subject: path,
                message: "\(path) exists: choose another name, or give -y to replace it.")
        case S_IFLNK:
            throw refusal(.cannotCreate, "it is a symbolic link; name the file itself")
        default: throw refusal(.cannotCreate, "it is not a regular file")
        }
    }

    /// Keeps other exports from taking the growing file over, as long as the result lives.
    func lock() -> OutputLock? { OutputLock(temporaryPath) }

    /// - Throws: `already-exists` when another program is writing there.
    func refuseIfLocked() throws(ComposeError) {
        let descriptor = open(temporaryPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        throw ComposeError(
            code: .alreadyExists, subject: path,
            message: "\(path) is being exported by another program; wait for it, or choose "
                + "another name.")
    }

    /// Which of `inputs` is the very file that would be written, by file and not by name.
    func collision(with inputs: [String]) -> String? {
        var own = stat()
        guard stat(path, &own) == 0 else { return nil }
        return inputs.first { input in
            var other = stat()
            return stat(input, &other) == 0 && other.st_dev == own.st_dev
                && other.st_ino == own.st_ino
        }
    }

    /// Puts the complete file's index in front of its samples, still under the temporary name.
    /// - Returns: the file's size (bytes).
    func putIndexInFront() throws(ComposeError) -> Int64 {
        let size: Int64
        do throws(WriterError) {
            size = try NetworkLayout.copy(temporaryPath, to: frontPath)
        } catch { throw ComposeError(error) }
        // the copy is on the disk; a crash here leaves one of the two, each a whole film
        guard rename(frontPath, temporaryPath) == 0 else {
            let number = errno
            unlink(frontPath)
            throw failure("rename", number)
        }
        return size
    }

    /// Gives the complete file its name; the folder is synced, so that the name survives a power cut.
    func complete() throws(ComposeError) {
        if overwrites {
            guard rename(temporaryPath, path) == 0 else { throw failure("rename", errno) }
        } else {
            // a link is refused where the name is taken meanwhile, a rename would replace it
            if link(temporaryPath, path) != 0 {
                let number = errno
                if number == EEXIST { try checkTarget() }
                guard number == EPERM || number == EOPNOTSUPP else { throw failure("link", number) }
                guard rename(temporaryPath, path) == 0 else { throw failure("rename", errno) }
            } else {
                unlink(temporaryPath)
            }
        }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Removes what has grown so far.
    func discard() {
        unlink(temporaryPath)
        unlink(frontPath)
    }

    /// Removes what a crash left of a copy.
    func discardFront() { unlink(frontPath) }

    private func failure(_ function: String, _ number: Int32) -> ComposeError {
        ComposeError(
            code: number == ENOSPC ? .diskFull : .cannotCreate, function: function, subject: path,
            errno: number,
            message: "Cannot give the finished film its name \(path): "
                + "\(String(cString: strerror(number))); it is complete as \(temporaryPath).")
    }

    private func refusal(_ code: ComposeError.Code, _ reason: String) -> ComposeError {
        ComposeError(
            code: code, subject: path, message: "Will not write to \(path): \(reason).")
    }
}

/// An advisory lock on a growing file, given back with the value.
final class OutputLock: Sendable {
    private let descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit { close(descriptor) }
}
