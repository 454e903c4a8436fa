internal import Glibc
import Media

/// Takes the process's signals on one thread, where anything may be done.
///
/// `block()` must run before any other thread starts, so that no thread takes them the raw way.
enum SignalListener {
    /// What a signal means to a recording.
    enum Event: Sendable, Equatable {
        case interrupt
        case terminate
        case hangUp
        case togglePause
        case suspend
        case continued
    }

    private static let events: [(number: Int32, event: Event)] = [
        (SIGINT, .interrupt), (SIGTERM, .terminate), (SIGQUIT, .terminate), (SIGHUP, .hangUp),
        (SIGUSR1, .togglePause), (SIGTSTP, .suspend), (SIGCONT, .continued),
    ]

    private static var waited: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for (number, _) in events { sigaddset(&set, number) }
        return set
    }

    /// Blocks the signals in this thread and those it starts. A hang-up that was ignored before
    /// (nohup) stays ignored; an interrupt that a shell ignored for a background job does not.
    static func block() {
        for number in [SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGTSTP, SIGCONT] {
            signal(number, SIG_DFL)
        }
        signal(SIGPIPE, SIG_IGN)
        var set = waited
        // a background process may neither be stopped by reading keys nor by writing its status
        sigaddset(&set, SIGTTIN)
        sigaddset(&set, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Hands each signal to `handler`, on one thread that lives as long as the process.
    static func listen(_ handler: @escaping @Sendable (Event) -> Void) {
        _ = NamedThread(name: "vcap-signals") {
            var set = waited
            var number: Int32 = 0
            while true {
                guard sigwait(&set, &number) == 0 else { continue }
                for (known, event) in events where known == number { handler(event) }
            }
        }
    }

    /// Stops the process as Ctrl-Z does; returns when it is continued.
    static func stopProcess() {
        kill(getpid(), SIGSTOP)
    }
}
