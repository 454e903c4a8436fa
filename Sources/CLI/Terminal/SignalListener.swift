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
        // a process that does not know them is killed by these: a recording ends as it should
        (SIGPWR, .terminate), (SIGUSR2, .terminate), (SIGALRM, .terminate), (SIGVTALRM, .terminate),
        (SIGPROF, .terminate), (SIGIO, .terminate), (SIGXCPU, .terminate),
    ]

    /// Blocks the signals in this thread and those it starts, and unblocks every other one: a parent may
    /// have left anything blocked. A hang-up that was ignored before (nohup) stays ignored; an
    /// interrupt that a shell ignored for a background job does not.
    static func block() {
        for (number, event) in events where event != .hangUp { signal(number, SIG_DFL) }
        signal(SIGPIPE, SIG_IGN)
        // a file that may grow no further is an answer to the write (EFBIG), not the end
        signal(SIGXFSZ, SIG_IGN)
        var set = waited
        // a background process may neither be stopped by reading keys nor by writing its status
        sigaddset(&set, SIGTTIN)
        sigaddset(&set, SIGTTOU)
        pthread_sigmask(SIG_SETMASK, &set, nil)
    }

    /// The signals to wait for. One that is ignored must not be blocked: Linux would keep it pending.
    private static var waited: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for (number, event) in events where event != .hangUp || !isIgnored(number) {
            sigaddset(&set, number)
        }
        return set
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SIG_IGN is the address 1
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    private struct State {
        var handler: (@Sendable (Event) -> Void)?
        var hasThread = false
    }

    private static let state = Lock(State())

    /// Hands each signal to `handler`, on one thread that lives as long as the process. A later handler
    /// takes the place of the one before.
    static func listen(_ handler: @escaping @Sendable (Event) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.hasThread = true }
            state.handler = handler
            return !state.hasThread
        }
        guard isFirst else { return }
        NamedThread(name: "vcap-signals") {
            var set = waited
            var newest: (number: Int32, time: MediaTime)?
            while true {
                guard let number = next(of: &set) else { continue }
                let now = HostClock().now()
                if let newest, newest.number == number, ending.contains(number),
                    now - newest.time < sameWish
                {
                    continue
                }
                newest = (number, now)
                let handler = state.withLock { $0.handler }
                for (known, event) in events where known == number { handler?(event) }
            }
        }.detach()
    }

    private static let ending = Set(
        events.filter { [.interrupt, .terminate, .hangUp].contains($0.event) }.map(\.number))
    /// A signal to end that comes again so soon is the same wish: `timeout` sends it to the process and to its group
    /// (seconds).
    private static let sameWish = MediaTime.milliseconds(100)

    /// Waits for the next signal from outside: Swift's backtracer stops the threads of a process that crashed by SIGUSR1 to
    /// each, which is nobody's wish to pause.
    private static func next(of set: inout sigset_t) -> Int32? {
        var info = siginfo_t()
        let number = sigwaitinfo(&set, &info)
        guard number > 0 else { return nil }
        let isOwn =
            number == SIGUSR1 && info.si_code <= 0 && info._sifields._kill.si_pid == getpid()
        return isOwn ? nil : number
    }

    /// As `listen`, for verbs that know nothing but their end: each signal to end is handed over with its number in
    /// order (from 1), Ctrl-Z stops the process as ever.
    static func listenForEnd(_ end: @escaping @Sendable (Int) -> Void) {
        let count = Lock(0)
        listen { event in
            switch event {
            case .interrupt, .terminate, .hangUp:
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                end(number)
            case .suspend: stopProcess()
            case .togglePause, .continued: break
            }
        }
    }

    /// Of verbs that write: a signal ends the process at once, until what writes takes signals for itself.
    static func endBeforeWriting() {
        listenForEnd { _ in
            Console.shared.error("ended by a signal before anything was written")
            _ = Console.shared.conclude()
            _exit(ExitCode.failedRunning.rawValue)
        }
    }

    /// Stops the process as Ctrl-Z does; returns when it is continued, at once if it was continued while it prepared its
    /// stop: nobody would continue it a second time.
    static func stopProcess() {
        var pending = sigset_t()
        guard sigpending(&pending) != 0 || sigismember(&pending, SIGCONT) != 1 else { return }
        // to this thread: one sent to the process may stop it only some steps later
        pthread_kill(pthread_self(), SIGSTOP)
    }
}
