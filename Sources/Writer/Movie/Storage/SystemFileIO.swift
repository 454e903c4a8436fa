internal import CLinux
internal import Glibc

/// A regular file on a real file system. Thread-safe.
package final class SystemFileIO: FileIO {
    /// What happens to a file that is there already.
    package enum Existing: Sendable {
        /// Creating fails.
        case refuse
        /// The old file is removed; a symbolic link, and a file that somebody else writes, are refused.
        case replace
    }

    /// Most pieces that one call takes (`IOV_MAX`).
    private static let mostVectors = 1024

    private let descriptor: Int32
    private let folder: String
    /// `nil` of a file that is not locked.
    private let users: LockUsers?

    /// Creates a file, readable and writable, never through a symbolic link, and keeps it for
    /// ourselves (see `init(opening:writable:)`).
    package init(creating path: String, existing: Existing) throws(IOFailure) {
        folder = SystemFileIO.folder(of: path)
        // the old file's lock is held until the new one has its own
        let old = existing == .replace ? try FileLock(locking: path) : nil
        if let old { NameChange.remove(path, of: old.identity) }
        (descriptor, users) = try SystemFileIO.create(path)
        withExtendedLifetime(old) {}
    }

    /// How often a new file is made, and looked at again, whose name or lock another program has for a moment.
    private static let creations = (files: 16, looks: 50)

    /// A new file and its lock. Between the two another program may take it for what a killed one has left
    /// (`StaleParts`): one that it removes is made again, one that it only looks at is waited for (50 ms).
    private static func create(_ path: String) throws(IOFailure) -> (Int32, LockUsers?) {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        for _ in 0..<creations.files {
            let opened = try open(path, flags: flags)
            var looks = 0
            while flock(opened, LOCK_EX | LOCK_NB) != 0 {
                // a file system without locks
                guard errno == EWOULDBLOCK else { return (opened, nil) }
                looks += 1
                guard looks < creations.looks else {
                    Glibc.close(opened)
                    throw IOFailure(function: "flock", errno: EWOULDBLOCK)
                }
                usleep(1000)
            }
            var status = stat()
            if fstat(opened, &status) == 0, status.st_nlink > 0 { return (opened, LockUsers()) }
            Glibc.close(opened)
        }
        throw IOFailure(function: "flock", errno: EWOULDBLOCK)
    }

    private init(descriptor: Int32, folder: String, users: LockUsers?) {
        self.descriptor = descriptor
        self.folder = folder
        self.users = users
        users?.join()
    }

    /// The same open file, with its lock, closed by itself.
    package func duplicate() throws(IOFailure) -> SystemFileIO {
        try SystemFileIO(duplicating: descriptor, folder: folder, of: users)
    }

    /// - Parameters:
    ///   - folder: that is synced with a name.
    ///   - users: of the file's lock.
    convenience init(
        duplicating descriptor: Int32, folder: String = ".", of users: LockUsers?
    ) throws(IOFailure) {
        let copy = try SystemFileIO.retrying("fcntl") {
            Int(fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
        }
        self.init(descriptor: Int32(copy), folder: folder, users: users)
    }

    package func keepLock() -> FileLock? { FileLock(keeping: descriptor, of: users) }

    /// What the system says of the open file.
    func status() throws(IOFailure) -> stat {
        var status = stat()
        _ = try SystemFileIO.retrying("fstat") { Int(fstat(descriptor, &status)) }
        return status
    }

    /// The open file under `/proc`, which names it though it may have no name.
    var processPath: String { "/proc/self/fd/\(descriptor)" }

    /// Where the file lies now, as the kernel says; `nil`: it has no name any more, or none that is UTF-8.
    var place: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(processPath, &buffer, buffer.count)
        guard count > 0, count < buffer.count, let status = try? status() else { return nil }
        let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
        guard let path = String(validating: bytes, as: UTF8.self) else { return nil }
        return FileIdentity(named: path) == FileIdentity(status) ? path : nil
    }

    /// Copies all of the file, without reading it where the system can.
    func copyContent(to other: SystemFileIO) throws(IOFailure) {
        var (from, to) = (off_t(0), off_t(0))
        while true {
            let count = copy_file_range(descriptor, &from, other.descriptor, &to, 1 << 30, 0)
            if count > 0 || count < 0 && errno == EINTR { continue }
            if count == 0 { return }
            guard from == 0, [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else {
                throw IOFailure(function: "copy_file_range", errno: errno)
            }
            break
        }
        while case let bytes = try readAll(1 << 20, at: Int64(from)), !bytes.isEmpty {
            try other.writeAll(bytes, at: Int64(from))
            from += bytes.count
        }
    }

    /// Opens a regular file that is there. Of those who open it to write, one has it at a time
    /// (`flock`): a movie that is being recorded cannot be repaired, nor one be repaired twice at
    /// once. The lock ends with the process, however that ends.
    /// - Throws: `EWOULDBLOCK` when somebody else is writing it.
    package init(opening path: String, writable: Bool) throws(IOFailure) {
        folder = SystemFileIO.folder(of: path)
        // O_NONBLOCK: a FIFO that poses as a movie must not hang the caller
        let flags = (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK
        let opened = try SystemFileIO.open(path, flags: flags)
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(opened)
            throw IOFailure(function: "open", errno: EINVAL)
        }
        if writable {
            users = try SystemFileIO.lock(opened)
            // a repair that ended meanwhile has given the name to another file
            var named = stat()
            guard stat(path, &named) == 0, named.st_ino == status.st_ino else {
                users?.leave(opened)
                Glibc.close(opened)
                throw IOFailure(function: "flock", errno: EWOULDBLOCK)
            }
        } else {
            users = nil
        }
        descriptor = opened
    }

    /// Gives the file another one's access bits and, where the system allows it, owner.
    package func adoptOwnership(of path: String) throws(IOFailure) {
        var status = stat()
        _ = try SystemFileIO.retrying("stat") { Int(stat(path, &status)) }
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        _ = try SystemFileIO.retrying("fchmod") { Int(fchmod(descriptor, status.st_mode & 0o777)) }
    }

    package func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) throws(IOFailure) -> Int {
        try SystemFileIO.retrying("pwrite") {
            pwrite(descriptor, bytes.baseAddress, bytes.count, Int(offset))
        }
    }

    package func write(
        _ pieces: [UnsafeRawBufferPointer], at offset: Int64
    ) throws(IOFailure) -> Int {
        if pieces.count == 1 { return try write(pieces[0], at: offset) }
        let vectors = pieces.prefix(Self.mostVectors).map {
            // the call reads what the pointer shows and never writes there
            iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
        }
        return try SystemFileIO.retrying("pwritev") {
            pwritev(descriptor, vectors, Int32(vectors.count), Int(offset))
        }
    }

    package func read(
        into bytes: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(IOFailure) -> Int {
        try SystemFileIO.retrying("pread") {
            pread(descriptor, bytes.baseAddress, bytes.count, Int(offset))
        }
    }

    package func synchronize() throws(IOFailure) {
        _ = try SystemFileIO.retrying("fdatasync") { Int(fdatasync(descriptor)) }
    }

    package func synchronizeName() throws(IOFailure) {
        let opened = try SystemFileIO.open(folder, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { Glibc.close(opened) }
        _ = try SystemFileIO.retrying("fsync") { Int(fsync(opened)) }
    }

    package func beginWriting(from start: Int64, to end: Int64) {
        // what keeps it from that is met by the sync
        _ = sync_file_range(descriptor, Int(start), Int(end - start), UInt32(SYNC_FILE_RANGE_WRITE))
    }

    package func allocate(from start: Int64, to end: Int64) throws(IOFailure) {
        guard end > start else { return }
        _ = try SystemFileIO.retrying("fallocate") {
            Int(fallocate(descriptor, FALLOC_FL_KEEP_SIZE, Int(start), Int(end - start)))
        }
    }

    package func truncate(to size: Int64) throws(IOFailure) {
        _ = try SystemFileIO.retrying("ftruncate") { Int(ftruncate(descriptor, Int(size))) }
    }

    package func size() throws(IOFailure) -> Int64 {
        var status = stat()
        _ = try SystemFileIO.retrying("fstat") { Int(fstat(descriptor, &status)) }
        return Int64(status.st_size)
    }

    package func close() {
        users?.leave(descriptor)
        Glibc.close(descriptor)
    }

    private static func open(_ path: String, flags: Int32) throws(IOFailure) -> Int32 {
        Int32(try retrying("open") { Int(Glibc.open(path, flags, 0o666)) })
    }

    /// A descriptor that cannot be locked because another process has it is closed.
    /// - Returns: `nil` where the file system has no locks.
    private static func lock(_ descriptor: Int32) throws(IOFailure) -> LockUsers? {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return LockUsers() }
        guard errno == EWOULDBLOCK else { return nil }
        Glibc.close(descriptor)
        throw IOFailure(function: "flock", errno: EWOULDBLOCK)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func retrying(
        _ function: String, _ call: () -> Int
    ) throws(IOFailure) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw IOFailure(function: function, errno: number) }
        }
    }
}
