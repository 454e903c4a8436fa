internal import Glibc
import Media
import Play

/// Reads keys from a terminal on a thread of its own until the terminal is lost or it is stopped.
final class KeyReader: Sendable {
    private let descriptor: Int32
    private let terminal: RawTerminal
    private let end = WakeSignal()
    private let begins: @Sendable () -> Void
    private let handler: @Sendable (Key?) -> Void
    private let answers: (@Sendable (TerminalAnswer) -> Void)?
    /// Whether answers of the terminal may come among the keys.
    private let expectsAnswers = Lock(false)
    /// How often a process in the background looks whether it has come to the foreground (ms).
    private static let timeout: Int32 = 300

    /// Starts reading; both run on the reader's thread and must not block for long.
    /// - Parameters:
    ///   - begins: called once, when keys are read: at once, unless this is in the background.
    ///   - handler: gets each key; `nil` for one that has no character of its own.
    ///   - answers: gets what the terminal says of itself, when it was asked.
    init(
        _ descriptor: Int32, _ terminal: RawTerminal, begins: @escaping @Sendable () -> Void,
        handler: @escaping @Sendable (Key?) -> Void,
        answers: (@Sendable (TerminalAnswer) -> Void)? = nil
    ) {
        self.descriptor = descriptor
        self.terminal = terminal
        self.begins = begins
        self.handler = handler
        self.answers = answers
        terminal.enter()
        NamedThread(name: "vcap-keys") { [self] in run() }.detach()
    }

    /// Gives the terminal back and reads no more.
    func stop() {
        end.raise()
        terminal.leave(forGood: true)
    }

    /// The terminal was asked, and its answers come among the keys, or no longer.
    func expectAnswers(_ expects: Bool) { expectsAnswers.withLock { $0 = expects } }

    private func run() {
        var hasBegun = false
        var input = TerminalInput()
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
            input.awaitsAnswers = expectsAnswers.withLock { $0 }
            guard
                takeKeys(
                    &input, hungUp: Int32(entries[0].revents) & (POLLHUP | POLLERR | POLLNVAL) != 0)
            else { return }
        }
    }

    /// Whether there may be more keys.
    private func takeKeys(_ input: inout TerminalInput, hungUp: Bool) -> Bool {
        if !terminal.isInForeground, !hungUp {
            // keys now belong to another process of this terminal; look again in a while
            return !end.wait(nanoseconds: 200_000_000)
        }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0 {
            return errno == EINTR || (errno == EIO && !hungUp && isatty(descriptor) == 1)
        }
        if count == 0 { return false }
        for element in input.take(bytes.prefix(count)) {
            switch element {
            case .key(let byte): handler(Key(byte: byte))
            case .arrow(let arrow): handler(Key(arrow))
            case .otherKey: handler(nil)
            case .answer(let answer): answers?(answer)
            }
        }
        return true
    }
}

extension Key {
    fileprivate init(_ arrow: TerminalInput.Arrow) {
        switch arrow {
        case .up: self.init(Key.Arrow.up)
        case .down: self.init(Key.Arrow.down)
        case .left: self.init(Key.Arrow.left)
        case .right: self.init(Key.Arrow.right)
        }
    }
}
