internal import Glibc
import Writer

/// Where `--progress` goes.
enum ProgressTarget: Sendable, Equatable {
    case standardOutput
    case descriptor(Int32)
    case file(String)
}

extension ValueKind where Value == ProgressTarget {
    /// `-`, `fd:N` or a file.
    static var progressTarget: ValueKind {
        ValueKind("-|fd:N|FILE", expected: "-, fd:N or a file", completion: .files) { text in
            if text == "-" { return .standardOutput }
            if text.hasPrefix("fd:") {
                return Int32(text.dropFirst(3)).flatMap { $0 >= 0 ? .descriptor($0) : nil }
            }
            return text.isEmpty ? nil : .file(text)
        }
    }
}

/// Writes progress reports. A reader that is slow misses reports and holds nothing; one that went away
/// is left alone. Used by one thread at a time.
final class ProgressWriter: Sendable {
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private let form: ProgressReport.Form

    /// A file must not be there yet unless it may be replaced, and then it must be a progress report that
    /// nobody writes; a pipe or terminal may.
    /// - Parameter movie: what is written besides, which the reports must not go into.
    init(
        _ target: ProgressTarget, form: ProgressReport.Form, replacesExisting: Bool,
        besides movie: String? = nil
    ) throws(CommandFailure) {
        self.form = form
        switch target {
        case .standardOutput:
            descriptor = STDOUT_FILENO
            ownsDescriptor = false
        case .descriptor(let number):
            guard fcntl(number, F_GETFD) >= 0 else {
                throw CommandFailure(
                    .usage, "--progress fd:\(number): this descriptor is not open")
            }
            descriptor = number
            ownsDescriptor = false
        case .file(let path):
            if let movie, ProgressWriter.isSame(path, movie) {
                throw CommandFailure(
                    .usage, "--progress and --output both name \(path): give two names")
            }
            descriptor = try ProgressWriter.open(path, replacesExisting)
            ownsDescriptor = true
        }
    }

    deinit { if ownsDescriptor { close(descriptor) } }

    /// Opens without cutting: what is there is looked at, locked, and only then made empty.
    private static func open(
        _ path: String, _ replacesExisting: Bool
    ) throws(CommandFailure) -> Int32 {
        let flags = O_CLOEXEC | O_NOFOLLOW
        let created = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | flags, 0o666)
        if created >= 0 {
            // held as long as reports are written
            flock(created, LOCK_EX | LOCK_NB)
            return created
        }
        guard errno == EEXIST else { throw refusal(path, String(cString: strerror(errno))) }
        var info = stat()
        guard lstat(path, &info) == 0 else {
            throw refusal(path, String(cString: strerror(errno)))
        }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return try openEarlier(path, replacesExisting)
        case S_IFLNK: throw refusal(path, "it is a symbolic link; name the file itself")
        default:
            let descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | flags)
            guard descriptor >= 0 else {
                throw refusal(path, String(cString: strerror(errno)))
            }
            return descriptor
        }
    }

    private static func openEarlier(
        _ path: String, _ replacesExisting: Bool
    ) throws(CommandFailure) -> Int32 {
        guard replacesExisting else {
            throw refusal(path, "it exists; choose another or give -y")
        }
        let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw refusal(path, String(cString: strerror(errno))) }
        do throws(CommandFailure) {
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                let busy = IOFailure(function: "flock", errno: EWOULDBLOCK)
                let error = WriterError(
                    busy, attempt: "write progress to \(path)", subject: path)
                throw CommandFailure(error, while: .writing)
            }
            guard isReport(descriptor) else {
                throw refusal(path, "it is no progress report; choose another name")
            }
            guard ftruncate(descriptor, 0) == 0 else {
                throw refusal(path, String(cString: strerror(errno)))
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Whether an open file is a regular one that begins as our reports do, in either form, or is empty.
    private static func isReport(_ descriptor: Int32) -> Bool {
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return false }
        var head = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &head, head.count, 0)
        guard count >= 0 else { return false }
        let begins = { (text: String) in head[..<count].starts(with: text.utf8) }
        return count == 0 || begins("frame=") || begins("{\"frame\":")
    }

    /// Whether two paths name one file, or would.
    private static func isSame(_ path: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        if stat(path, &first) == 0, stat(other, &second) == 0 {
            return first.st_dev == second.st_dev && first.st_ino == second.st_ino
        }
        return normal(path) == normal(other)
    }

    private static func normal(_ path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." } + (path.hasPrefix("/") ? ["/"] : [])
    }

    private static func refusal(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(.cannotCreate, "will not write progress to \(path): \(reason)")
    }

    func write(_ snapshot: ProgressSnapshot, isEnd: Bool) {
        let bytes = Array(ProgressReport.text(snapshot, isEnd: isEnd, form: form).utf8)
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // a pipe that is ready takes a whole report (less than PIPE_BUF) without blocking
        guard poll(&entry, 1, isEnd ? 1000 : 0) > 0, Int32(entry.revents) & POLLOUT != 0 else {
            return
        }
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
