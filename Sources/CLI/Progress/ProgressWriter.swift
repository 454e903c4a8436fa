internal import Glibc

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

    /// A file must not be there yet unless it may be replaced; a pipe or terminal may.
    init(
        _ target: ProgressTarget, form: ProgressReport.Form, replacesExisting: Bool
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
            descriptor = try ProgressWriter.open(path, replacesExisting)
            ownsDescriptor = true
        }
    }

    deinit { if ownsDescriptor { close(descriptor) } }

    private static func open(
        _ path: String, _ replacesExisting: Bool
    ) throws(CommandFailure) -> Int32 {
        var info = stat()
        let exists = lstat(path, &info) == 0
        let isPlain = exists && [S_IFREG, S_IFLNK].contains(info.st_mode & S_IFMT)
        if isPlain, info.st_mode & S_IFMT == S_IFLNK || !replacesExisting {
            throw CommandFailure(
                .cannotCreate,
                "will not write progress to \(path): it exists; choose another or give -y")
        }
        let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (exists && !isPlain ? O_NONBLOCK : O_CREAT)
        let descriptor = Glibc.open(path, flags | (isPlain ? O_TRUNC : 0), 0o666)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .cannotCreate,
                "cannot write progress to \(path): \(String(cString: strerror(errno)))")
        }
        return descriptor
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
