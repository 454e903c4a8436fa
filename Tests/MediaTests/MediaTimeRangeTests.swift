import Media
import Testing

@Suite("Spans of time")
struct MediaTimeRangeTests {
    private func range(_ from: Int64, _ to: Int64) -> MediaTimeRange {
        MediaTimeRange(from: .milliseconds(from), to: .milliseconds(to))
    }

    @Test("a union holds both spans and what lies between them, in any order")
    func unions() {
        #expect(range(0, 10).union(range(5, 20)) == range(0, 20))
        #expect(range(5, 20).union(range(0, 10)) == range(0, 20))
        #expect(range(0, 10).union(range(30, 40)) == range(0, 40))
        #expect(range(0, 40).union(range(10, 20)) == range(0, 40))
        let third = MediaTimeRange(
            start: MediaTime(value: 1, timescale: 3), duration: MediaTime(value: 1, timescale: 3))
        let union = third.union(range(0, 500))
        #expect(union.start == .zero && union.end == MediaTime(value: 2, timescale: 3))
    }

    @Test("a span contains another one that ends with it, and none that continues")
    func contained() {
        #expect(range(0, 10).contains(range(0, 10)) && range(0, 10).contains(range(4, 10)))
        #expect(!range(0, 10).contains(range(4, 11)) && !range(1, 10).contains(range(0, 5)))
        #expect(range(0, 10).contains(range(10, 10)) && !range(0, 10).contains(range(11, 11)))
    }
}
