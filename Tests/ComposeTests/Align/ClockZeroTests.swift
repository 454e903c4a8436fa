import Media
import Testing

@testable import Compose

@Suite("Where a running clock stood at zero")
struct ClockZeroTests {
    /// What a camera sees of a clock that began at `zero` of the recording.
    private func readings(
        zero: Double, rate: Double, from start: Double = 0, count: Int, drift: Double = 0
    ) -> [ClockReading] {
        (0..<count).compactMap { index in
            let time = start + Double(index) / rate
            let shown = (time * (1 + drift) - zero) * 1000
            guard shown >= 0 else { return nil }
            return ClockReading(
                time: .nanoseconds(Int64(time * 1e9)), clock: "k",
                milliseconds: Int64(shown) / 100 * 100, step: 100)
        }
    }

    private func zero(_ readings: [ClockReading]) -> ClockZero? {
        guard case .found(let zero) = ClockZero.outcome(readings) else { return nil }
        return zero
    }

    @Test(
        "it is found to half a frame of the camera, wherever it lies between frames",
        arguments: [24.0, 25, 29.97, 30, 50, 60])
    func exact(rate: Double) throws {
        for part in 0..<23 {
            let truth = -4 + Double(part) * 0.0137
            let found = try #require(zero(readings(zero: truth, rate: rate, count: Int(rate * 3))))
            #expect(abs(found.time - truth) <= 0.5 / rate + 1e-6, "\(rate) \(part) \(found.time)")
            #expect(abs(found.time - truth) <= found.uncertainty + 1e-6)
        }
    }

    @Test("looks at five frames a second say no more than they can, and say so")
    func few() throws {
        let found = try #require(zero(readings(zero: -1.03, rate: 5, count: 30)))
        #expect(abs(found.time + 1.03) <= found.uncertainty && found.uncertainty <= 0.1001)
    }

    @Test("clocks that differ by 500 ppm over ten minutes do not contradict themselves")
    func drift() {
        for drift in [-450e-6, 450e-6] {
            #expect(zero(readings(zero: -2, rate: 10, count: 6000, drift: drift)) != nil)
        }
    }

    @Test(
        "a recording that was cut, and a clock that was started again, contradict themselves there")
    func contradicting() {
        let first = readings(zero: 0.5, rate: 30, count: 90)
        for shift in [-0.4, 0.4, 3] {
            let second = readings(zero: 0.5 + shift, rate: 30, from: 3.5, count: 90)
            guard case .contradicting(let time) = ClockZero.outcome(first + second) else {
                #expect(Bool(false), "\(shift)")
                continue
            }
            #expect(abs(time - 3.5) < 0.2, "\(time)")
        }
        // the control: without the shift they are one
        #expect(zero(first + readings(zero: 0.5, rate: 30, from: 3.5, count: 90)) != nil)
    }

    @Test(
        "a player that stands at its first frame before it is started, and at its last at the end, is no contradiction"
    )
    func standing() throws {
        let running = readings(zero: 3, rate: 30, from: 3, count: 120)
        func stands(_ value: Int64, from start: Int64) -> [ClockReading] {
            (0..<60).map {
                ClockReading(
                    time: .milliseconds(start + $0 * 33), clock: "k", milliseconds: value, step: 100
                )
            }
        }
        let last = try #require(running.last)
        let found = try #require(
            zero(stands(0, from: 900) + running + stands(last.milliseconds, from: 7001)))
        #expect(abs(found.time - 3) <= 0.5 / 30)
        // the control: one that stands in between was paused
        let later = readings(zero: 5, rate: 30, from: 9, count: 90)
        guard
            case .contradicting = ClockZero.outcome(
                running + stands(last.milliseconds, from: 7001) + later)
        else {
            #expect(Bool(false))
            return
        }
    }

    @Test("a clock that stands, and one of two frames, was not seen to run")
    func brief() {
        let still = (0..<30).map {
            ClockReading(time: .milliseconds($0 * 33), clock: "k", milliseconds: 700, step: 100)
        }
        for readings in [still, Array(readings(zero: 0, rate: 10, count: 2)), []] {
            guard case .brief = ClockZero.outcome(readings) else {
                #expect(Bool(false))
                continue
            }
        }
    }
}
