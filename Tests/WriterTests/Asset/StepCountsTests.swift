import Media
import Testing

@testable import Movie

@Suite("The commonest time between frames")
struct StepCountsTests {
    private func commonest(_ steps: [Int64], timescale: Int32 = 1000) -> Double? {
        var counts = StepCounts()
        for step in steps { counts.add(step) }
        return counts.commonest(timescale: timescale)?.approximateSeconds
    }

    @Test("steps rounded to ticks are one rate, their mean")
    func rounded() throws {
        let step = try #require(commonest([33, 33, 34, 33, 33, 34, 100, 67]))
        #expect(abs(step - 0.1 / 3) < 1e-6)
        let fast = try #require(commonest([17, 17, 16, 17, 17, 16, 50]))
        #expect(abs(fast - 0.1 / 6) < 1e-6)
    }

    @Test("holes do not make it slower, and of two equally common ones the shorter is taken")
    func holes() {
        #expect(commonest([1, 1, 1, 2, 3, 3, 4, 5], timescale: 30) == 1.0 / 30)
        #expect(commonest([40, 40, 20, 20]) == 0.02)
    }

    @Test("steps of which fewer than a quarter are alike have none")
    func irregular() {
        #expect(commonest([10, 20, 30, 45, 60, 90, 130, 190, 280]) == nil)
        #expect(commonest([]) == nil)
        #expect(commonest([0, 0, 0]) == nil)
    }
}
