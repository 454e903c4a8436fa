internal import Glibc

/// The folder of control sockets, one for each running recording.
struct SessionFolder: Sendable {
    let path: String

    func socketPath(of session: String) -> String { "\(path)/\(session).sock" }

    /// Makes the folder, for this user alone.
    func prepare() throws(CommandFailure) {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw cannotUse(String(cString: strerror(errno)))
        }
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
            throw cannotUse("it is not a folder")
        }
        guard info.st_uid == getuid() else { throw cannotUse("it belongs to another user") }
        if info.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 {
            throw cannotUse(String(cString: strerror(errno)))
        }
    }

    private func cannotUse(_ reason: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate, "cannot use \(path) for control sockets: \(reason); set XDG_RUNTIME_DIR")
    }

    /// The name of a recording that was given none.
    static func standardName(of process: Int32) -> String { "\(standardPrefix)\(process)" }

    private static let standardPrefix = "take-"

    /// Removes sockets of recordings that were killed: those whose name is of a process that is no more. A socket that is
    /// being made does not answer either, so an answer is no test.
    func removeAbandoned() {
        for name in sessions() {
            guard name.hasPrefix(Self.standardPrefix),
                let process = Int32(name.dropFirst(Self.standardPrefix.count)), process > 0,
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            unlink(socketPath(of: name))
        }
    }

    /// Names of the sessions whose recorder answers, sorted.
    func running() -> [String] { sessions().filter(isAlive).sorted() }

    /// Names of all that have a socket.
    private func sessions() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(".sock") else { continue }
            names.append(String(name.dropLast(5)))
        }
        return names
    }

    /// Whether somebody listens at the session's socket.
    func isAlive(_ session: String) -> Bool {
        guard let probe = try? UnixSocket() else { return false }
        return (try? probe.connect(to: socketPath(of: session))) != nil
    }
}

extension ValueKind where Value == String {
    /// The name of a recording, which becomes a file name.
    static var session: ValueKind {
        ValueKind("SESSION", expected: "a name of up to 40 letters, digits, . _ or -") { text in
            let isPlain = text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
            }
            return isPlain && (1...40).contains(text.utf8.count) && !text.hasPrefix(".")
                ? text : nil
        }
    }
}
