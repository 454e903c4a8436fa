internal import Glibc
public import Media
internal import Movie

extension ProjectFile {
    /// Writes into a project which part of it is exported. Its text stays as it is otherwise, with its comments, its
    /// order and its layout. Blocks shortly; reentrant.
    /// - Parameters:
    ///   - path: of the project, which is replaced as a whole or not at all.
    ///   - start: of the part (seconds of the film; nil: what the project says stays).
    ///   - end: of the part, likewise.
    /// - Throws: `invalid-project`, naming file, line and column; `invalid-project` too for a part that ends before it
    ///   begins; `no-such-file`, `not-permitted`, `in-use` where another program changed it meanwhile;
    ///   as `requireWritable`.
    public static func setRange(
        of path: String, from start: MediaTime?, to end: MediaTime?
    ) throws(MediaError) {
        let identity = FileIdentity(named: path)
        let bytes = try FileContents.project.read(path)
        let keys = [("in", start), ("out", end)].compactMap { key, time in
            time.map { (key, JSONValue.time($0)) }
        }
        let edited: [UInt8]
        do throws(JSONFailure) {
            edited = try JSONEdit(bytes, as: .json5).setting(keys)
        } catch { throw MediaError(error, in: path) }
        guard edited != bytes else { return }
        try requireWritable(path)
        // what is written can be read
        _ = try timeline(edited, name: path) { path, _ throws(JSONFailure) in path }
        var status = stat()
        let isThere = stat(path, &status) == 0
        do throws(MediaError) {
            try TemporaryOutput(path: path, replacing: identity).write(edited)
        } catch {
            guard error.code == .alreadyExists else { throw error }
            throw MediaError(
                code: .inUse, subject: path,
                message:
                    "\(path) was changed by another program at that moment; in and out are not saved: set them again."
            )
        }
        guard isThere else { return }
        // its owner, where the system lets us; then its rights, which a new owner takes away
        _ = chown(path, status.st_uid, status.st_gid)
        chmod(path, status.st_mode & 0o777)
    }

    /// Looks whether `setRange` could write the project.
    /// - Throws: `not-permitted` for one that nobody may write, or this user may not; `cannot-create` for a symbolic link;
    ///   `no-such-file`.
    public static func requireWritable(_ path: String) throws(MediaError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw MediaError(
                IOFailure(function: "lstat", errno: errno), attempt: "write \(path)", subject: path)
        }
        guard status.st_mode & S_IFMT != S_IFLNK else {
            throw MediaError(
                code: .cannotCreate, subject: path,
                message: "Will not write to \(path): it is a symbolic link; name the file itself.")
        }
        guard status.st_mode & 0o222 != 0, access(path, W_OK) == 0 else {
            throw MediaError(
                code: .notPermitted, subject: path, errno: EACCES,
                message:
                    "Will not write to \(path): it is protected from writing (chmod u+w allows it)."
            )
        }
    }
}
