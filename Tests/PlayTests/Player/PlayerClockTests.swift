import TestSupport
import Testing

@testable import Play

@Suite("The clock of a player")
struct PlayerClockTests {
    private let second = PlayerClock.timescale

    @Test("it stands, begins at its host time, runs at its rate and stands again")
    func runs() {
        var clock = PlayerClock(at: 5)
        #expect(clock.time(at: 0) == 5 && clock.host(of: 9) == nil)
        clock.start(at: 100, host: 1_000_000_000, rate: 2)
        #expect(clock.time(at: 0) == 100 && clock.time(at: 1_000_000_000) == 100)
        #expect(clock.time(at: 1_500_000_000) == 100 + second)
        clock.stop(host: 2_000_000_000)
        #expect(clock.time(at: 9_000_000_000) == 100 + 2 * second && !clock.isRunning)
    }

    @Test("a frame's host time is the first at which it is on show, at any rate")
    func hostTimes() {
        var random = SplitMix(seed: 1)
        for _ in 0..<2000 {
            let rate =
                Double.random(in: 0.1...8, using: &random) * (Bool.random(using: &random) ? 1 : -1)
            var clock = PlayerClock()
            let start = Int64.random(in: 0..<100 * second, using: &random)
            clock.start(at: start, host: 77, rate: rate)
            let time =
                start + Int64(rate < 0 ? -1 : 1)
                * Int64.random(in: 1..<1000 * second, using: &random)
            let host = clock.host(of: time) ?? 0
            if rate > 0 {
                #expect(clock.time(at: host) >= time && clock.time(at: host - 2) < time)
            } else {
                #expect(clock.time(at: host) <= time && clock.time(at: host - 2) > time)
            }
        }
    }

    @Test("it follows a device that is a little off and one that drifts, without ever going back")
    func follows() {
        for drift in [-0.0005, 0.0, 0.0005] {
            var clock = PlayerClock()
            clock.start(at: 0, host: 0, rate: 1)
            var random = SplitMix(seed: 3)
            var last: Int64 = 0
            var worst = 0.0
            for step in 1...1000 {
                let host = Int64(step) * 20_000_000
                let noise = Double.random(in: -0.002...0.002, using: &random)
                // 40 ms off from the beginning on
                let measured = (Double(host) / 1e9) * (1 + drift) - 0.040 + noise
                clock.follow(Int64(measured * Double(second)), host: host)
                let shown = clock.time(at: host)
                #expect(shown >= last)
                last = shown
                if step > 150 {
                    let error = Double(shown) / Double(second) - (measured - noise)
                    worst = max(worst, abs(error))
                }
            }
            #expect(worst < 0.002, "\(worst) at \(drift)")
        }
    }

    @Test("what is far off is jumped to, and a lost device costs no jump")
    func jumpsAndReleases() {
        var clock = PlayerClock()
        clock.start(at: 0, host: 0, rate: 1)
        clock.follow(second, host: 100_000_000)
        #expect(clock.time(at: 100_000_000) == second)
        clock.follow(second + second / 20, host: 110_000_000)
        let before = clock.time(at: 500_000_000)
        clock.release(host: 500_000_000)
        #expect(clock.time(at: 500_000_000) == before)
        // at its own rate again: the pull is gone
        #expect(clock.time(at: 1_500_000_000) - before == second)
    }
}
