internal import Glibc
import Media

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
        /// Whether results are a document that was asked for: without a place for it the run has failed.
        var wantsOutput = false
        /// Rewritten after each message, so that messages do not tear it.
        var statusLine = ""
        /// Columns of the longest status line so far; 0 as long as there was none.
        var statusWidth = 0
        /// Whether the terminal is the shell's for a while, and no place for a line.
        var hidesStatus = false
        /// What waits while a picture lies over the terminal.
        var held: HeldMessages?
        var newest: NewestMessage?
        /// Write aside, once a recording must not wait for a reader.
        var results: ConsoleOutlet?
        var messages: ConsoleOutlet?
        var hasResult = false
        /// The system's answer to the first result that could not be written, or 0.
        var resultError: Int32 = 0
        /// Whether something besides results could not be written.
        var hasLoss = false
    }

    static let shared = Console()
    private let state = Lock(State())
    private let look = TerminalLook.own
    private let sharesScreen = TerminalOwner.outputsShareScreen
    private let showsResults = isatty(STDOUT_FILENO) == 1
    private let showsMessages = isatty(STDERR_FILENO) == 1
    /// Where it was closed by the one who began the program, its number is soon another file's.
    private let hasOutput = fcntl(STDOUT_FILENO, F_GETFD) >= 0

    func configure(limit: Level, writesJSON: Bool) {
        state.withLock {
            $0.limit = limit
            $0.writesJSON = writesJSON
        }
    }

    /// Results are what the run is for.
    func requireOutput() { state.withLock { $0.wantsOutput = true } }

    /// From now on nothing that is said waits for its reader.
    func writeAside() {
        state.withLock { state in
            let messages = ConsoleOutlet(STDERR_FILENO, name: "vcap-messages")
            state.messages = messages
            // one screen has one order
            state.results =
                sharesScreen ? messages : ConsoleOutlet(STDOUT_FILENO, name: "vcap-results")
        }
    }

    /// Waits until all is written, but not for a reader that does not read.
    func flush() {
        let (results, messages) = state.withLock { ($0.results, $0.messages) }
        results?.flush()
        messages?.flush()
    }

    /// A result: standard output. On a terminal nothing in it steers the terminal, and the status line
    /// makes way for it.
    func result(_ text: String) {
        let text = showsResults ? VisibleText.lines(text) : text
        state.withLock { state in
            state.hasResult = true
            guard hasOutput else {
                if state.wantsOutput { state.resultError = EBADF }
                return
            }
            if showsResults, state.held != nil {
                state.held?.add(text, isResult: true)
            } else {
                print(result: text, &state)
            }
        }
    }

    private func print(result text: String, _ state: inout State) {
        let shown = sharesScreen ? surrounded(text, &state) : text
        if let aside = state.results { return aside.post(shown) }
        let error = Console.write(Array(shown.utf8), to: STDOUT_FILENO)
        if state.resultError == 0 { state.resultError = error }
    }

    /// A picture lies over the terminal: what would be drawn over it waits until `release`.
    func hold() { state.withLock { $0.held = $0.held ?? HeldMessages() } }

    /// The picture is gone: what has waited is printed, in its order.
    func release() {
        state.withLock { state in
            guard let held = state.held else { return }
            state.held = nil
            for entry in held.all {
                if entry.isResult {
                    print(result: entry.text, &state)
                } else {
                    print(message: entry.text, &state)
                }
            }
        }
    }

    /// The newest message, while it is new (`now`: host time).
    func newestMessage(at now: MediaTime) -> String? {
        state.withLock { $0.newest?.text(at: now) }
    }

    /// Whether there was a result.
    var hasResult: Bool { state.withLock { $0.hasResult } }

    /// Whether a result could not be written: its reader has gone, or the disk is full.
    var hasLostResults: Bool {
        state.withLock { $0.resultError != 0 || ($0.results?.failure ?? 0) != 0 }
    }

    /// Says that something was not written, which the exit code will say too.
    func loss(_ message: String) {
        state.withLock { $0.hasLoss = true }
        error(message)
    }

    /// Says so when a result could not be written; a reader that went away is no failure.
    /// - Returns: whether all that was to be written was.
    func conclude() -> Bool {
        flush()
        let (own, aside, hasLoss) = state.withLock { ($0.resultError, $0.results, $0.hasLoss) }
        let number = own != 0 ? own : aside?.failure ?? 0
        if !hasOutput, number != 0 {
            error(
                "cannot write the result to standard output: it is closed; files that were made stay"
            )
            flush()
            return false
        }
        // a terminal that hung up answers EIO
        guard number != 0, !showsResults, !Console.isDeparture(number) else { return !hasLoss }
        error(
            "cannot write the result to standard output: \(String(cString: strerror(number))); "
                + "files that were made stay")
        flush()
        return false
    }

    /// Whether a failed write means that nobody reads any more.
    static func isDeparture(_ number: Int32) -> Bool {
        [EPIPE, ECONNRESET, EBADF].contains(number)
    }

    func error(_ message: String) { say(.error, message) }
    func warning(_ message: String) { say(.warning, message) }
    func notice(_ message: String) { say(.notice, message) }
    func detail(_ message: String) { say(.detail, message) }
    func debug(_ message: String) { say(.debug, message) }

    /// The one line at the bottom of a terminal; empty removes it. Unchanged text is not rewritten. In the
    /// background, where the shell has the terminal, there is none.
    /// - Parameter columns: how wide it is.
    func status(_ line: String, columns: Int? = nil) {
        state.withLock { state in
            guard state.held == nil else { return }
            guard !state.hidesStatus, TerminalOwner.isInForeground(STDERR_FILENO) else {
                (state.statusLine, state.statusWidth) = ("", 0)
                return
            }
            guard line != state.statusLine else { return }
            state.statusLine = line
            state.statusWidth = max(state.statusWidth, columns ?? line.count)
            let text = look.erasing(width: state.statusWidth) + look.drawing(line)
            if let aside = state.messages { return aside.show(text) }
            Console.write(Array(text.utf8), to: STDERR_FILENO)
        }
    }

    /// The terminal is given away for a while: the status line goes and none is drawn.
    func hideStatus() {
        state.withLock { state in
            guard !state.hidesStatus else { return }
            state.hidesStatus = true
            let isShown = state.statusWidth > 0 && TerminalOwner.isInForeground(STDERR_FILENO)
            let text = look.erasing(width: state.statusWidth)
            (state.statusLine, state.statusWidth) = ("", 0)
            guard isShown else { return }
            if let aside = state.messages { return aside.show(text) }
            Console.write(Array(text.utf8), to: STDERR_FILENO)
        }
        flush()
    }

    /// The terminal is this process's own again.
    func showStatus() { state.withLock { $0.hidesStatus = false } }

    private func say(_ level: Level, _ message: String) {
        state.withLock { state in
            guard level <= state.limit else { return }
            state.newest = NewestMessage(
                text: Console.plain(level, message), time: HostClock().now())
            let line =
                state.writesJSON ? Console.json(level, message) : Console.plain(level, message)
            if showsMessages, state.held != nil {
                state.held?.add(line + "\n", isResult: false)
            } else {
                print(message: line + "\n", &state)
            }
        }
    }

    private func print(message line: String, _ state: inout State) {
        let text = surrounded(line, &state)
        if let aside = state.messages { return aside.post(text) }
        Console.write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Takes the status line away and draws it again behind the text. Once there was one, it may still be
    /// on the screen though it is to be removed: what waits to be drawn comes after what is said.
    private func surrounded(_ text: String, _ state: inout State) -> String {
        guard state.statusWidth > 0 else { return text }
        guard TerminalOwner.isInForeground(STDERR_FILENO) else {
            (state.statusLine, state.statusWidth) = ("", 0)
            return text
        }
        return look.erasing(width: state.statusWidth) + text + look.drawing(state.statusLine)
    }

    private static func plain(_ level: Level, _ message: String) -> String {
        let message = VisibleText.line(message)
        return level <= .warning ? "vcap: \(level.name): \(message)" : "vcap: \(message)"
    }

    private static func json(_ level: Level, _ message: String) -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = Double(now.tv_sec) + Double(now.tv_nsec / 1_000_000) / 1000
        return JSONValue.members([
            "time": .number(time), "level": .string(level.name), "message": .string(message),
        ]).compact
    }

    /// Writes all of it, waiting for a reader whose end does not wait.
    /// - Returns: 0, or why not all was written.
    @discardableResult
    static func write(_ text: [UInt8], to descriptor: Int32) -> Int32 {
        var bytes = text[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, -1)
            default: return errno
            }
        }
        return 0
    }
}
