import Media
import TestSupport
import Testing

@Suite("A source span on a target span")
struct MediaTimeMappingTests {
    @Test("at speed 1 a source instant is on its own grid, whatever the timeline's")
    func unity() {
        // 12,288 Hz and the timeline's grid have no common timescale that fits
        let mapping = MediaTimeMapping(
            source: .init(
                start: MediaTime(value: 1, timescale: 12_288), duration: .seconds(7200)),
            target: .init(
                start: MediaTime(value: 705_600_001, timescale: 705_600_000),
                duration: .seconds(7200)))
        func source(at value: Int64) -> MediaTime? {
            mapping.sourceTime(
                atTarget: MediaTime(value: value, timescale: 705_600_000), timescale: 12_288,
                rounding: .down)
        }
        #expect(source(at: 705_600_001) == MediaTime(value: 1, timescale: 12_288))
        // one tick of the source is 57,421.875 of the timeline's
        #expect(source(at: 705_600_001 + 57_421) == MediaTime(value: 1, timescale: 12_288))
        #expect(source(at: 705_600_001 + 57_422) == MediaTime(value: 2, timescale: 12_288))
        #expect(source(at: 705_600_000) == nil)
    }

    @Test("two starts that lie between ticks are rounded together and not one by one")
    func roundedOnce() {
        // 0.6 + 0.6 ticks are 1.2: rounded down one by one they would be 0
        let mapping = MediaTimeMapping(
            source: .init(start: MediaTime(value: 3, timescale: 5), duration: .seconds(10)),
            target: .init(start: .zero, duration: .seconds(10)))
        let time = MediaTime(value: 3, timescale: 5)
        for (rounding, ticks) in [(MediaTimeRounding.down, 1), (.nearest, 1), (.up, 2)] {
            let source = mapping.sourceTime(atTarget: time, timescale: 1, rounding: rounding)
            #expect(source?.value == Int64(ticks))
        }
        let exact = mapping.sourceTime(
            atTarget: MediaTime(value: 2, timescale: 5), timescale: 1, rounding: .up)
        #expect(exact?.value == 1)
    }

    @Test("random speeds and spans agree with plain fractions")
    func random() {
        var random = SplitMix(seed: 12)
        for _ in 0..<20_000 {
            func time(_ limit: Int64) -> MediaTime {
                MediaTime(
                    value: Int64.random(in: 1...limit, using: &random),
                    timescale: [1, 25, 1000, 90_000, 44_100].randomElement(using: &random) ?? 1)
            }
            let mapping = MediaTimeMapping(
                source: .init(start: time(5000), duration: time(100_000)),
                target: .init(start: time(5000), duration: time(100_000)))
            let at = mapping.target.start + MediaTime(value: 1, timescale: 90_000)
            guard mapping.target.contains(at) else { continue }
            let scale: Int32 = 30_000
            let down = mapping.sourceTime(atTarget: at, timescale: scale, rounding: .down)
            let (start, length) = (mapping.source.start, mapping.source.duration)
            let span = mapping.target.duration
            // start + into · length / span over one divisor
            let divisor =
                Int128(start.timescale) * 90_000 * Int128(length.timescale)
                * Int128(span.value)
            let dividend =
                Int128(start.value) * 90_000 * Int128(length.timescale) * Int128(span.value)
                + Int128(length.value) * Int128(span.timescale) * Int128(start.timescale)
            #expect(down?.value == Int64(dividend * Int128(scale) / divisor))
        }
    }

    @Test("a day at an odd speed does not overflow")
    func long() {
        let day = MediaTime(value: 86_400 * 705_600_000, timescale: 705_600_000)
        let odd = MediaTime(value: 86_399 * 705_600_000 + 7, timescale: 705_600_000)
        let mapping = MediaTimeMapping(
            source: .init(start: .zero, duration: odd), target: .init(start: .zero, duration: day))
        let last = MediaTime(value: day.value - 1, timescale: 705_600_000)
        let source = mapping.sourceTime(
            atTarget: last, timescale: 705_600_000, rounding: .nearest)
        #expect(source?.value == odd.value - 1)
    }
}
