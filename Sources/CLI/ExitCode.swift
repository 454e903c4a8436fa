/// What the process answers its caller with (sysexits where they fit).
enum ExitCode: Int32 {
    /// Done; a stop by the user included.
    case done = 0
    /// Failed, or ended by a signal, while running; what was written of a take is valid, of a conversion nothing
    /// is left.
    case failedRunning = 1
    /// Finished, but the verdict is bad and `--strict` was given.
    case badVerdict = 3
    /// Recordings whose audio does not say where they lie to each other.
    case notAligned = 4
    case usage = 64
    case badData = 65
    case noInput = 66
    case noDevice = 69
    case cannotCreate = 73
    case ioError = 74
    case deviceBusy = 75
    case notPermitted = 77
    case configuration = 78
}
