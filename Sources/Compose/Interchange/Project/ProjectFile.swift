internal import Glibc
public import Media

/// Project files: timelines as JSON5 (`.vcap.json5`).
public enum ProjectFile {
    /// Reads a project. Media paths are relative to its folder and may not lead out of it, except into
    /// folders that are allowed. Blocks shortly; reentrant.
    /// - Throws: `invalid-project`, naming file, line and column; `no-such-file`, `not-permitted`.
    public static func read(
        _ path: String, allowing mediaFolders: [String] = []
    ) throws(MediaError) -> Timeline {
        let bytes = try ProjectBytes.read(path)
        let roots = try MediaRoots(project: folder(of: path), allowing: mediaFolders)
        return try timeline(bytes, name: path, resolve: roots.resolve)
    }

    /// The project's text, with a stable form. Paths in its folder become relative to it.
    /// - Parameters:
    ///   - timeline: what is written.
    ///   - folder: where the project will lie.
    public static func text(of timeline: Timeline, in folder: String) -> String {
        let writer = ProjectWriter(relative: relative(to: folder))
        return JSONWriter.text(ProjectTables.project.write(timeline, writer), .json5) + "\n"
    }

    /// The JSON schema of project files.
    public static var schema: String { ProjectSchema.text }

    /// Makes paths in a folder relative to it.
    static func relative(to folder: String) -> (String) -> String {
        let root = MediaRoots.canonical(folder) ?? folder
        return { path in
            path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
        }
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Without the file system but what `resolve` does.
    static func timeline(
        _ bytes: [UInt8], name: String,
        resolve: @escaping (String, TextPosition) throws(JSONFailure) -> String
    ) throws(MediaError) -> Timeline {
        var reader = ProjectReader(resolve: resolve)
        let timeline: Timeline
        let start: TextPosition
        do throws(JSONFailure) {
            let node = try JSONParser.parse(bytes, as: .json5)
            start = node.position
            timeline = try ProjectTables.project.read(node, &reader)
        } catch { throw MediaError(error, in: name) }
        do throws(MediaError) { try timeline.validate() } catch {
            let place = reader.places[error.subject] ?? start
            throw MediaError(
                JSONFailure(position: place, message: error.message), in: name)
        }
        return timeline
    }
}

/// Reads a project's file whole.
enum ProjectBytes {
    /// A regular file of at most 16 MB; never waits for a pipe or device.
    static func read(_ path: String) throws(MediaError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("open", path, errno) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw failure("fstat", path, errno) }
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw refusal(path, "\(path) is no regular file, so it is no project")
        }
        guard info.st_size <= JSONParser.longest else {
            throw refusal(
                path, "\(path) has \(info.st_size) bytes; a project has at most 16 MB")
        }
        var bytes = [UInt8](repeating: 0, count: Int(info.st_size))
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if got < 0 { throw failure("read", path, errno) }
            if got == 0 { break }
            count += got
        }
        return Array(bytes.prefix(count))
    }

    private static func refusal(_ path: String, _ message: String) -> MediaError {
        MediaError(code: .invalidProject, subject: path, message: message)
    }

    private static func failure(
        _ function: String, _ path: String, _ reason: Int32
    ) -> MediaError {
        let code: MediaError.Code =
            switch reason {
            case ENOENT, ENOTDIR: .noSuchFile
            case EACCES, EPERM: .notPermitted
            default: .ioError
            }
        return MediaError(
            code: code, function: function, subject: path, errno: reason,
            message: "the project \(path) cannot be read: \(String(cString: strerror(reason)))")
    }
}

extension MediaError {
    /// - Parameter name: the file's.
    init(_ failure: JSONFailure, in name: String) {
        self.init(
            code: .invalidProject, subject: "\(name):\(failure.position)",
            message: "\(name):\(failure.position): \(failure.message)")
    }
}
