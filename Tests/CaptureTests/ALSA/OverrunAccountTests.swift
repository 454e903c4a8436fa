import Testing

@testable import Capture

@Suite struct OverrunAccountTests {
    private let rate = 48_000

    @Test("an overrun between exact stamps costs exactly the frames between them")
    func exact() {
        var account = OverrunAccount(rate: rate)
        for index in 0..<100 {
            #expect(account.block(frames: 480, stamp: Int64(index) * 10_000_000) == 0)
        }
        account.overrun()
        // 100 blocks end at 1 s; the next frame is that of 1.25 s
        #expect(account.block(frames: 480, stamp: 1_250_000_000) == 12_000)
        #expect(account.block(frames: 480, stamp: 1_260_000_000) == 0)
        #expect(account.overruns == 1 && account.lostFrames == 12_000)
    }

    @Test("a coarse pointer's jitter before the overrun is averaged away")
    func jitter() {
        var account = OverrunAccount(rate: rate)
        var jitter: Int64 = 0
        for index in 0..<400 {
            jitter = (jitter + 1_700_000) % 4_000_000  // late by 0 to 4 ms
            _ = account.block(frames: 480, stamp: Int64(index) * 10_000_000 + jitter)
        }
        account.overrun()
        let lost = account.block(frames: 480, stamp: 4_500_000_000 + 2_000_000)
        #expect(abs(lost - 24_000) < 48)  // within 1 ms
    }

    @Test("a card that drifts 500 ppm for ten minutes does not count the drift as lost")
    func drift() {
        var account = OverrunAccount(rate: rate)
        var stamp: Int64 = 0
        for _ in 0..<60_000 {
            #expect(account.block(frames: 480, stamp: stamp) == 0)
            stamp += 10_005_000
        }
        account.overrun()
        #expect(abs(account.block(frames: 480, stamp: stamp + 100_000_000) - 4800) < 10)
    }

    @Test("an overrun before the first frame, and one that lost nothing, count no frames")
    func nothing() {
        var account = OverrunAccount(rate: rate)
        account.overrun()
        #expect(account.block(frames: 480, stamp: 77) == 0)
        account.overrun()
        #expect(account.block(frames: 480, stamp: 5_000_000) == 0)
        #expect(account.lostFrames == 0)
    }

    @Test("the oldest waiting frame is as much older than the driver's stamp as frames wait")
    func stamp() {
        let stamp = CaptureStamp.oldest(
            hardware: 5_000_000_000, now: 5_000_400_000, avail: 480, rate: rate)
        #expect(stamp == 4_990_000_000)
    }

    @Test("a stamp that is missing or on another clock is replaced by the host clock's")
    func untrusted() {
        for hardware in [nil, 1_763_000_000_000_000_000] as [Int64?] {
            let stamp = CaptureStamp.oldest(
                hardware: hardware, now: 5_000_000_000, avail: 480, rate: rate)
            #expect(stamp == 4_990_000_000)
        }
    }
}
