import Media
import Testing

@testable import Detect

@Suite("which one is which from frame to frame")
struct ObjectTrackerTests {
    private static func appearance(_ level: Int) -> Appearance {
        var parts = [Double](repeating: 0, count: 48)
        for band in 0..<3 { parts[band * 16 + level] = 1 }
        return Appearance(parts: parts)
    }

    private func sighting(
        _ x: Double, _ y: Double = 0.4, level: Int = 5, type: MetadataObjectType = .face
    ) -> Sighting {
        Sighting(
            type: type, bounds: NormalizedRect(x: x, y: y, width: 0.1, height: 0.15),
            appearance: Self.appearance(level))
    }

    private func ms(_ value: Int64) -> MediaTime { .milliseconds(value) }

    @Test("what moves by its own size each frame is one, and another beside it is another")
    func moving() {
        var tracker = ObjectTracker()
        for step in 0..<8 {
            let place = Double(step) * 0.1
            let ids = tracker.take(
                [sighting(0.8 - place, 0.7), sighting(place, 0.1)], at: ms(Int64(step) * 200))
            #expect(ids == [1, 2], "step \(step)")
        }
    }

    /// Two pass each other behind one another: for three frames only the one in front is found.
    /// - Returns: who is on the left and on the right before and behind.
    private func pass(levels: (Int, Int), turnsBack: Bool) -> (before: [Int], after: [Int]) {
        var tracker = ObjectTracker()
        var (before, after): ([Int], [Int]) = ([], [])
        for step in 0...20 {
            let part = Double(step) / 20
            let way = turnsBack && part > 0.5 ? 1 - part : part
            let (one, other) = (
                sighting(0.3 + way * 0.4, level: levels.0),
                sighting(0.7 - way * 0.4, level: levels.1)
            )
            let seen = abs(one.bounds.x - other.bounds.x) < 0.05 ? [one] : [one, other]
            let ids = tracker.take(seen, at: ms(Int64(step) * 200))
            if step == 0 { before = ids }
            if step == 20 { after = ids }
        }
        return (before, after)
    }

    @Test("two that pass each other keep their identities, whether they look alike or not")
    func crossing() {
        for levels in [(3, 9), (5, 5)] {
            let ids = pass(levels: levels, turnsBack: false)
            #expect(ids.before == [1, 2] && ids.after == [1, 2], "\(levels): \(ids)")
        }
    }

    @Test("two that meet and turn back keep theirs by what they look like; alike, they would pass")
    func turningBack() {
        let ids = pass(levels: (3, 9), turnsBack: true)
        #expect(ids.before == [1, 2] && ids.after == [1, 2])
        // the control: nothing but their motion says who is who
        #expect(pass(levels: (5, 5), turnsBack: true).after == [2, 1])
    }

    @Test("what is out of view for two seconds is the same, and for longer another")
    func absence() {
        for (gap, identity) in [(Int64(2000), 1), (2001, 2)] {
            var tracker = ObjectTracker()
            _ = tracker.take([sighting(0.4)], at: ms(0))
            #expect(tracker.take([], at: ms(200)) == [])
            #expect(tracker.tracks.map(\.isSeen) == [false])
            #expect(tracker.take([sighting(0.4)], at: ms(gap)) == [identity])
            #expect(tracker.tracks.count == 1 && tracker.tracks.allSatisfy(\.isSeen))
        }
    }

    @Test("something of another type, far away or of another size is another")
    func others() {
        var tracker = ObjectTracker()
        _ = tracker.take([sighting(0.2)], at: ms(0))
        var large = sighting(0.2)
        (large.bounds.width, large.bounds.height) = (0.3, 0.45)
        #expect(tracker.take([sighting(0.2, type: .catHead)], at: ms(200)) == [2])
        #expect(tracker.take([sighting(0.8)], at: ms(400)) == [3])
        #expect(tracker.take([large], at: ms(600)) == [4])
        #expect(tracker.take([sighting(0.2)], at: ms(800)) == [1])
    }

    @Test("of earlier frames nothing is known, and no number is given twice")
    func backInTime() {
        var tracker = ObjectTracker()
        #expect(tracker.take([sighting(0.2)], at: ms(5000)) == [1])
        #expect(tracker.take([sighting(0.2)], at: ms(1000)) == [2])
        #expect(tracker.take([sighting(0.2)], at: ms(1200)) == [2])
    }

    @Test(
        "light that changes slowly makes nobody another; what it looked like is not forgotten while others are near"
    )
    func appearances() {
        var tracker = ObjectTracker()
        for step in 0..<60 {
            let level = 2 + step / 6
            #expect(tracker.take([sighting(0.3, level: level)], at: ms(Int64(step) * 200)) == [1])
        }
        let alone = try? #require(tracker.tracks.first).appearance
        #expect((alone?.difference(from: Self.appearance(11)) ?? 1) < 0.7)
        // another in front of half of it: what is found shows both
        _ = tracker.take([sighting(0.3, level: 11), sighting(0.36, level: 1)], at: ms(12_000))
        let before = tracker.tracks.map(\.appearance)
        var both = sighting(0.3, level: 11)
        both.appearance.follow(Self.appearance(1), by: 0.5)
        #expect(tracker.take([both], at: ms(12_200)) == [1])
        #expect(tracker.tracks.map(\.appearance) == before)
    }
}
