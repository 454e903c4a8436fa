import Media
import Testing

@testable import vcap

@Suite("The bar of a microphone's level")
struct LevelMeterTests {
    private func text(_ meter: LevelMeter, cells: Int = 8) -> String {
        meter.part(cells: cells).text(.plain)
    }

    @Test("silence is an empty bar, full scale a full one, a whisper one cell")
    func extremes() {
        var meter = LevelMeter()
        meter.take(-.infinity, at: .seconds(1))
        #expect(text(meter) == "········ ")
        meter.take(-47.5, at: .seconds(2))
        #expect(text(meter) == "█······· ")
        meter.take(-24, at: .seconds(3))
        #expect(text(meter) == "████···· ")
        meter.take(-0.5, at: .seconds(4))
        #expect(text(meter) == "████████ ")
        #expect(meter.part(cells: 8).width == 9)
    }

    @Test("the bar rises at once, falls at the speed of a programme meter, and its peak is held")
    func falling() {
        var meter = LevelMeter()
        meter.take(-6, at: .seconds(10))
        #expect(meter.level == -6)
        meter.take(-60, at: .seconds(11))
        #expect(abs(meter.level + 17.8) < 0.001)
        #expect(meter.peak == -6)
        #expect(text(meter) == "██████│· ")
        meter.take(-60, at: .milliseconds(11_600))
        #expect(meter.peak == meter.level)
        #expect(text(meter) == "████···· ")
    }

    @Test("a clip is marked for three seconds and counted for good")
    func clips() {
        var meter = LevelMeter()
        meter.take(0, at: .seconds(1))
        #expect(meter.isClipped && meter.clips == 1)
        #expect(text(meter).hasSuffix("!"))
        meter.take(-20, at: .milliseconds(3900))
        #expect(meter.isClipped)
        meter.take(-20, at: .milliseconds(4000))
        #expect(!meter.isClipped && meter.clips == 1)
        meter.take(-0.1, at: .seconds(5))
        #expect(!meter.isClipped)
    }

    @Test("a microphone that says nothing falls to silence; nonsense is silence")
    func nothingHeard() {
        var meter = LevelMeter()
        meter.take(-12, at: .seconds(1))
        meter.take(nil, at: .seconds(2))
        #expect(abs(meter.level + 23.8) < 0.001)
        meter.take(.nan, at: .seconds(20))
        #expect(meter.level == LevelMeter.floor)
        meter.take(12, at: .seconds(21))
        #expect(meter.level == 0)
    }

    @Test("loud is yellow, very loud red, and each microphone has a bar of its own")
    func colors() {
        var meters = LevelMeters()
        meters.take([-1, -30], at: .seconds(1))
        let colors = meters.parts.map { Set($0.runs.compactMap(\.color)) }
        #expect(colors == [[.green, .yellow, .red], [.green]])
        #expect(meters.meters.count == 2)
    }
}
