import Media
import Testing

@Suite("Media time")
struct MediaTimeTests {
    @Test("thirds of a second add up to exactly one second")
    func exactSum() {
        let third = MediaTime(value: 1, timescale: 3)
        #expect(third + third + third == .seconds(1))
        #expect(
            MediaTime(value: 1001, timescale: 30_000) + .zero
                == MediaTime(value: 2002, timescale: 60_000))
    }

    @Test("comparison of far apart timescales is exact where floating point is not")
    func exactComparison() {
        let large = MediaTime(value: Int64.max - 1, timescale: Int32.max)
        let next = MediaTime(value: Int64.max, timescale: Int32.max)
        #expect(large < next)
        #expect(large.approximateSeconds == next.approximateSeconds)
    }

    @Test("equal times hash alike whatever their timescale")
    func hashing() {
        let times: Set = [
            MediaTime(value: 1, timescale: 2), MediaTime(value: 24_000, timescale: 48_000),
            MediaTime(value: -3, timescale: 6),
        ]
        #expect(times.count == 2)
    }

    @Test(
        "rescaling rounds as named, on both sides of zero",
        arguments: [
            (Int64(5), MediaTimeRounding.down, Int64(2)), (5, .up, 3), (5, .nearest, 3),
            (-5, .down, -3), (-5, .up, -2), (-5, .nearest, -2), (4, .nearest, 2), (-4, .up, -2),
        ])
    func rounding(halves: Int64, rounding: MediaTimeRounding, expected: Int64) {
        #expect(
            MediaTime(value: halves, timescale: 2).ticks(per: 1, rounding: rounding) == expected)
    }

    @Test("overflow is an error, never a wrong time")
    func overflow() {
        let huge = MediaTime(value: Int64.max, timescale: 1)
        #expect(throws: MediaTimeError.overflow) {
            try huge.checkedTicks(per: 2, rounding: .down)
        }
        #expect(throws: MediaTimeError.overflow) { try huge.adding(.seconds(1)) }
        #expect(throws: MediaTimeError.noCommonTimescale(1_000_000_000, 48_000)) {
            try MediaTime.nanoseconds(1).adding(MediaTime(value: 1, timescale: 48_000))
        }
    }

    @Test(
        "a sum that no timescale holds exactly is the nearest nanosecond, one past the end of time its end"
    )
    func inexactSums() {
        // two legal times, whose common timescale needs 62 bits
        let (a, b) = (
            MediaTime(value: 1, timescale: .max), MediaTime(value: 1, timescale: .max - 1)
        )
        #expect(throws: MediaTimeError.self) { try a.adding(b) }
        #expect(a + b == .nanoseconds(1), "0.93 ns")
        let (long, odd) = (
            MediaTime.seconds(86_400), MediaTime(value: 1_000_003, timescale: 999_999_937)
        )
        #expect((long + odd).nanoseconds() == 86_400_001_000_003)
        #expect((long - odd).nanoseconds() == 86_399_998_999_997)
        let far = MediaTime(value: .max, timescale: 600)
        #expect(throws: MediaTimeError.self) { try far.adding(.seconds(1)) }
        #expect(far + .seconds(1) == MediaTime(value: .max / 600 + 1, timescale: 1))
        #expect(-far - far == MediaTime(value: .min, timescale: 600))
        #expect(far * 2 == far)
    }

    @Test("a range is half open and intersects without its end")
    func ranges() {
        let range = MediaTimeRange(from: .seconds(1), to: .seconds(3))
        #expect(range.contains(.seconds(1)))
        #expect(!range.contains(.seconds(3)))
        #expect(range.intersection(MediaTimeRange(from: .seconds(3), to: .seconds(4))) == nil)
        #expect(
            range.intersection(MediaTimeRange(from: .seconds(2), to: .seconds(9)))?.duration
                == .seconds(1))
    }

    @Test("a mapping at half speed shows each source frame twice")
    func mapping() {
        let mapping = MediaTimeMapping(
            source: MediaTimeRange(from: .seconds(10), to: .seconds(11)),
            target: MediaTimeRange(from: .zero, to: .seconds(2)))
        let frames = (0..<6).map { index in
            mapping.sourceTime(
                atTarget: MediaTime(value: Int64(index), timescale: 3), timescale: 3,
                rounding: .down)?.value
        }
        #expect(frames == [30, 30, 31, 31, 32, 32])
    }
}
