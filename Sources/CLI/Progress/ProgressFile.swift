internal import Glibc
import Media
import Movie

/// A file, pipe or terminal that progress reports go to.
struct ProgressFile {
    let path: String
    let replacesExisting: Bool

    init(_ path: String, replacesExisting: Bool) {
        self.path = path
        self.replacesExisting = replacesExisting
    }

    /// Opens without cutting: what is there is looked at, locked, and only then made empty.
    /// - Returns: a descriptor, the caller's to close.
    func open() throws(CommandFailure) -> Int32 {
        let flags = O_CLOEXEC | O_NOFOLLOW
        let created = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | flags, 0o666)
        if created >= 0 {
            // held as long as reports are written
            flock(created, LOCK_EX | LOCK_NB)
            return created
        }
        guard errno == EEXIST else { throw refusal(errno) }
        let descriptor = try openEarlier()
        guard isRegular(descriptor), ftruncate(descriptor, 0) != 0 else { return descriptor }
        let number = errno
        close(descriptor)
        throw refusal(number)
    }

    /// Whether `open` would do it; makes and changes nothing.
    func check() throws(CommandFailure) {
        var info = stat()
        if lstat(path, &info) == 0 {
            close(try openEarlier())
            return
        }
        guard errno == ENOENT else { throw refusal(errno) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else { throw refusal(errno) }
    }

    private func openEarlier() throws(CommandFailure) -> Int32 {
        var info = stat()
        guard lstat(path, &info) == 0 else { throw refusal(errno) }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return try openReport()
        case S_IFLNK: throw refusal("it is a symbolic link; name the file itself")
        default:
            let descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw refusal(errno) }
            return descriptor
        }
    }

    private func openReport() throws(CommandFailure) -> Int32 {
        guard replacesExisting else { throw refusal("it exists; choose another or give -y") }
        let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw refusal(errno) }
        do throws(CommandFailure) {
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                let busy = IOFailure(function: "flock", errno: EWOULDBLOCK)
                let error = MediaError(
                    busy, attempt: "write progress to \(path)", subject: path)
                throw CommandFailure(error, while: .writing)
            }
            guard isReport(descriptor) else {
                throw refusal("it is no progress report; choose another name")
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private func isRegular(_ descriptor: Int32) -> Bool {
        var info = stat()
        return fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    }

    /// Whether an open file is a regular one that begins as our reports do, in either form, or is empty.
    private func isReport(_ descriptor: Int32) -> Bool {
        guard isRegular(descriptor) else { return false }
        var head = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &head, head.count, 0)
        guard count >= 0 else { return false }
        let begins = { (text: String) in head[..<count].starts(with: text.utf8) }
        return count == 0 || begins("frame=") || begins("{\"frame\":")
    }

    private func refusal(_ number: Int32) -> CommandFailure {
        refusal(String(cString: strerror(number)))
    }

    private func refusal(_ reason: String) -> CommandFailure {
        CommandFailure(.cannotCreate, "will not write progress to \(path): \(reason)")
    }
}
