internal import Media

/// The map between the host clock and the time that is on show, at a rate; a pure value.
///
/// Times are ticks of the timeline, host times nanoseconds. While it stands it shows one time. It follows a measured
/// clock (the audio device's) without a jump: it becomes a little faster or slower until both agree. Only what is
/// further off than `jumpLimit` is jumped over, because it would take seconds.
package struct PlayerClock: Sendable, Equatable {
    /// Ticks of a second.
    package static let timescale: Int64 = 705_600_000
    private static let ticksPerNanosecond = Double(timescale) / 1_000_000_000
    /// How far a measure may be off before it is jumped to (ns).
    package static let jumpLimit: Int64 = 60_000_000
    /// In which time a difference is made up for (ns).
    private static let horizon = 400_000_000.0
    /// How much faster or slower it becomes at most (factor).
    private static let pull = 0.08

    /// What was asked for (factor; 0: it stands).
    package private(set) var rate = 0.0
    /// What it runs at, while it follows (factor).
    private var pace = 0.0
    private var anchorTime: Int64
    private var anchorHost: Int64 = 0

    /// Stands.
    package init(at time: Int64 = 0) { anchorTime = time }

    package var isRunning: Bool { rate != 0 }

    /// The time on show; before its beginning the one it begins with.
    package func time(at host: Int64) -> Int64 {
        guard isRunning, host > anchorHost else { return anchorTime }
        let passed = Double(host - anchorHost) * Self.ticksPerNanosecond * pace
        // towards the beginning, but for what floating point lacks
        return anchorTime + Int64((passed + (passed < 0 ? -0.01 : 0.01)).rounded(.towardZero))
    }

    /// When a time is on show: the first nanosecond at which `time(at:)` has reached it; nil while it stands.
    package func host(of time: Int64) -> Int64? {
        guard isRunning else { return nil }
        let ticks = Double(time - anchorTime) / (Self.ticksPerNanosecond * pace)
        return anchorHost + Int64(clamping: Int128(ticks.rounded(.up)))
    }

    /// Begins to run.
    /// - Parameters:
    ///   - time: on show at `host`, and before.
    ///   - rate: not 0; negative: backwards.
    package mutating func start(at time: Int64, host: Int64, rate: Double) {
        (anchorTime, anchorHost, self.rate, pace) = (time, host, rate, rate)
    }

    /// Stands at the time that is on show.
    package mutating func stop(host: Int64) { stand(at: time(at: host)) }

    /// Stands at a time.
    package mutating func stand(at time: Int64) {
        (anchorTime, rate, pace) = (time, 0, 0)
    }

    /// Follows a measured time; runs forwards at the rate of what is measured.
    /// - Returns: how much later the measured time was than the one shown (ns).
    @discardableResult
    package mutating func follow(_ measured: Int64, host: Int64) -> Int64 {
        guard isRunning else { return 0 }
        let shown = time(at: host)
        let error = Int64(Double(measured - shown) / Self.ticksPerNanosecond)
        if abs(error) > Self.jumpLimit {
            (anchorTime, anchorHost, pace) = (measured, host, rate)
        } else if host > anchorHost {
            let pull = min(max(Double(error) / Self.horizon, -Self.pull), Self.pull)
            (anchorTime, anchorHost, pace) = (shown, host, rate * (1 + pull))
        }
        return error
    }

    /// Runs on by the host clock, from the time that is on show.
    package mutating func release(host: Int64) {
        guard isRunning, host > anchorHost else { return }
        (anchorTime, anchorHost, pace) = (time(at: host), host, rate)
    }
}
