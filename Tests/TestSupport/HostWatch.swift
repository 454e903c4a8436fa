internal import CLinux
internal import Glibc
package import Media

/// Sees whether the machine itself stood still while a test measured in real time: a virtual machine on a
/// busy host can stop for seconds, each processor by itself too, and then nothing measured by a clock is the
/// program's doing.
package final class HostWatch: Sendable {
    private let signal = WakeSignal()
    private let longest = BlockingLock(MediaTime.zero)
    private let threads: [NamedThread]

    /// Begins to watch every processor.
    /// - Parameter step: about the shortest standstill that is seen.
    package init(step: MediaTime = .milliseconds(50)) {
        let (signal, longest) = (signal, longest)
        threads = (0..<sysconf(Int32(_SC_NPROCESSORS_ONLN))).map { processor in
            NamedThread(name: "host-watch") {
                Self.stay(on: processor)
                let clock = HostClock()
                while true {
                    let deadline = clock.now() + step
                    let end = clock.wait(until: deadline, orSignal: signal)
                    let late = clock.now() - deadline
                    longest.withLock { $0 = max($0, late) }
                    if end == .signalled { return }
                }
            }
        }
    }

    /// Keeps the calling thread on one processor, where the system allows it.
    private static func stay(on processor: Int) {
        var set = cpu_set_t()
        withUnsafeMutableBytes(of: &set) { bytes in
            guard processor / 8 < bytes.count else { return }
            bytes[processor / 8] |= 1 << UInt8(processor % 8)
        }
        _ = sched_setaffinity(0, MemoryLayout<cpu_set_t>.size, &set)
    }

    /// Stops watching; called once.
    /// - Returns: the longest time for which a thread of this watch, which does nothing else, was not run.
    package func stop() -> MediaTime {
        signal.raise()
        for thread in threads { thread.join() }
        return longest.withLock { $0 }
    }
}

extension HostWatch {
    /// Does what is measured in real time, and once more where the machine stood still meanwhile. The last time
    /// counts as it is.
    /// - Parameters:
    ///   - times: how often it is done at most.
    ///   - limit: the longest standstill that spoils nothing.
    ///   - timeout: for how many seconds at most it waits before it is done once more, until the machine has run
    ///     for three of them without such a standstill.
    ///   - body: is given how often it was done before.
    /// - Returns: what the last time gave, and for how long the machine stood still in it.
    package static func untilUndisturbed<Result>(
        times: Int, limit: MediaTime, timeout: Int = 0, _ body: (Int) throws -> Result
    ) rethrows -> (result: Result, stood: MediaTime) {
        var before = 0
        while true {
            let watch = HostWatch()
            let answer: Result
            do {
                answer = try body(before)
            } catch {
                _ = watch.stop()
                throw error
            }
            let stood = watch.stop()
            before += 1
            if stood <= limit || before >= times { return (answer, stood) }
            waitUntilUndisturbed(limit, timeout: timeout)
        }
    }

    private static func waitUntilUndisturbed(_ limit: MediaTime, timeout: Int) {
        var still = 0
        for _ in 0..<timeout where still < 3 {
            let watch = HostWatch()
            sleep(1)
            still = watch.stop() > limit ? 0 : still + 1
        }
    }
}
