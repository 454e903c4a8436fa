package import Media

/// Sees whether the machine itself stood still while a test measured in real time: a virtual machine on a
/// busy host can stop for seconds, and then nothing measured by a clock is the program's doing.
package final class HostWatch: Sendable {
    private static let step = MediaTime.milliseconds(50)
    private let signal = WakeSignal()
    private let longest: BlockingLock<MediaTime>
    private let thread: NamedThread

    /// Begins to watch.
    package init() {
        let (signal, longest) = (signal, BlockingLock(MediaTime.zero))
        self.longest = longest
        thread = NamedThread(name: "host-watch") {
            let clock = HostClock()
            while true {
                let deadline = clock.now() + Self.step
                if clock.wait(until: deadline, orSignal: signal) == .signalled { return }
                let late = clock.now() - deadline
                longest.withLock { $0 = max($0, late) }
            }
        }
    }

    /// Stops watching; called once.
    /// - Returns: the longest time for which this thread, which does nothing else, was not run.
    package func stop() -> MediaTime {
        signal.raise()
        thread.join()
        return longest.withLock { $0 }
    }
}
