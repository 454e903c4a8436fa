internal import Glibc
internal import Media
internal import Movie

/// Where the first of two passes leaves what it saw: a folder of its own below `TMPDIR`, else `/var/tmp`, which is on
/// a disk. It goes with the value, and what killed runs left goes when the next one is made. x264 needs about 16 kB a
/// frame of 1080p.
final class PassFolder: Sendable {
    private static let prefix = "vcap-passes-"
    /// A folder without a lock that is younger may be another program's that has none yet (seconds).
    private static let youngest = 60
    /// With less the disk is what an encoder failed on, whatever it says (bytes).
    private static let leastRoom = 1 << 20

    // immutable
    let path: String
    /// Holds the lock, by which others see that somebody needs the folder.
    private let descriptor: Int32

    /// What the encoder is given; it may put others beside it.
    var file: String { path + "/first-pass" }

    init() throws(MediaError) {
        let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let base = wanted.isEmpty ? "/var/tmp" : wanted
        Self.removeLeft(in: base)
        let pattern = "\(base)/\(Self.prefix)" + String(repeating: "X", count: 6)
        var name = Array(pattern.utf8CString)
        let isMade = name.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        let number = errno
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor = isMade ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
        if descriptor >= 0 { flock(descriptor, LOCK_EX | LOCK_NB) }
        guard isMade else {
            throw MediaError(
                code: number == ENOSPC ? .diskFull : .cannotCreate, function: "mkdtemp",
                subject: base, errno: number,
                message: "Cannot keep what the first pass sees in \(base): "
                    + "\(String(cString: strerror(number))); let TMPDIR name a folder that can be written to."
            )
        }
    }

    deinit {
        Self.remove(path)
        if descriptor >= 0 { close(descriptor) }
    }

    /// An encoder says of a full disk that something failed.
    func explained(_ error: MediaError) -> MediaError {
        guard error.code == .encoderFailed else { return error }
        var info = statvfs()
        let isFull =
            statvfs(path, &info) == 0
            && UInt64(info.f_bavail) * UInt64(info.f_frsize) < UInt64(Self.leastRoom)
        guard isFull || error.errno == ENOSPC else { return error }
        return MediaError(
            code: .diskFull, function: error.function, subject: path, errno: ENOSPC,
            message:
                "What the first pass sees has no room in \(path): No space left on device; make room "
                + "there, or let TMPDIR name another folder.")
    }

    // MARK: Left by killed runs

    private static func removeLeft(in base: String) {
        for name in names(in: base) where name.hasPrefix(prefix) {
            let path = base + "/" + name
            var info = stat()
            guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR,
                info.st_uid == geteuid(), time(nil) - info.st_mtim.tv_sec > youngest
            else { continue }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
            close(descriptor)
        }
    }

    private static func remove(_ path: String) {
        for name in names(in: path) { unlink(path + "/" + name) }
        rmdir(path)
    }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
