internal import Glibc

/// Runs before the constructors of the shared libraries: those of FFmpeg, Pango and the sound server's take
/// 40 ms, in which a signal would kill a recorder that cannot have said a word yet. What comes meanwhile
/// waits until `SignalListener` takes it.
///
/// The C library hands over the words of the command line. No Swift code has been set up yet: nothing here
/// allocates, and only a recording is protected so early.
@section(".preinit_array") @used
private let protectRecordings:
    @convention(c) (
        CInt, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?
    ) -> Void = { count, words, _ in
        guard count > 1, let verb = words?[1], isRecord(verb) else { return }
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGQUIT)
        sigaddset(&set, SIGHUP)
        sigaddset(&set, SIGUSR1)
        sigaddset(&set, SIGTSTP)
        sigaddset(&set, SIGPWR)
        sigaddset(&set, SIGUSR2)
        sigaddset(&set, SIGALRM)
        sigprocmask(SIG_BLOCK, &set, nil)
    }

/// Whether a word is `record`; without strings, which need memory.
private func isRecord(_ word: UnsafePointer<CChar>) -> Bool {
    word[0] == 0x72 && word[1] == 0x65 && word[2] == 0x63 && word[3] == 0x6F && word[4] == 0x72
        && word[5] == 0x64 && word[6] == 0
}
