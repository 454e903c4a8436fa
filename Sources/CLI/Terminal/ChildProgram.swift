internal import CLinux
internal import Glibc

/// Starts programs beside this one: their signals are those of a new program, and of this one's descriptors they have
/// those that they are given.
struct ChildProgram {
    /// By its path.
    let program: String
    /// The first one is its name.
    let words: [String]
    /// Its standard input and output (descriptors of this process); nil: this one's.
    var input: Int32?
    var output: Int32?
    /// Whether what it says is lost (default no).
    var isMute = false
    /// Whether a terminal's keys do not reach it (default no).
    var hasOwnGroup = false

    /// - Parameter process: becomes its number.
    /// - Returns: the system's answer (errno; 0: it runs).
    func start(_ process: inout pid_t) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (own, its) in [(input, STDIN_FILENO), (output, STDOUT_FILENO)] {
            if let own { posix_spawn_file_actions_adddup2(&actions, own, its) }
        }
        if isMute {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        // no take and no device stays open there
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags =
            POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
            | (hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        // ignored, it would leave nobody to ask how the program ended
        signal(SIGCHLD, SIG_DFL)
        return posix_spawn(&process, program, &actions, &attributes, &pointers, environ)
    }
}
