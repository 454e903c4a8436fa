internal import Glibc

/// Gives the terminal back when the process ends by `exit` or by a crash. Async-signal-safe once
/// armed: it only touches memory that was set up before.
enum TerminalRestorer {
    private struct Saved {
        var descriptor: Int32 = -1
        var attributes = termios()
        var isArmed = false
        /// The screen that shows a picture, and what leads out of it.
        var screen: Int32 = -1
        var exit: UnsafeMutablePointer<UInt8>?
        var exitCount = 0
        var isScreenArmed = false
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

    /// From now on a way out of the process leaves the alternate screen, too.
    /// - Parameters:
    ///   - descriptor: does not wait for a terminal that does not read.
    ///   - bytes: what leads out.
    static func armScreen(_ descriptor: Int32, _ bytes: [UInt8]) {
        saved.pointee.isScreenArmed = false
        // what was there before may be in use by a crash right now, and is left to it
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        memory.initialize(from: bytes, count: bytes.count)
        saved.pointee.screen = descriptor
        saved.pointee.exit = memory
        saved.pointee.exitCount = bytes.count
        saved.pointee.isScreenArmed = true
        _ = hooks
    }

    /// Leaves the alternate screen, if it is shown. What a terminal that does not read has not taken yet is discarded
    /// where the bytes would not fit.
    static func restoreScreen() {
        guard saved.pointee.isScreenArmed, let exit = saved.pointee.exit else { return }
        saved.pointee.isScreenArmed = false
        let count = saved.pointee.exitCount
        var written = 0
        for attempt in 0..<4 where written < count {
            let taken = write(saved.pointee.screen, exit + written, count - written)
            if taken > 0 { written += taken }
            if written == count { break }
            var entry = pollfd(fd: saved.pointee.screen, events: Int16(POLLOUT), revents: 0)
            if attempt == 0 {
                if poll(&entry, 1, 200) == 0 { continueOutput(saved.pointee.screen) }
            } else if attempt > 1 || poll(&entry, 1, 200) == 0 {
                tcflush(saved.pointee.screen, TCOFLUSH)
                // what is cut off begins anew
                written = 0
            }
        }
    }

    /// Undoes Ctrl-S: a terminal that holds its output cannot be given back, and the picture that it was to hold is
    /// over. Output continues where the terminal does not obey Ctrl-S, for a moment.
    private static func continueOutput(_ descriptor: Int32) {
        var attributes = termios()
        guard tcgetpgrp(descriptor) == getpgrp(), tcgetattr(descriptor, &attributes) == 0,
            attributes.c_iflag & tcflag_t(IXON) != 0
        else { return }
        var changed = attributes
        changed.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(descriptor, TCSANOW, &changed)
        tcsetattr(descriptor, TCSANOW, &attributes)
    }

    static func restore() {
        restoreScreen()
        restoreKeys()
    }

    static func restoreKeys() {
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
