import Testing

@testable import Recording

private let ms: Int64 = 1_000_000

struct FrameHoldTests {
    @Test("a frame is repeated once a second, half a second late, while none comes")
    func repeatsOnceASecond() {
        var hold = FrameHold(interval: 1_000 * ms, frameDuration: 40 * ms)
        #expect(hold.due(at: 10_000 * ms) == nil)
        hold.wrote(at: 0)
        #expect(hold.due(at: 1_499 * ms) == nil)
        #expect(hold.due(at: 1_500 * ms) == 1_000 * ms)
        hold.wrote(at: 1_000 * ms)
        #expect(hold.due(at: 2_000 * ms) == nil)
        #expect(hold.due(at: 2_600 * ms) == 2_000 * ms)
        // frames that are late come all the same
        #expect(hold.due(at: 2_600 * ms, lastArrival: 2_000 * ms) == nil)
        #expect(hold.due(at: 3_500 * ms, lastArrival: 2_000 * ms) == 2_000 * ms)
        #expect(!hold.accepts(1_000 * ms))
        #expect(hold.accepts(1_001 * ms))
    }

    @Test("a camera that takes a frame every two seconds is not repeated between them")
    func slowCamera() {
        var hold = FrameHold(interval: 1_000 * ms, frameDuration: 2_000 * ms)
        hold.wrote(at: 0)
        #expect(hold.due(at: 8_000 * ms) == nil)
        #expect(hold.due(at: 8_500 * ms) == 8_000 * ms)
    }

    @Test("the measured rate is the stamps', with gaps left out")
    func measuresRate() throws {
        var meter = RateMeter(frameDuration: 40 * ms)
        #expect(meter.current == nil)
        for frame in 0..<100 { meter.add(Int64(frame) * 40 * ms) }
        for frame in 0..<100 { meter.add(20_000 * ms + Int64(frame) * 50 * ms) }
        #expect(abs(try #require(meter.current) - 20) < 0.01)
        // 99 intervals of 40 ms and 99 of 50 ms
        #expect(abs(try #require(meter.overall) - 198 / (99 * 0.09)) < 0.01)
    }

    @Test("the distance of frames is the current rate's, and known of one frame a second too")
    func measuresPeriod() {
        var meter = RateMeter(frameDuration: 40 * ms)
        #expect(meter.period == nil)
        for frame in 0..<10 { meter.add(Int64(frame) * 66 * ms) }
        #expect(meter.period == 66 * ms)
        // a gap, and then a frame a second
        for second in 0..<3 { meter.add(9_000 * ms + Int64(second) * 1_000 * ms) }
        #expect(meter.current == nil)
        #expect(meter.period == 1_000 * ms)
        // two gaps are more than any camera's rate explains: the shorter one
        meter.add(13_500 * ms)
        #expect(meter.period == 1_000 * ms)
    }
}
