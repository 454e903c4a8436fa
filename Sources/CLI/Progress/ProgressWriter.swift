internal import Glibc
import Media

/// Where `--progress` goes.
enum ProgressTarget: Sendable, Equatable {
    case standardOutput
    case descriptor(Int32)
    case file(String)

    /// Whether it is read by a person, there and then.
    var isOnTerminal: Bool {
        switch self {
        case .standardOutput: isatty(STDOUT_FILENO) == 1
        case .descriptor(let number): isatty(number) == 1
        case .file: false
        }
    }
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

/// What is written besides progress.
enum OtherOutput: Sendable {
    case movie(String)
    /// A take's report.
    case report(String)
}

extension ProgressTarget {
    /// - Throws: usage when nobody has opened the descriptor, or the file is another output's.
    func refuse(_ others: [OtherOutput]) throws(CommandFailure) {
        switch self {
        case .standardOutput: return
        case .descriptor(let number):
            guard fcntl(number, F_GETFD) < 0 else { return }
            throw CommandFailure(
                .usage, "--progress fd:\(number): this descriptor is not open")
        case .file(let path):
            for other in others {
                switch other {
                case .movie(let movie) where OutputPath.isSame(path, movie):
                    throw CommandFailure(
                        .usage, "--progress and --output both name \(path): give two names")
                case .report(let report) where OutputPath.isSame(path, report):
                    throw CommandFailure(
                        .usage,
                        "--progress names \(path), where the take's report goes: give another name")
                default: continue
                }
            }
        }
    }

    /// Refuses early what could not be written to later; makes nothing.
    func check(
        replacesExisting: Bool, besides others: [OtherOutput]
    ) throws(CommandFailure) {
        try refuse(others)
        guard case .file(let path) = self else { return }
        try ProgressFile(path, replacesExisting: replacesExisting).check()
    }
}

/// Writes progress reports. A reader that is slow misses reports and holds nothing; one that went away
/// is left alone; what cannot be written is reported once. Used by one thread at a time.
final class ProgressWriter: Sendable {
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private let form: ProgressReport.Form
    /// For messages.
    private let name: String
    private let hasFailed = Lock(false)

    /// A file must not be there yet unless it may be replaced, and then it must be a progress report that
    /// nobody writes; a pipe or terminal may.
    /// - Parameter others: what is written besides, which the reports must not go into.
    init(
        _ target: ProgressTarget, form: ProgressReport.Form, replacesExisting: Bool,
        besides others: [OtherOutput] = []
    ) throws(CommandFailure) {
        self.form = form
        try target.refuse(others)
        switch target {
        case .standardOutput:
            (descriptor, name) = (STDOUT_FILENO, "standard output")
            ownsDescriptor = false
        case .descriptor(let number):
            (descriptor, name) = (number, "descriptor \(number)")
            ownsDescriptor = false
        case .file(let path):
            descriptor = try ProgressFile(path, replacesExisting: replacesExisting).open()
            name = path
            ownsDescriptor = true
        }
    }

    deinit { if ownsDescriptor { close(descriptor) } }

    func write(_ snapshot: ProgressSnapshot, isEnd: Bool) {
        var bytes = Array(ProgressReport.text(snapshot, isEnd: isEnd, form: form).utf8)[...]
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // a pipe that is ready takes a whole report (less than PIPE_BUF) without blocking
        guard poll(&entry, 1, isEnd ? 1000 : 0) > 0, Int32(entry.revents) & POLLOUT != 0 else {
            return
        }
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                return report(errno)
            }
        }
    }

    private func report(_ number: Int32) {
        let hasHungUp = number == EIO && isatty(descriptor) == 0 && isCharacterDevice
        guard number != EAGAIN, !Console.isDeparture(number), !hasHungUp else { return }
        let isFirst = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
        }
        guard isFirst else { return }
        Console.shared.loss(
            "cannot write progress to \(name): \(String(cString: strerror(number))); the work "
                + "itself continues")
    }

    /// As a terminal is.
    private var isCharacterDevice: Bool {
        var info = stat()
        return fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFCHR
    }
}
