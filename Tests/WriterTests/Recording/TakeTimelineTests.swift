import Media
import Testing

@testable import Writer

private let second: Int64 = 1_000_000_000

private func pause(_ movie: Int64, _ cut: Int64, _ resume: Int64? = nil) -> MoviePause {
    MoviePause(
        movieTime: .nanoseconds(movie), cutTime: .nanoseconds(cut),
        resumeTime: resume.map { .nanoseconds($0) })
}

struct TakeTimelineTests {
    @Test("movie time runs from the start and stands still in a pause")
    func movieTimeOverPauses() {
        var timeline = TakeTimeline(duration: nil)
        #expect(timeline.movieTime(at: 5 * second) == 0)
        timeline.begin(at: 10 * second)
        #expect(timeline.movieTime(at: 9 * second) == 0)
        #expect(timeline.movieTime(at: 12 * second) == 2 * second)
        timeline.askedToPause(at: 13 * second)
        #expect(timeline.movieTime(at: 20 * second) == 3 * second)
        timeline.paused(pause(3 * second, 13 * second))
        #expect(timeline.isPaused)
        #expect(timeline.movieTime(at: 20 * second) == 3 * second)
        timeline.askedToResume()
        timeline.resumed(pause(3 * second, 13 * second, 30 * second))
        #expect(!timeline.isPaused)
        #expect(timeline.movieTime(at: 31 * second) == 4 * second)
        #expect(timeline.movieTime(at: 12 * second) == 2 * second)
        #expect(timeline.end == nil)
    }

    @Test("a wanted length moves its end by what pauses cut out")
    func wantedEndMoves() {
        var timeline = TakeTimeline(duration: .seconds(5))
        #expect(timeline.end == nil)
        timeline.begin(at: 100 * second)
        #expect(timeline.end == 105 * second)
        timeline.askedToPause(at: 102 * second)
        #expect(timeline.end == nil)
        timeline.paused(pause(2 * second, 102 * second))
        #expect(timeline.end == nil)
        timeline.resumed(pause(2 * second, 102 * second, 110 * second))
        #expect(timeline.end == 113 * second)
    }

    @Test("a pause asked for after the wanted end does not move it")
    func pauseAfterTheEnd() {
        var timeline = TakeTimeline(duration: .seconds(5))
        timeline.begin(at: 0)
        timeline.askedToPause(at: 5 * second)
        #expect(timeline.end == 5 * second)
    }

    @Test("dates are right in leap years, at their edges and before the epoch")
    func civilDates() {
        let cases: [(Int64, String)] = [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999_999_999, "2024-02-29T23:59:59.999Z"),
            (1_795_210_507_250_000_000, "2026-11-20T21:35:07.250Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
            (-1_000_000, "1969-12-31T23:59:59.999Z"),
        ]
        for (nanoseconds, text) in cases {
            #expect(CivilTime.text(nanosecondsSinceEpoch: nanoseconds) == text)
        }
    }
}
