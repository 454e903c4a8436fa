internal import Glibc
import Synchronization

/// What the program says: results on standard output, all else on standard error. Thread-safe.
final class Console: Sendable {
    enum Level: Int, Sendable, Comparable {
        case error, warning, notice, detail, debug

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        var name: String {
            switch self {
            case .error: "error"
            case .warning: "warning"
            case .notice: "notice"
            case .detail: "detail"
            case .debug: "debug"
            }
        }
    }

    private struct State {
        var limit: Level = .notice
        var writesJSON = false
        /// Rewritten after each message, so that messages do not tear it.
        var statusLine = ""
        /// Write aside, once a recording must not wait for a reader.
        var results: ConsoleOutlet?
        var messages: ConsoleOutlet?
    }

    static let shared = Console()
    private let state = Mutex(State())

    func configure(limit: Level, writesJSON: Bool) {
        state.withLock {
            $0.limit = limit
            $0.writesJSON = writesJSON
        }
    }

    /// From now on nothing that is said waits for its reader.
    func writeAside() {
        state.withLock { state in
            state.results = ConsoleOutlet(STDOUT_FILENO, name: "vcap-results")
            state.messages = ConsoleOutlet(STDERR_FILENO, name: "vcap-messages")
        }
    }

    /// Waits until all is written, but not for a reader that does not read.
    func flush() {
        let (results, messages) = state.withLock { ($0.results, $0.messages) }
        results?.flush()
        messages?.flush()
    }

    /// A result: standard output.
    func result(_ text: String) {
        if let aside = state.withLock({ $0.results }) { return aside.post(text) }
        Console.write(Array(text.utf8), to: STDOUT_FILENO)
    }

    func error(_ message: String) { say(.error, message) }
    func warning(_ message: String) { say(.warning, message) }
    func notice(_ message: String) { say(.notice, message) }
    func detail(_ message: String) { say(.detail, message) }
    func debug(_ message: String) { say(.debug, message) }

    /// The one line at the bottom of a terminal; empty removes it. Unchanged text is not rewritten.
    func status(_ line: String) {
        state.withLock { state in
            guard line != state.statusLine else { return }
            state.statusLine = line
            let text = "\r\u{1B}[K" + line
            if let aside = state.messages { return aside.show(text) }
            Console.write(Array(text.utf8), to: STDERR_FILENO)
        }
    }

    private func say(_ level: Level, _ message: String) {
        state.withLock { state in
            guard level <= state.limit else { return }
            let clear = state.statusLine.isEmpty ? "" : "\r\u{1B}[K"
            let line =
                state.writesJSON ? Console.json(level, message) : Console.plain(level, message)
            let text = clear + line + "\n" + state.statusLine
            if let aside = state.messages { return aside.post(text) }
            Console.write(Array(text.utf8), to: STDERR_FILENO)
        }
    }

    private static func plain(_ level: Level, _ message: String) -> String {
        level <= .warning ? "vcap: \(level.name): \(message)" : "vcap: \(message)"
    }

    private static func json(_ level: Level, _ message: String) -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = Double(now.tv_sec) + Double(now.tv_nsec / 1_000_000) / 1000
        return JSONValue.members([
            "time": .number(time), "level": .string(level.name), "message": .string(message),
        ]).compact
    }

    /// Writes all of it; a reader that went away is not an error of ours.
    static func write(_ text: [UInt8], to descriptor: Int32) {
        var bytes = text[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
