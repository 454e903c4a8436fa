internal import Glibc

/// The lock (`flock`) of those who write a file, on a file that is there. It is taken on the descriptor
/// that was opened, and only then is it looked whether the name is still that file's. Given back with
/// the value, and with the process.
package final class FileLock: Sendable {
    /// The file that is locked.
    package let identity: FileIdentity
    /// Whether the lock is there; file systems without locks are used without.
    package let isHeld: Bool
    private let descriptor: Int32
    private let users: LockUsers?

    /// Locks the regular file of this name; of its contents nothing changes.
    /// - Returns: `nil` when there is no such file.
    /// - Throws: `EWOULDBLOCK` when somebody else writes it, `ELOOP` of a symbolic link, `EISDIR`,
    ///   `EEXIST` of anything else that is no regular file.
    package init?(locking path: String) throws(IOFailure) {
        var opened: Opened?
        // a name that is given to other files all the time is somebody else's
        for _ in 0..<16 {
            guard let next = try FileLock.open(path) else { return nil }
            if FileIdentity(named: path) == FileIdentity(next.status) {
                opened = next
                break
            }
            Glibc.close(next.descriptor)
        }
        guard let opened else { throw IOFailure(function: "flock", errno: EWOULDBLOCK) }
        descriptor = opened.descriptor
        identity = FileIdentity(opened.status)
        isHeld = opened.isLocked
        users = isHeld ? LockUsers() : nil
    }

    private struct Opened {
        let descriptor: Int32
        let status: stat
        let isLocked: Bool
    }

    /// Keeps the lock that an open file has, for longer than the file is open.
    init?(keeping locked: Int32, of users: LockUsers?) {
        let copy = fcntl(locked, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let identity = FileIdentity(descriptor: copy) else { return nil }
        descriptor = copy
        self.identity = identity
        isHeld = true
        self.users = users
        users?.join()
    }

    deinit {
        users?.leave(descriptor)
        Glibc.close(descriptor)
    }

    /// Where the file lies now; `nil` where it has no name, or the system does not say.
    package var place: String? {
        guard let io = try? SystemFileIO(duplicating: descriptor, of: users) else { return nil }
        defer { io.close() }
        return io.place
    }

    /// Gives the file, which has been moved or deleted, a name by which it is found (see `SavedFile`). Blocks.
    /// - Parameter path: the name that it was to have.
    /// - Returns: where it lies.
    package func save(as path: String) throws(IOFailure) -> String {
        let io = try SystemFileIO(duplicating: descriptor, of: users)
        defer { io.close() }
        if let place = io.place { return try SavedFile.keep(place, as: path) }
        return try SavedFile.save(io, of: path)
    }

    /// Whether somebody writes the file of this name. Only for refusing early: the writer takes
    /// the lock.
    /// - Throws: `EWOULDBLOCK` when somebody does.
    package static func requireFree(_ path: String) throws(IOFailure) {
        do throws(IOFailure) { _ = try FileLock(locking: path) } catch {
            if error.errno == EWOULDBLOCK { throw error }
        }
    }

    private static func open(_ path: String) throws(IOFailure) -> Opened? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw IOFailure(function: "open", errno: errno)
        }
        try requireRegular(status)
        // network file systems lock only what may be written; O_NONBLOCK: a FIFO may have come between
        let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        var descriptor = Glibc.open(path, O_RDWR | flags)
        if descriptor < 0, errno == EACCES || errno == EROFS || errno == ETXTBSY {
            descriptor = Glibc.open(path, O_RDONLY | flags)
        }
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            // what may not even be read has no descriptor to lock: the kernel's list says
            if errno == EACCES, LockHolder.name(ofFileAt: path) != nil {
                throw IOFailure(function: "flock", errno: EWOULDBLOCK)
            }
            throw IOFailure(function: "open", errno: errno)
        }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw IOFailure(function: "open", errno: EEXIST)
        }
        // file systems without locks answer something else, and are used without
        let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        if !isLocked, errno == EWOULDBLOCK {
            Glibc.close(descriptor)
            throw IOFailure(function: "flock", errno: EWOULDBLOCK)
        }
        return Opened(descriptor: descriptor, status: status, isLocked: isLocked)
    }

    private static func requireRegular(_ status: stat) throws(IOFailure) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFLNK: throw IOFailure(function: "open", errno: ELOOP)
        case S_IFDIR: throw IOFailure(function: "open", errno: EISDIR)
        default: throw IOFailure(function: "open", errno: EEXIST)
        }
    }
}
