internal import Media

/// The device time all test devices of a process share: it starts at the whole second of the host
/// clock at or before the first of them was opened, so that the order of opening does not matter.
final class TestTimeline: Sendable {
    private struct State {
        var clock: (any MediaClock)?
        var origin: Int64 = 0
        /// The frames' schedule of each camera opened so far, by number.
        var pictures: [Int: DeviceSchedule] = [:]
    }

    private let state = Lock(State())

    /// The start of device time (host clock, ns); the first caller's clock sets it.
    func origin(on clock: any MediaClock) -> Int64 {
        let now = clock.now().nanoseconds()
        return state.withLock { state in
            if state.clock == nil {
                state.clock = clock
                state.origin = now / 1_000_000_000 * 1_000_000_000
            }
            return state.origin
        }
    }

    /// Device time of a device now; `nil` before the first was opened.
    func deviceTime(ppm: Int64) -> MediaTime? {
        let (clock, origin) = state.withLock { ($0.clock, $0.origin) }
        guard let clock else { return nil }
        return DeviceSchedule(origin: origin, rate: FrameRate(1), ppm: ppm)
            .deviceTime(at: clock.now())
    }

    func setFrames(_ schedule: DeviceSchedule, of number: Int) {
        state.withLock { $0.pictures[number] = schedule }
    }

    /// The schedule of a camera's frames; 30 a second when there is no such camera.
    func pictures(of number: Int) -> DeviceSchedule {
        state.withLock { state in
            state.pictures[number]
                ?? DeviceSchedule(origin: state.origin, rate: FrameRate(30), ppm: 0)
        }
    }
}
