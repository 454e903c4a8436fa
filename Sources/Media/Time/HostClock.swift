internal import Glibc

/// The host clock: CLOCK_MONOTONIC, on which capture stamps live until the writer's session start.
public struct HostClock: MediaClock {
    public init() {}

    public func now() -> MediaTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    public func wait(until deadline: MediaTime, orSignal signal: WakeSignal) -> WaitOutcome {
        let target = deadline.nanoseconds(rounding: .up)
        while true {
            let left = target - now().value
            if left <= 0 { return signal.isRaised ? .signalled : .reachedDeadline }
            if signal.wait(nanoseconds: left) { return .signalled }
        }
    }
}

/// Wall-clock time, only for names, reports and metadata.
public enum WallClock {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public static func nanosecondsSinceEpoch() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
