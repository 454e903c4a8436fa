package import Media

/// A clock that stands still until a test moves it. Thread-safe.
package final class ManualClock: MediaClock {
    private let time: BlockingLock<Int64>

    package init(at start: MediaTime = .nanoseconds(0)) {
        time = BlockingLock(start.nanoseconds())
    }

    package func now() -> MediaTime { .nanoseconds(time.withLock { $0 }) }

    /// Moves time forward and wakes every thread that waits for it.
    package func advance(by duration: MediaTime) {
        time.withLock { $0 += duration.nanoseconds() }
    }

    package func wait(until deadline: MediaTime, orSignal signal: WakeSignal) -> WaitOutcome {
        let target = deadline.nanoseconds(rounding: .up)
        while true {
            // looks at the signal every millisecond: a pipe cannot wake a condition
            let outcome = time.wait(nanoseconds: 1_000_000) { now -> WaitOutcome? in
                if signal.isRaised { return .signalled }
                return now >= target ? .reachedDeadline : nil
            }
            if let outcome { return outcome }
        }
    }
}
