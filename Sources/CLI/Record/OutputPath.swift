internal import Glibc
import Media
import Writer

/// Finds the file a take is written to: expands the pattern, makes the folders and refuses what must
/// not be written.
struct OutputPath {
    /// File name endings of the containers vcap writes.
    static let endings = ["mp4", "mov", "mkv", "webm", "ts"]

    let replacesExisting: Bool
    /// Files read by this recording, which are never written over.
    let inputs: [String]
    let folders: UserFolders
    /// File name endings that tell what is to be written.
    var endings = OutputPath.endings
    /// Asked about the path before anything is made.
    var approve: @Sendable (String) throws(CommandFailure) -> Void = { _ throws(CommandFailure) in }

    private static let defaultName = "%Y-%m-%d_%H-%M-%S"

    /// The path for `asked`, or in the default folder, ready to be created.
    func prepare(_ asked: String?) throws(CommandFailure) -> String {
        let moment = Int(WallClock.nanosecondsSinceEpoch() / 1_000_000_000)
        let pattern = PathPattern(try pattern(for: asked))
        var path = pattern.path(at: moment, isTaken: OutputPath.exists)
        if asked == nil, OutputPath.exists(path) {
            let numbered = "\(try videos())/vcap/\(OutputPath.defaultName)-%v.mp4"
            path = PathPattern(numbered).path(at: moment, isTaken: OutputPath.exists)
        }
        try check(path)
        try approve(path)
        try makeFolders(for: path)
        return path
    }

    private func videos() throws(CommandFailure) -> String {
        if let videos = folders.videos { return videos }
        throw CommandFailure(
            .cannotCreate,
            "cannot tell the folder of your videos: HOME is not set and your account has no home; "
                + "say where to write with -o")
    }

    private func pattern(for asked: String?) throws(CommandFailure) -> String {
        guard let asked else { return "\(try videos())/vcap/\(OutputPath.defaultName).mp4" }
        var info = stat()
        let isFolder = stat(asked, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        guard isFolder || asked.hasSuffix("/") else { return asked }
        return asked + (asked.hasSuffix("/") ? "" : "/") + OutputPath.defaultName + ".mp4"
    }

    private func check(_ path: String) throws(CommandFailure) {
        guard endings.contains(OutputPath.ending(of: path)) else {
            let known = endings.map { ".\($0)" }.joined(separator: ", ")
            throw CommandFailure(
                .usage, "cannot tell the container of \(path) by its ending: use one of \(known)")
        }
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        switch info.st_mode & S_IFMT {
        case S_IFLNK:
            throw CommandFailure(
                .cannotCreate,
                "will not write through the symbolic link \(path): name the file itself")
        case S_IFREG: break
        default:
            throw CommandFailure(
                .cannotCreate, "will not write to \(path): it is not a regular file")
        }
        for input in inputs where OutputPath.isSame(info, input) {
            throw CommandFailure(
                .cannotCreate, "will not write over \(path): it is one of the inputs")
        }
        if !replacesExisting {
            throw CommandFailure(
                .cannotCreate,
                "\(path) exists: choose another name, or give -y to replace it")
        }
        // refused before any device is opened; whoever writes takes the lock for himself
        do throws(IOFailure) { try FileLock.requireFree(path) } catch {
            throw CommandFailure(
                WriterError(error, attempt: "replace \(path)", subject: path), while: .writing)
        }
    }

    /// Makes every folder of the path that is not there.
    private func makeFolders(for path: String) throws(CommandFailure) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        var folder = ""
        for (index, part) in parts.enumerated() {
            folder += (index > 0 ? "/" : "") + part
            if folder.isEmpty || mkdir(folder, 0o777) == 0 || errno == EEXIST { continue }
            let reason = errno
            if access(folder, F_OK) == 0 { continue }
            throw CommandFailure(
                .cannotCreate,
                "cannot make the folder \(folder): \(String(cString: strerror(reason)))")
        }
        let parent = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
        if access(parent, W_OK | X_OK) == 0 { return }
        let reason = String(cString: strerror(errno))
        throw CommandFailure(
            .cannotCreate,
            "cannot write to the folder \(parent): \(reason); choose another with -o")
    }

    static func ending(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    private static func exists(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0
    }

    private static func isSame(_ info: stat, _ path: String) -> Bool {
        var other = stat()
        return stat(path, &other) == 0 && other.st_dev == info.st_dev && other.st_ino == info.st_ino
    }
}
