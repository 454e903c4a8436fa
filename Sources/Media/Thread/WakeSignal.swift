internal import Glibc

/// A flag that wakes a thread blocked in `poll`. Thread-safe.
///
/// Public, because a clock of one's own (`MediaClock`) waits for it; only vcap makes and raises it.
/// Data-plane threads poll their device together with `descriptor`, so that stopping needs no tick.
/// It is a pipe, because Glibc does not lend `eventfd` to Swift and this room imports no C module.
public final class WakeSignal: Sendable {
    /// To be added to a `poll` set; readable while the signal is raised.
    package let descriptor: Int32
    private let writeEnd: Int32

    package init() {
        var ends: [Int32] = [-1, -1]
        let result = pipe(&ends)
        precondition(result == 0, "out of file descriptors")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    /// Raises the signal; it stays raised until `lower()`. Async-signal-safe.
    package func raise() {
        var one: UInt8 = 1
        _ = write(writeEnd, &one, 1)
    }

    /// Lowers the signal.
    package func lower() {
        var bytes: UInt64 = 0
        while read(descriptor, &bytes, 8) > 0 {}
    }

    public var isRaised: Bool { wait(nanoseconds: 0) }

    /// Blocks until the signal is raised (`true`) or the time is over (`false`); up to a
    /// millisecond late, because `poll` counts milliseconds.
    public func wait(nanoseconds: Int64) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return poll(&entry, 1, Int32(clamping: rest > 0 ? whole + 1 : whole)) > 0
    }
}
