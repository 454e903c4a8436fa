internal import Glibc
import Media

/// A terminal that hands over keys as they are pressed, and is given back as it was. Thread-safe.
///
/// Signals the keyboard makes (Ctrl-C, Ctrl-Z) stay. A background process leaves the terminal alone.
final class RawTerminal: Sendable {
    private struct State {
        var isRaw = false
        /// Whether the terminal was given away and must not be taken again.
        var isAway = false
        var isOver = false
    }

    /// Raised when the terminal is given away or taken back.
    let changed = WakeSignal()
    private let descriptor: Int32
    private let state = Lock(State())

    /// `nil` when the descriptor is no terminal, or one whose keys are another session's.
    init?(_ descriptor: Int32) {
        guard isatty(descriptor) == 1, TerminalOwner.owner(of: descriptor) != .anotherSession
        else { return nil }
        self.descriptor = descriptor
    }

    /// Whether this process may read keys now.
    var isInForeground: Bool { TerminalOwner.isInForeground(descriptor) }

    /// Keys come one by one and unseen, if this process is in the foreground.
    /// - Returns: whether they do.
    @discardableResult
    func enter() -> Bool {
        state.withLock { state in
            guard !state.isRaw, !state.isAway, isInForeground else { return state.isRaw }
            var attributes = termios()
            guard tcgetattr(descriptor, &attributes) == 0 else { return false }
            TerminalRestorer.arm(descriptor, attributes)
            attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
            attributes.c_cc.5 = 0  // VTIME
            attributes.c_cc.6 = 1  // VMIN
            state.isRaw = tcsetattr(descriptor, TCSANOW, &attributes) == 0
            return state.isRaw
        }
    }

    /// The terminal is as it was before `enter`, and stays so until `comeBack`.
    /// - Parameter forGood: whether it stays so whatever comes.
    func leave(forGood: Bool = false) {
        state.withLock { state in
            state.isAway = true
            state.isOver = state.isOver || forGood
            guard state.isRaw else { return }
            TerminalRestorer.restoreKeys()
            state.isRaw = false
        }
        changed.raise()
    }

    /// The process continues: keys may be read again.
    func comeBack() {
        state.withLock { $0.isAway = $0.isOver }
        enter()
        changed.raise()
    }
}
