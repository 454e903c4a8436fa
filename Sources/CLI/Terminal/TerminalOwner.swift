internal import Glibc

/// Who may use a terminal: its keys and its lines belong to one session, and in that to one group of processes.
enum TerminalOwner {
    enum Owner: Sendable, Equatable {
        /// It is this session's own, and job control decides.
        case thisSession
        /// It controls no session: all who have it open may use it.
        case nobody
        /// Another session's (its shell's) keys and lines are on it.
        case anotherSession
    }

    static func owner(of descriptor: Int32) -> Owner {
        if tcgetpgrp(descriptor) >= 0 { return .thisSession }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return .nobody }
        return hasSession(terminal: UInt32(truncatingIfNeeded: info.st_rdev))
            ? .anotherSession : .nobody
    }

    /// Whether this process is not in the background of the terminal.
    static func isInForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// Whether standard output and standard error are one terminal, and so one screen.
    static var outputsShareScreen: Bool {
        var (output, error) = (stat(), stat())
        return isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1
            && fstat(STDOUT_FILENO, &output) == 0 && fstat(STDERR_FILENO, &error) == 0
            && output.st_rdev == error.st_rdev
    }

    /// Whether the terminal controls the session of any process that can be seen.
    private static func hasSession(terminal: UInt32) -> Bool {
        guard let folder = opendir("/proc") else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if Int(name) != nil, controllingTerminal(ofProcess: name) == terminal { return true }
        }
        return false
    }

    /// The seventh field of `proc(5)`'s stat; the second may hold anything between its parentheses.
    private static func controllingTerminal(ofProcess name: String) -> UInt32? {
        let descriptor = open("/proc/\(name)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        let fields = String(decoding: bytes[(end + 1)..<count], as: UTF8.self)
            .split(separator: " ")
        return fields.count > 4 ? Int32(fields[4]).map { UInt32(bitPattern: $0) } : nil
    }
}
