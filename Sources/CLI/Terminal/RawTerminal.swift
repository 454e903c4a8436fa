internal import Glibc
import Synchronization

/// A terminal that hands over keys as they are pressed, and is given back as it was. Thread-safe.
///
/// Signals the keyboard makes (Ctrl-C, Ctrl-Z) stay. A background process leaves the terminal alone.
final class RawTerminal: Sendable {
    private let descriptor: Int32
    private let isRaw = Mutex(false)

    /// `nil` when the descriptor is no terminal.
    init?(_ descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        self.descriptor = descriptor
    }

    /// Whether this process may read keys now.
    var isInForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

    /// Keys come one by one and unseen, if this process is in the foreground.
    func enter() {
        isRaw.withLock { isRaw in
            guard !isRaw, isInForeground else { return }
            var attributes = termios()
            guard tcgetattr(descriptor, &attributes) == 0 else { return }
            TerminalRestorer.arm(descriptor, attributes)
            attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
            attributes.c_cc.5 = 0  // VTIME
            attributes.c_cc.6 = 1  // VMIN
            isRaw = tcsetattr(descriptor, TCSANOW, &attributes) == 0
        }
    }

    /// The terminal is as it was before `enter`.
    func leave() {
        isRaw.withLock { isRaw in
            guard isRaw else { return }
            TerminalRestorer.restore()
            isRaw = false
        }
    }
}
