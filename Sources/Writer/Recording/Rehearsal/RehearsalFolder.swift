internal import Glibc
internal import Media
internal import Movie

/// A hidden folder beside a movie, for what is not kept. Thread-safe.
///
/// It is held open, and so is the folder it lies in: what is in it is removed under whatever names both are by then, and it
/// itself where it still has its own. A lock on it says that it is in use; one without a lock was left by a program that
/// was killed, and is removed by the next.
final class RehearsalFolder: Sendable {
    private static let prefix = ".vcap-rehearsal-"
    /// A folder that was made just now may not be locked yet (seconds).
    private static let grace = 10

    /// O_PATH, which Glibc's module leaves out (the same on each processor that Swift runs on).
    private static let onlyPath: Int32 = 0o10000000

    // immutable
    let path: String
    private let name: String
    /// The folder around it, and it; `nil` once it was removed.
    private let handles: Lock<(around: Int32, own: Int32)?>

    /// Whether it was not removed yet.
    var isThere: Bool { handles.withLock { $0 != nil } }

    /// - Throws: when it cannot be made.
    init(beside movie: String) throws(MediaError) {
        let place = TemporaryName.split(movie).folder
        let folder = place.isEmpty ? "./" : String(place)
        var name = Array((folder + Self.prefix + String(repeating: "X", count: 6)).utf8CString)
        let isMade = name.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.name = String(path.dropFirst(folder.count))
        // a folder may be written to and not be read
        let around = isMade ? openat(AT_FDCWD, folder, Self.onlyPath | O_DIRECTORY | O_CLOEXEC) : -1
        let own = around >= 0 ? Self.open(self.name, at: around) : -1
        guard own >= 0 else {
            let failure = IOFailure(function: isMade ? "open" : "mkdtemp", errno: errno)
            if around >= 0 { close(around) }
            if isMade { rmdir(path) }
            throw MediaError(failure, attempt: "rehearse beside \(movie)", subject: movie)
        }
        flock(own, LOCK_EX | LOCK_NB)
        handles = Lock((around, own))
        Self.removeLeftovers(in: around)
    }

    /// With what is in it; the second time nothing.
    func remove() {
        let taken = handles.withLock { handles in
            defer { handles = nil }
            return handles
        }
        guard let (around, own) = taken else { return }
        Self.empty(own)
        // what another program has put in its place is not ours
        if Self.isSame(own, as: name, at: around) { unlinkat(around, name, AT_REMOVEDIR) }
        close(own)
        close(around)
    }

    private static func open(_ path: String, at folder: Int32) -> Int32 {
        openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }

    /// Those of programs that were killed.
    private static func removeLeftovers(in around: Int32) {
        for name in names(in: around)
        where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
            let folder = open(name, at: around)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            var facts = stat()
            guard fstat(folder, &facts) == 0, facts.st_uid == geteuid(),
                time(nil) - facts.st_mtim.tv_sec > grace, flock(folder, LOCK_EX | LOCK_NB) == 0,
                names(in: folder).allSatisfy({ $0.contains("rehearsal.") })
            else { continue }
            empty(folder)
            unlinkat(around, name, AT_REMOVEDIR)
        }
    }

    private static func isSame(_ folder: Int32, as name: String, at around: Int32) -> Bool {
        var (own, named) = (stat(), stat())
        return fstat(folder, &own) == 0 && fstatat(around, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && own.st_dev == named.st_dev && own.st_ino == named.st_ino
    }

    private static func empty(_ folder: Int32) {
        for name in names(in: folder) { unlinkat(folder, name, 0) }
    }

    private static func names(in folder: Int32) -> [String] {
        // its place in the listing is its own
        let handle = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0, let listing = fdopendir(handle) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
