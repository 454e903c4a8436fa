import Media
import Reading
import Testing

@testable import Compose

@Suite struct CompositionRefusalTests {
    private let clip = SampleAsset.clip("a.mp4", seconds: 10)

    private func filled() throws -> Composition {
        var composition = Composition()
        try composition.insert(clip, at: .zero)
        return composition
    }

    private func refusal(
        _ edit: (inout Composition) throws(MediaError) -> Void
    ) throws -> String {
        let before = try filled()
        var composition = before
        do throws(MediaError) { try edit(&composition) } catch {
            #expect(composition == before, "a refused edit leaves everything as it was")
            #expect(error.code == .invalidEdit)
            return error.message
        }
        return "nothing was refused"
    }

    @Test func whatCannotBeDoneIsRefusedInOneSentenceThatNamesTrackAndTime() throws {
        let video = clip.tracks[0]
        let table: [(String, (inout Composition) throws(MediaError) -> Void)] = [
            (
                "the composition has no track 7; it has 1, 2",
                { (c) throws(MediaError) in
                    try c.insert(.seconds(0, 1), of: clip, track: video, at: .zero, into: 7)
                }
            ),
            (
                "track 1 of a.mp4 is video, so it cannot be inserted into the audio track 2",
                { (c) throws(MediaError) in
                    try c.insert(.seconds(0, 1), of: clip, track: video, at: .zero, into: 2)
                }
            ),
            (
                "2 s from 9 s are not in track 1 of a.mp4, which lasts 10 s",
                { (c) throws(MediaError) in
                    try c.insert(.seconds(9, 2), of: clip, track: video, at: .zero, into: 1)
                }
            ),
            (
                "1 s from -1 s are not in track 1 of a.mp4, which lasts 10 s",
                { (c) throws(MediaError) in
                    try c.insert(.seconds(-1, 1), of: clip, track: video, at: .zero, into: 1)
                }
            ),
            (
                "the span of track 1 of a.mp4 at 1 s has no length",
                { (c) throws(MediaError) in
                    try c.insert(.seconds(1, 0), of: clip, track: video, at: .zero, into: 1)
                }
            ),
            (
                "an insertion into track 1 at -0.5 s is not on the timeline, which goes from 0 to 24 h",
                { (c) throws(MediaError) in
                    try c.insert(
                        .seconds(0, 1), of: clip, track: video, at: .milliseconds(-500), into: 1)
                }
            ),
            (
                "a removal at 90000 s is not on the timeline, which goes from 0 to 24 h",
                { (c) throws(MediaError) in try c.remove(.seconds(90_000, 1)) }
            ),
            (
                "track 1 would last 86401 s; a timeline has at most 24 h",
                { (c) throws(MediaError) in try c.insertEmpty(.seconds(0, 86_391)) }
            ),
            (
                "a change of speed at 1 s needs a span and a new length above zero",
                { (c) throws(MediaError) in
                    try c.scale(.seconds(1, 1), toDuration: .zero)
                }
            ),
        ]
        for (sentence, edit) in table {
            #expect(try refusal(edit) == sentence)
        }
    }

    @Test func aSpeedThatLeavesASegmentNoLengthIsRefused() throws {
        var composition = try filled()
        try composition.insertEmpty(
            MediaTimeRange(
                start: .seconds(5), duration: MediaTime(value: 3, timescale: 705_600_000)), into: 1)
        #expect(throws: MediaError.self) {
            try composition.scale(
                .seconds(0, 11), toDuration: MediaTime(value: 2, timescale: 705_600_000), of: 1)
        }
    }

    @Test func timesThatNoTimescaleHoldsTogetherDoNotTrap() throws {
        var composition = try filled()
        // nanoseconds and 90,000 Hz have no common timescale of 31 bits
        let odd = MediaTimeRange(
            start: .nanoseconds(1_234_567_891), duration: MediaTime(value: 7, timescale: 90_001))
        try composition.insert(
            odd, of: clip, track: clip.tracks[0], at: .nanoseconds(333_333_333), into: 1)
        try composition.remove(
            MediaTimeRange(start: .nanoseconds(333_333_400), duration: .nanoseconds(77_777)))
        try composition.insert(clip, range: odd, at: .nanoseconds(999_999_999))
        for track in composition.tracks {
            for (segment, next) in zip(track.segments, track.segments.dropFirst()) {
                #expect(segment.timeRange.end == next.timeRange.start)
            }
        }
    }
}
