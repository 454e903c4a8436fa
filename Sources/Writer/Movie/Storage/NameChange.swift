internal import CLinux
internal import Glibc

/// Gives files names without ever destroying a file that nobody spoke of: the name is exchanged, and only
/// then is it looked which file lost it. Checking a name before a `rename` would leave a moment in
/// between.
package enum NameChange {
    /// Makes a file of all of the bytes beside where it is to be, then has it named; nothing is left of it where
    /// that fails.
    /// - Parameters:
    ///   - isDurable: whether bytes and name are on the disk when this returns.
    ///   - give: names the file of the path that is given.
    package static func write(
        _ bytes: [UInt8], for path: String, isDurable: Bool,
        naming give: (_ made: String) throws(IOFailure) -> Void
    ) throws(IOFailure) {
        let made = TemporaryName.path(for: path, .new)
        let file = try SystemFileIO(creating: made, existing: .replace)
        defer { file.close() }
        do throws(IOFailure) {
            try file.writeAll(bytes, at: 0)
            if isDurable { try file.synchronize() }
            try give(made)
        } catch {
            unlink(made)
            throw error
        }
        if isDurable { try? file.synchronizeName() }
    }

    /// Gives a file a name that nothing has.
    /// - Throws: `EEXIST` when something has it.
    package static func give(_ path: String, newName name: String) throws(IOFailure) {
        if renameat2(AT_FDCWD, path, AT_FDCWD, name, UInt32(RENAME_NOREPLACE)) == 0 { return }
        guard isUnknown(errno) else { throw IOFailure(function: "renameat2", errno: errno) }
        // a link is refused where the name is taken, a rename would replace
        if link(path, name) == 0 {
            unlink(path)
            return
        }
        guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS else {
            throw IOFailure(function: "link", errno: errno)
        }
        guard FileIdentity(named: name) == nil else {
            throw IOFailure(function: "rename", errno: EEXIST)
        }
        try plainly(path, name)
    }

    /// Gives a file a name, whose old file goes if it may.
    /// - Parameter mayReplace: asked about the file that had the name, which has the path now that is
    ///   given; what it throws is thrown when everything is again as it was.
    package static func give(
        _ path: String, name: String,
        mayReplace: (_ displaced: String, FileIdentity) throws(IOFailure) -> Void
    ) throws(IOFailure) {
        for _ in 0..<64 {
            do throws(IOFailure) {
                return try give(path, newName: name)
            } catch {
                guard error.errno == EEXIST else { throw error }
            }
            if renameat2(AT_FDCWD, path, AT_FDCWD, name, UInt32(RENAME_EXCHANGE)) == 0 {
                return try settle(path, name, mayReplace)
            }
            if errno == ENOENT, FileIdentity(named: path) != nil { continue }
            guard isUnknown(errno) else { throw IOFailure(function: "renameat2", errno: errno) }
            if let old = FileIdentity(named: name) {
                try mayReplace(name, old)
                return try plainly(path, name)
            }
        }
        throw IOFailure(function: "renameat2", errno: EEXIST)
    }

    /// The exchange is done: the old file goes, or gets its name back.
    private static func settle(
        _ path: String, _ name: String,
        _ mayReplace: (_ displaced: String, FileIdentity) throws(IOFailure) -> Void
    ) throws(IOFailure) {
        guard let old = FileIdentity(named: path) else { return }
        do throws(IOFailure) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw IOFailure(function: "renameat2", errno: EEXIST)
            }
            try mayReplace(path, old)
        } catch {
            _ = renameat2(AT_FDCWD, path, AT_FDCWD, name, UInt32(RENAME_EXCHANGE))
            throw error
        }
        unlink(path)
    }

    /// Removes a name if it is this file's, and leaves any other file its name.
    package static func remove(_ path: String, of file: FileIdentity) {
        let aside = TemporaryName.path(for: path, .removed)
        guard FileIdentity(named: path) == file else { return }
        do throws(IOFailure) { try give(path, newName: aside) } catch {
            unlink(path)
            return
        }
        if FileIdentity(named: aside) == file {
            unlink(aside)
        } else {
            try? give(aside, newName: path)
        }
    }

    private static func plainly(_ path: String, _ name: String) throws(IOFailure) {
        guard rename(path, name) == 0 else { throw IOFailure(function: "rename", errno: errno) }
    }

    /// Whether the file system does not know the call.
    private static func isUnknown(_ number: Int32) -> Bool {
        number == EINVAL || number == ENOSYS || number == EOPNOTSUPP
    }
}
