internal import Glibc
internal import Media

/// What an encoder would print by itself.
enum EncoderMessages {
    private static let isQuiet = Lock(false)

    /// Has SVT-AV1 print errors only, which it takes from the environment: else each encoder prints its settings to
    /// standard error. A value that is there stays.
    ///
    /// A program sets `SVT_LOG` itself, before it has threads: the environment belongs to all of them.
    static func quieten() {
        isQuiet.withLock { isQuiet in
            if !isQuiet { setenv("SVT_LOG", "1", 0) }
            isQuiet = true
        }
    }
}
