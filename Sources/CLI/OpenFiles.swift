internal import Glibc

/// How many files the process may have open at once. Devices, threads' signals, libraries and movies take a few
/// dozen, and what cannot be opened then could not even be reported.
enum OpenFiles {
    private static let least: rlim_t = 64
    private static let wanted: rlim_t = 1024

    /// Asks the system for enough.
    /// - Returns: what is wrong when it gives too few.
    static func makeRoom() -> CommandFailure? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return nil
        }
        if limit.rlim_cur < wanted, limit.rlim_max > limit.rlim_cur {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        guard limit.rlim_cur < least else { return nil }
        return CommandFailure(
            .ioError,
            "only \(limit.rlim_cur) files may be open at once, and vcap needs \(least): raise the limit (ulimit -n)"
        )
    }
}
