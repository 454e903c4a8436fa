import Testing

@testable import Capture

@Suite struct SteadyStampsTests {
    private let block: Int64 = 20_000_000

    @Test("estimates that jitter by 15 ms give stamps steady within 2 ms")
    func jitter() {
        var stamps = SteadyStamps(rate: 48_000)
        var worst: Int64 = 0
        for index in 0..<500 {
            let ideal = Int64(index) * block
            let jitter = [-15_000_000, 0, 15_000_000][index % 3] as Int64
            let placed = place(&stamps, ideal + jitter, now: ideal)
            if index > 50 { worst = max(worst, abs(placed.stamp - ideal)) }
            #expect(placed.lost == 0)
        }
        #expect(worst < 2_000_000)
    }

    @Test("a clock 500 ppm off is followed within half a millisecond")
    func drift() {
        var stamps = SteadyStamps(rate: 48_000)
        var last: Int64 = 0
        for index in 0..<3000 {
            let real = Int64(index) * (block + 10_000)
            last = place(&stamps, real, now: real).stamp - real
        }
        #expect(abs(last) < 500_000)
    }

    @Test("a hole the server says of moves the stamps by exactly its length")
    func hole() {
        var stamps = SteadyStamps(rate: 48_000)
        _ = place(&stamps, 0, now: 0)
        stamps.skip(frames: 4800)
        #expect(place(&stamps, 120_000_000, now: 0) == .init(stamp: 120_000_000, lost: 0))
    }

    @Test("after a suspend the frames in between are missing at once")
    func suspend() {
        var stamps = SteadyStamps(rate: 48_000)
        _ = place(&stamps, 0, now: 0)
        stamps.interrupt()
        #expect(
            place(&stamps, 1_020_000_000, now: 0) == .init(stamp: 1_020_000_000, lost: 48_000))
        #expect(place(&stamps, 1_040_000_000, now: 0).lost == 0)
    }

    @Test("estimates far off are believed after two seconds, not before")
    func timeout() {
        var stamps = SteadyStamps(rate: 48_000)
        _ = place(&stamps, 0, now: 0)
        let shift: Int64 = 100_000_000
        for index in 1...100 {
            let ideal = Int64(index) * block
            #expect(place(&stamps, ideal + shift, now: ideal).stamp == ideal)
        }
        let ideal = 101 * block
        #expect(
            place(&stamps, ideal + shift, now: ideal) == .init(stamp: ideal + shift, lost: 4800))
    }

    private func place(
        _ stamps: inout SteadyStamps, _ estimate: Int64, now: Int64
    ) -> SteadyStamps.Placement {
        stamps.place(frames: 960, estimate: estimate, now: now)
    }
}
