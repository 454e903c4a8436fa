internal import Glibc
import Media
import Movie

/// Finds the file a take is written to: expands the pattern, makes the folders and refuses what must
/// not be written.
struct OutputPath {
    /// File name endings of the containers vcap writes.
    static let endings = ["mp4", "mov", "mkv", "webm", "ts"]

    let replacesExisting: Bool
    /// Files read by this recording, which are never written over.
    let inputs: [String]
    let folders: UserFolders
    /// File name endings that say what is to be written.
    var endings = OutputPath.endings
    /// What is written when nobody says a name, and where.
    var unnamed = Unnamed.movie
    /// Asked about the path before anything is made.
    var approve: @Sendable (String) throws(CommandFailure) -> Void = { _ throws(CommandFailure) in }

    /// Which names the counter goes past.
    var isTaken: @Sendable (String) -> Bool = { OutputPath.exists($0) }

    /// A file that gets a dated name.
    enum Unnamed {
        case movie, photo

        fileprivate var ending: String { self == .movie ? ".mp4" : ".jpg" }
        fileprivate var folderWords: String { self == .movie ? "videos" : "pictures" }
        fileprivate var kindWords: String { self == .movie ? "container" : "kind of picture" }

        fileprivate func folder(_ folders: UserFolders) -> String? {
            self == .movie ? folders.videos : folders.pictures
        }
    }

    private static let defaultName = "%Y-%m-%d_%H-%M-%S"

    /// The path for `asked`, or in the default folder, ready to be created.
    /// - Parameter moment: which dates are filled in (seconds since 1970; default now).
    func prepare(_ asked: String?, at moment: Int? = nil) throws(CommandFailure) -> String {
        let moment = moment ?? Self.now
        var path = try choose(asked, at: moment)
        var attempts = 1
        // where it counts, a name that somebody has taken meanwhile is gone past
        while try !check(path, counts: counts(asked) && attempts < 16) {
            path = try choose(asked, at: moment)
            attempts += 1
        }
        try approve(path)
        try makeFolders(for: path)
        return path
    }

    /// Seconds since 1970.
    static var now: Int { Int(WallClock.nanosecondsSinceEpoch() / 1_000_000_000) }

    private func choose(_ asked: String?, at moment: Int) throws(CommandFailure) -> String {
        let path: String
        if let folder = try folder(for: asked) {
            let name = folder + OutputPath.defaultName
            let plain = PathPattern(name + unnamed.ending).path(at: moment, isTaken: isTaken)
            path =
                isTaken(plain)
                ? PathPattern(name + "-%v" + unnamed.ending).path(at: moment, isTaken: isTaken)
                : plain
        } else {
            path = PathPattern(asked ?? "").path(at: moment, isTaken: isTaken)
        }
        guard !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw CommandFailure(
                .usage,
                "the name \(asked ?? path) gives a control character (%n and %t are strftime's line "
                    + "feed and tab): leave it out, or write %% for a per cent sign")
        }
        return path
    }

    private func ownFolder() throws(CommandFailure) -> String {
        if let folder = unnamed.folder(folders) { return folder }
        throw CommandFailure(
            .cannotCreate,
            "cannot say the folder of your \(unnamed.folderWords): HOME is not set and your account has no home; "
                + "say where to write with -o")
    }

    /// Whether another call may give another name, because a counter or nobody chose it.
    func counts(_ asked: String?) -> Bool {
        guard let asked, !OutputPath.isFolder(asked) else { return true }
        return PathPattern(asked).hasCounter
    }

    /// Where a dated name is to be made, with a slash at its end; nil: the name was given.
    private func folder(for asked: String?) throws(CommandFailure) -> String? {
        guard let asked else { return "\(try ownFolder())/vcap/" }
        guard OutputPath.isFolder(asked) else { return nil }
        return asked + (asked.hasSuffix("/") ? "" : "/")
    }

    private static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return path.hasSuffix("/") || stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// - Parameter counts: another name may be given.
    /// - Returns: false where it exists and another name may be given.
    private func check(_ path: String, counts: Bool) throws(CommandFailure) -> Bool {
        guard endings.contains(OutputPath.ending(of: path)) else {
            let known = endings.map { ".\($0)" }.joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "cannot say the \(unnamed.kindWords) of \(path) by its ending: use one of \(known)")
        }
        var info = stat()
        guard lstat(path, &info) == 0 else { return true }
        if counts, !replacesExisting { return false }
        try requireReplaceable(path)
        if !replacesExisting {
            throw CommandFailure(
                .cannotCreate,
                "\(path) exists: choose another name, or give -y to replace it")
        }
        // refused before any device is opened; the writer takes the lock itself
        do throws(IOFailure) { try FileLock.requireFree(path) } catch {
            throw CommandFailure(
                MediaError(error, attempt: "replace \(path)", subject: path), while: .writing)
        }
        return true
    }

    /// - Throws: where a file is there that may not be written over, whatever may be replaced: another kind of file, or
    ///   one that is read.
    func requireReplaceable(_ path: String) throws(CommandFailure) {
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
    }

    /// Refuses a file that is one of those that are read.
    static func requireOther(than inputs: [String], _ path: String) throws(CommandFailure) {
        var info = stat()
        guard lstat(path, &info) == 0, inputs.contains(where: { isSame(info, $0) }) else { return }
        throw CommandFailure(
            .cannotCreate, "will not write over \(path): it is one of the inputs")
    }

    /// Makes the folders of a path that are missing.
    func makeFolders(for path: String) throws(CommandFailure) {
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

    /// From the root on: what it means for a program in another folder.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    static func exists(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0
    }

    /// Whether two names are of one file, also of one that is not there yet: the same name in the same folder, or, where
    /// that is not there either, the same words.
    static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        if stat(one, &first) == 0, stat(other, &second) == 0 {
            return first.st_dev == second.st_dev && first.st_ino == second.st_ino
        }
        func split(_ path: String) -> (folder: String, name: Substring) {
            let slash = path.lastIndex(of: "/")
            let folder = slash.map { String(path[...$0]) } ?? "."
            return (folder, slash.map { path[path.index(after: $0)...] } ?? path[...])
        }
        let (own, wanted) = (split(one), split(other))
        guard own.name == wanted.name else { return false }
        guard stat(own.folder, &first) == 0, stat(wanted.folder, &second) == 0 else {
            return words(one) == words(other)
        }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    private static func words(_ path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." } + (path.hasPrefix("/") ? ["/"] : [])
    }

    private static func isSame(_ info: stat, _ path: String) -> Bool {
        var other = stat()
        return stat(path, &other) == 0 && other.st_dev == info.st_dev && other.st_ino == info.st_ino
    }
}
