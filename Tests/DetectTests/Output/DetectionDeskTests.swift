import Media
import Testing

@testable import Detect

@Suite("which frame is looked at, and what is said of it")
struct DetectionDeskTests {
    private struct Thing: MetadataObject {
        let type = MetadataObjectType.qr
        let time = MediaTime.zero
        let bounds = NormalizedRect.whole
    }

    private func ms(_ value: Int64) -> MediaTime { .milliseconds(value) }

    @Test("one frame is looked at at a time; what is said holds up to the first that was skipped")
    func oneAtATime() {
        var desk = DetectionDesk()
        #expect(desk.take(ms(0)).looks)
        #expect(!desk.take(ms(100)).looks)
        #expect(!desk.take(ms(200)).looks)
        let said = desk.finish([Thing()])
        #expect(said?.time == ms(0) && said?.end == ms(100) && said?.objects.count == 1)
        #expect(desk.take(ms(300)).looks)
        #expect(desk.finish([Thing()])?.end == nil)
        #expect(desk.counts.analyzed == 2 && desk.counts.found == 2)
        #expect(desk.counts.skipped == [.busy: 2])
    }

    @Test("what is said of a frame holds for it alone where the ones behind it are left out")
    func leftOut() {
        var desk = DetectionDesk()
        _ = desk.take(ms(0), length: ms(33))
        #expect(desk.finish([Thing()])?.end == ms(33))
        _ = desk.take(ms(200), length: ms(33))
        #expect(!desk.take(ms(400), length: ms(33)).looks)
        #expect(desk.finish([Thing()])?.end == ms(233))
        _ = desk.take(ms(600), length: ms(33))
        #expect(desk.finish([])?.end == nil)
    }

    @Test("that nothing is seen is said of each frame that was looked at")
    func nothing() {
        var desk = DetectionDesk()
        var said: [Int] = []
        for (number, objects) in [[], [], [Thing()], [Thing()], [], [], [Thing()]].enumerated() {
            _ = desk.take(ms(Int64(number) * 100))
            if let statement = desk.finish(objects) {
                said.append(Int(statement.time.ticks(per: 10, rounding: .nearest)))
            }
        }
        #expect(said == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test("what takes two seconds or more is known to be unknown, and its result is late")
    func overdue() {
        var desk = DetectionDesk()
        _ = desk.take(ms(0))
        #expect(desk.take(ms(1999)).statement == nil)
        let unknown = desk.take(ms(2000)).statement
        #expect(unknown?.time == ms(0) && unknown?.objects.isEmpty ?? false)
        #expect(desk.take(ms(2500)).statement == nil)
        #expect(desk.finish([Thing()]) == nil)
        #expect(desk.counts.skipped == [.busy: 3, .late: 1] && desk.counts.analyzed == 0)
        #expect(desk.take(ms(3000)).looks)
        #expect(desk.finish([Thing()])?.time == ms(3000))
    }

    @Test("of a frame that the detector fails at nothing is known")
    func failed() {
        var desk = DetectionDesk()
        _ = desk.take(ms(0))
        _ = desk.finish([Thing()])
        _ = desk.take(ms(100))
        #expect(desk.finish(nil)?.objects.isEmpty ?? false)
        #expect(desk.counts.skipped == [.failed: 1])
    }

    @Test("when the camera goes away nothing is seen from then on, whatever is still looked at")
    func interrupted() {
        var desk = DetectionDesk()
        _ = desk.take(ms(0))
        _ = desk.finish([Thing()])
        _ = desk.take(ms(100))
        #expect(desk.interrupt(at: ms(150))?.time == ms(150))
        #expect(desk.finish([Thing()]) == nil)
    }

    @Test("counts since an earlier moment are what has come since")
    func since() {
        var (before, after) = (DetectionCounts(), DetectionCounts())
        (before.analyzed, before.found, before.skipped) = (2, 1, [.busy: 3, .late: 1])
        (after.analyzed, after.found, after.skipped) = (5, 1, [.busy: 4, .late: 1])
        let counts = after.since(before)
        #expect(counts.analyzed == 3 && counts.found == 0 && counts.skipped == [.busy: 1])
    }
}
