internal import Glibc
package import Media
package import Movie

/// A file that grows under a temporary name in the folder of the final one, and gets that name when it
/// is complete. Nothing is written through a symbolic link and, unless asked, over anything; a file that
/// is to be replaced is locked as long as the value lives, so that nobody begins to write it.
package struct TemporaryOutput: Sendable {
    /// The name the file gets.
    package let path: String
    /// The name it has while it grows: the same each time, so that it can be resumed.
    package let temporaryPath: String
    /// Where an earlier run's part lies while this one copies it.
    let earlierPath: String
    /// Where the complete film is copied to with its index in front.
    let frontPath: String
    let overwrites: Bool
    /// The only file that may be replaced; `nil`: any, where one may.
    private var replaced: FileIdentity?
    /// Of the file that is replaced.
    private let old: FileLock?
    private let growing = GrowingLock()

    /// The lock of the file that grows, from its creation until it has its name. Thread-safe.
    private final class GrowingLock: Sendable {
        let lock = Lock<FileLock?>(nil)
    }

    /// - Throws: `alreadyExists`, `cannotCreate`, `inUse` when the file is being written.
    package init(path: String, overwrites: Bool) throws(MediaError) {
        try self.init(path: path, overwrites: overwrites, role: .new)
    }

    /// A file that takes the place of one of its writer's own and of no other.
    /// - Parameter own: the file that has the name; `nil`: none may.
    /// - Throws: as `init(path:overwrites:)`.
    package init(path: String, replacing own: FileIdentity?) throws(MediaError) {
        try self.init(path: path, overwrites: own != nil, role: .new)
        replaced = own
    }

    /// Whether a film can be made there now, as far as that is known before.
    /// - Throws: as `init(path:overwrites:)`.
    package static func check(_ path: String, overwrites: Bool) throws(MediaError) {
        _ = try Self(path: path, overwrites: overwrites, role: .part)
    }

    /// - Parameter role: whether an equal run continues with what is left of this one (`.part`).
    init(path: String, overwrites: Bool, role: TemporaryName.Role) throws(MediaError) {
        self.path = path
        self.overwrites = overwrites
        temporaryPath = TemporaryName.path(for: path, role)
        earlierPath = TemporaryName.path(for: path, .earlier)
        frontPath = TemporaryName.path(for: path, .front)
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard !name.isEmpty, name.lastIndex(of: ".") != name.startIndex else {
            throw MediaError(
                code: .cannotCreate, subject: path,
                message: "Will not write to \(path): the name has nothing before its ending.")
        }
        guard name.utf8.count <= TemporaryName.longest else {
            throw MediaError(
                code: .cannotCreate, subject: path,
                message: "Will not write to \(path): the name has \(name.utf8.count) bytes; choose "
                    + "one of at most \(TemporaryName.longest).")
        }
        try Self.checkTarget(path, overwrites: overwrites)
        do throws(IOFailure) {
            old = overwrites ? try FileLock(locking: path) : nil
        } catch { throw MediaError(error, attempt: "replace \(path)", subject: path) }
        // refused early; the writer takes the lock
        do throws(IOFailure) { try FileLock.requireFree(temporaryPath) } catch { throw busy }
    }

    private static func checkTarget(_ path: String, overwrites: Bool) throws(MediaError) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        switch info.st_mode & S_IFMT {
        case S_IFREG:
            if overwrites { return }
            throw taken(path)
        case S_IFLNK:
            throw MediaError(
                code: .cannotCreate, subject: path,
                message:
                    "Will not write to \(path): it is a symbolic link; name the file itself.")
        default:
            throw MediaError(
                code: .cannotCreate, subject: path,
                message: "Will not write to \(path): it is not a regular file.")
        }
    }

    /// Keeps others from taking the growing file over until it has its name.
    package func keep(_ lock: FileLock?) { growing.lock.withLock { $0 = lock } }

    /// The same where the file was begun just now.
    /// - Throws: `alreadyExists` where another program that wrote there has finished since the name was looked at.
    package func begin(_ lock: FileLock?) throws(MediaError) {
        keep(lock)
        try Self.checkTarget(path, overwrites: overwrites)
    }

    /// The lock of what an earlier run left under one of the names; `nil` when there is nothing.
    /// - Throws: `in-use` when it is not left, but being written.
    func lockLeft(_ name: String) throws(MediaError) -> FileLock? {
        do throws(IOFailure) { return try FileLock(locking: name) } catch {
            guard error.errno == EWOULDBLOCK else { return nil }
            throw busy
        }
    }

    private var busy: MediaError {
        let holder = LockHolder.name(ofFileAt: temporaryPath).map { ", \($0)" } ?? ""
        return MediaError(
            code: .inUse, subject: path, errno: EWOULDBLOCK,
            message: "\(path) is being exported by another program\(holder); wait for it, or "
                + "choose another name.")
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
    func putIndexInFront() throws(MediaError) -> Int64 {
        let copy = try NetworkLayout.copy(temporaryPath, to: frontPath)
        // the copy is on the disk; a crash here leaves one of the two, each a whole film
        guard rename(frontPath, temporaryPath) == 0 else {
            let number = errno
            unlink(frontPath)
            throw nameless(IOFailure(function: "rename", errno: number))
        }
        keep(copy.lock)
        return copy.size
    }

    /// Holds the temporary name while what is to be written is still being made.
    func reserved<Result>(
        _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        do throws(MediaError) {
            let file = try DurableFile(creating: temporaryPath, existing: .replace, policy: .never)
            try begin(file.keepLock())
            file.close()
        } catch { throw named(error) }
        defer {
            discard()
            keep(nil)
        }
        return try body()
    }

    /// Writes all of a small file and gives it its name; both are on the disk then, or nothing is left of it.
    package func write(_ bytes: [UInt8]) throws(MediaError) {
        do throws(MediaError) {
            let file = try DurableFile(creating: temporaryPath, existing: .replace, policy: .never)
            defer { file.close() }
            keep(file.keepLock())
            try file.append(bytes)
            try file.synchronize()
            // closing gives room back: from its name on the file may be another program's to change
            file.close()
            do throws(IOFailure) { try takeName() } catch {
                if error.errno == EEXIST { throw Self.taken(path) }
                throw MediaError(error, attempt: "write \(path)", subject: path)
            }
        } catch {
            discard()
            throw named(error)
        }
    }

    /// Of the file that is written: nobody asked for the temporary name.
    package func named(_ error: MediaError) -> MediaError {
        guard [temporaryPath, frontPath].contains(error.subject), error.errno != 0 else {
            return error
        }
        if error.errno == EWOULDBLOCK { return busy }
        return MediaError(
            IOFailure(function: error.function, errno: error.errno), attempt: "write \(path)",
            subject: path)
    }

    /// Looks whether the complete file is where it was written. One that was moved or deleted meanwhile gets a name
    /// of its own.
    /// - Throws: `ioError`, which says where it is then.
    func checkPlace() throws(MediaError) {
        guard let lock = growing.lock.withLock({ $0 }),
            FileIdentity(named: temporaryPath) != lock.identity
        else { return }
        let rest: String
        do throws(IOFailure) {
            rest = "what was made is complete as \(try lock.save(as: path))"
        } catch { rest = "it is lost (\(String(cString: strerror(error.errno))))" }
        keep(nil)
        throw MediaError(
            code: .ioError, subject: path,
            message: "\(path) was moved or deleted, or its folder was, while it was made; \(rest).")
    }

    /// Gives the complete file its name; the folder is synced, so that the name survives a power cut. Where
    /// it cannot have it, it gets one of its own: hours may have gone into it.
    package func complete() throws(MediaError) {
        try checkPlace()
        do throws(IOFailure) { try takeName() } catch {
            if error.errno == EEXIST { throw takenMeanwhile }
            throw nameless(error)
        }
    }

    private func takeName() throws(IOFailure) {
        if overwrites {
            let expected = old?.identity
            try NameChange.give(temporaryPath, name: path) { displaced, file throws(IOFailure) in
                if let replaced, file != replaced {
                    throw IOFailure(function: "renameat2", errno: EEXIST)
                }
                // what has come there since is replaced too, but not while somebody writes it
                if file != expected { _ = try FileLock(locking: displaced) }
            }
        } else {
            try NameChange.give(temporaryPath, newName: path)
        }
        sync()
    }

    private func sync() {
        keep(nil)
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Removes what has grown so far.
    package func discard() {
        if let own = growing.lock.withLock({ $0 }) {
            // its folder may have been moved
            NameChange.remove(own.place ?? temporaryPath, of: own.identity)
        } else {
            Self.removeLeft(temporaryPath)
        }
        discardFront()
    }

    /// Removes what a killed process left of a film.
    package static func removeLeft(ofFilm path: String) {
        for role in [TemporaryName.Role.part, .earlier, .front] {
            removeLeft(TemporaryName.path(for: path, role))
        }
    }

    /// Removes what a crash left of a copy.
    func discardFront() { Self.removeLeft(frontPath) }

    private static func removeLeft(_ path: String) {
        guard let lock = try? FileLock(locking: path) else { return }
        NameChange.remove(path, of: lock.identity)
    }

    private func nameless(_ failure: IOFailure) -> MediaError {
        if failure.errno == EWOULDBLOCK {
            return MediaError(
                failure, attempt: "give the finished film its name \(path)", subject: path)
        }
        return MediaError(
            code: failure.errno == ENOSPC ? .diskFull : .cannotCreate, function: failure.function,
            subject: path, errno: failure.errno,
            message: "Cannot give the finished film its name \(path): "
                + "\(String(cString: strerror(failure.errno))); it is complete as \(kept())."
        )
    }

    /// Where what was made is found, because it could not have its name.
    private func kept() -> String {
        guard let saved = try? SavedFile.keep(temporaryPath, as: path) else { return temporaryPath }
        keep(nil)
        return saved
    }

    /// A file came there while this one grew. The error is about the one that was made.
    private var takenMeanwhile: MediaError {
        let kept = kept()
        return MediaError(
            code: .alreadyExists, subject: kept,
            message: "\(path) exists: choose another name, or give -y to replace it; what was made "
                + "is complete as \(kept).")
    }

    static func taken(_ path: String) -> MediaError {
        MediaError(
            code: .alreadyExists, subject: path,
            message: "\(path) exists: choose another name, or give -y to replace it.")
    }
}
