internal import Glibc
import Media

/// Reads keys from a terminal on a thread of its own until the terminal is lost or it is stopped.
final class KeyReader: Sendable {
    private let descriptor: Int32
    private let terminal: RawTerminal
    private let end = WakeSignal()
    private let begins: @Sendable () -> Void
    private let handler: @Sendable (Key?) -> Void
    /// How often a process in the background looks whether it has come to the foreground (ms).
    private static let timeout: Int32 = 300

    /// Starts reading; both run on the reader's thread and must not block for long.
    /// - Parameters:
    ///   - begins: called once, when keys are read: at once, unless this is in the background.
    ///   - handler: gets each key; `nil` for one that has no character of its own, such as an arrow.
    init(
        _ descriptor: Int32, _ terminal: RawTerminal, begins: @escaping @Sendable () -> Void,
        handler: @escaping @Sendable (Key?) -> Void
    ) {
        self.descriptor = descriptor
        self.terminal = terminal
        self.begins = begins
        self.handler = handler
        terminal.enter()
        NamedThread(name: "vcap-keys") { [self] in run() }.detach()
    }

    /// Gives the terminal back and reads no more.
    func stop() {
        end.raise()
        terminal.leave(forGood: true)
    }

    private func run() {
        var hasBegun = false
        while true {
            terminal.changed.lower()
            let isReading = terminal.enter()
            if isReading, !hasBegun { begins() }
            hasBegun = hasBegun || isReading
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: terminal.changed.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&entries, 3, isReading ? -1 : Self.timeout) < 0, errno != EINTR { return }
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
        if count > 1, bytes[0] == 0x1B {
            handler(nil)
            return true
        }
        for byte in bytes.prefix(count) where byte & 0xC0 != 0x80 {
            // a letter of another alphabet is several bytes, of which the first stands for it
            handler(byte < 0x80 ? Key(byte: byte) : nil)
        }
        return true
    }
}
