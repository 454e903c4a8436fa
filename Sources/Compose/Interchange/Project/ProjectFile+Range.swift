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
    ///   begins; `no-such-file`, `not-permitted`, `already-exists` where another program changed it meanwhile.
    public static func setRange(
        of path: String, from start: MediaTime?, to end: MediaTime?
    ) throws(MediaError) {
        let identity = FileIdentity(named: path)
        let bytes = try ProjectBytes.read(path)
        let keys = [("in", start), ("out", end)].compactMap { key, time in
            time.map { (key, JSONValue.time($0)) }
        }
        let edited: [UInt8]
        do throws(JSONFailure) {
            edited = try JSONEdit(bytes, as: .json5).setting(keys)
        } catch { throw MediaError(error, in: path) }
        guard edited != bytes else { return }
        // what is written can be read
        _ = try timeline(edited, name: path) { path, _ throws(JSONFailure) in path }
        var status = stat()
        let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
        try TemporaryOutput(path: path, replacing: identity).write(edited)
        if let mode { chmod(path, mode) }
    }
}
