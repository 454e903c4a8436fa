internal import Glibc

/// Gives the terminal back when the process ends by `exit` or by a crash. Async-signal-safe once
/// armed: it only touches memory that was set up before.
enum TerminalRestorer {
    private struct Saved {
        var descriptor: Int32 = -1
        var attributes = termios()
        var isArmed = false
    }

    // because a signal handler may take no lock; written before `isArmed` is set
    nonisolated(unsafe) private static let saved: UnsafeMutablePointer<Saved> = {
        let pointer = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
        pointer.initialize(to: Saved())
        return pointer
    }()

    private static let crashSignals = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]

    /// Set up once per process.
    private static let hooks: Void = {
        atexit { TerminalRestorer.restore() }
        for number in crashSignals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = restoreAndDie
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
            sigaction(number, &action, nil)
        }
    }()

    /// Remembers how the terminal is now.
    static func arm(_ descriptor: Int32, _ attributes: termios) {
        saved.pointee.descriptor = descriptor
        saved.pointee.attributes = attributes
        saved.pointee.isArmed = true
        _ = hooks
    }

    static func restore() {
        guard saved.pointee.isArmed else { return }
        saved.pointee.isArmed = false
        tcsetattr(saved.pointee.descriptor, TCSANOW, &saved.pointee.attributes)
    }
}

/// The crash continues with the system's own handling, after the terminal was given back.
nonisolated private func restoreAndDie(_ number: Int32) {
    TerminalRestorer.restore()
    raise(number)
}
