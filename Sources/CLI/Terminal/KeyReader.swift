internal import Glibc
import Media

/// Reads keys from a terminal on a thread of its own until the terminal is lost or told to stop.
final class KeyReader: Sendable {
    private let descriptor: Int32
    private let terminal: RawTerminal
    private let end = WakeSignal()
    private let handler: @Sendable (Key) -> Void

    /// Starts reading; the handler runs on the reader's thread and must not block for long.
    init(
        _ descriptor: Int32, _ terminal: RawTerminal, handler: @escaping @Sendable (Key) -> Void
    ) {
        self.descriptor = descriptor
        self.terminal = terminal
        self.handler = handler
        terminal.enter()
        NamedThread(name: "vcap-keys") { [self] in run() }.detach()
    }

    /// Gives the terminal back and reads no more.
    func stop() {
        end.raise()
        terminal.leave()
    }

    private func run() {
        while true {
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&entries, 2, -1) < 0, errno != EINTR { return }
            if entries[1].revents != 0 { return }
            guard entries[0].revents != 0 else { continue }
            guard takeKeys(hungUp: Int32(entries[0].revents) & (POLLHUP | POLLERR | POLLNVAL) != 0)
            else { return }
        }
    }

    /// Whether there may be more keys.
    private func takeKeys(hungUp: Bool) -> Bool {
        if !terminal.isInForeground, !hungUp {
            // keys now belong to another process of this terminal; look again in a while
            return !end.wait(nanoseconds: 200_000_000)
        }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0 {
            return errno == EINTR || (errno == EIO && !hungUp && isatty(descriptor) == 1)
        }
        if count == 0 { return false }
        // arrow and function keys come as one run that begins with escape
        if count > 1, bytes[0] == 0x1B { return true }
        for byte in bytes.prefix(count) { handler(Key(byte: byte)) }
        return true
    }
}
