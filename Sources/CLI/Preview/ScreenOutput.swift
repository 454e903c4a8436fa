internal import Glibc
import Media
import Play

/// A terminal's screen as a place for pictures. It is opened once more, so that writing without waiting is nobody
/// else's: the flag belongs to what was opened, and a shell has the same. Used by one thread at a time.
final class ScreenOutput: Sendable {
    enum Outcome: Sendable, Equatable {
        case written
        /// Not all was written, because something else is wanted.
        case interrupted
        /// The terminal is gone.
        case gone
    }

    /// What a terminal says of its size.
    struct Size: Sendable, Equatable {
        var columns: Int
        var rows: Int
        /// Of a cell (pixels); `nil` where it does not say.
        var cell: PixelSize?
    }

    private let descriptor: Int32
    /// How long a terminal that does not read is waited for when it is given back (ms).
    private static let timeout: Int32 = 200

    /// - Throws: where it cannot be opened.
    init(_ terminal: Int32) throws(CommandFailure) {
        var name = [CChar](repeating: 0, count: 256)
        var paths = ["/proc/self/fd/\(terminal)"]
        if ttyname_r(terminal, &name, name.count - 1) == 0 {
            paths.insert(
                String(
                    decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
                at: 0)
        }
        let flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        for path in paths {
            let opened = open(path, flags)
            guard opened >= 0 else { continue }
            if Self.isSame(opened, terminal) {
                descriptor = opened
                return
            }
            close(opened)
        }
        throw CommandFailure(
            .noDevice,
            "cannot open the terminal once more to draw on it: \(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    /// Whether two descriptors are one terminal.
    static func isSame(_ one: Int32, _ other: Int32) -> Bool {
        var (first, second) = (stat(), stat())
        return fstat(one, &first) == 0 && fstat(other, &second) == 0
            && first.st_rdev == second.st_rdev && isatty(one) == 1
    }

    /// Whether this process is not in the background of it.
    var isInForeground: Bool { TerminalOwner.isInForeground(descriptor) }

    /// As it is now; 80x24 where it does not say.
    var size: Size {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return Size(columns: 80, rows: 24) }
        let (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
        let cell = PixelSize(Int(size.ws_xpixel) / columns, Int(size.ws_ypixel) / rows)
        return Size(
            columns: min(columns, 1000), rows: min(rows, 500),
            cell: cell.width > 0 && cell.height > 0 ? cell : nil)
    }

    private static let entrance = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J".utf8)

    /// What leads out, whatever was cut short: CAN and ST end what was begun.
    private static func exit(removing graphics: [UInt8]) -> [UInt8] {
        [0x18, 0x1B, 0x5C] + graphics
            + Array("\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)
    }

    /// Shows the alternate screen; from now on every way out of the process leaves it.
    func enter() -> Outcome {
        TerminalRestorer.armScreen(descriptor, Self.exit(removing: []))
        return write(Self.entrance, unless: nil)
    }

    /// Graphics that are kept by the terminal are removed on every way out, too.
    func holdGraphics() {
        TerminalRestorer.armScreen(descriptor, Self.exit(removing: KittyEncoder.removal))
    }

    /// Shows the main screen again. What a terminal that does not read has not taken is discarded.
    func leave() { TerminalRestorer.restoreScreen() }

    /// - Parameter interruption: ends the writing when it is raised; `nil`: it waits for a short while only.
    func write(_ bytes: [UInt8], unless interruption: WakeSignal?) -> Outcome {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, min($0.count, 1 << 16))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            if count < 0, errno == EINTR { continue }
            guard count == 0 || errno == EAGAIN else { return .gone }
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&entries, 2, interruption == nil ? Self.timeout : -1)
            if entries[1].revents != 0 || ready == 0 { return .interrupted }
            if Int32(entries[0].revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 { return .gone }
        }
        return .written
    }
}
