import Media
import Testing

@testable import Movie

@Suite("Text tracks as values")
struct TextTrackTests {
    private func track(_ cues: [(Int64, Int64, String)]) -> TextTrack {
        TextTrack(
            cues: cues.map { start, end, text in
                TextCue(
                    timeRange: MediaTimeRange(
                        start: .milliseconds(start), duration: .milliseconds(end - start)),
                    text: text)
            })
    }

    private func flat(_ cues: [(Int64, Int64, String)], _ scale: Int32 = 1000) -> [String] {
        track(cues).flattened(timescale: scale).track.cues.map {
            "\($0.timeRange.start.value)-\($0.timeRange.end.value) \($0.text)"
        }
    }

    @Test("cues that overlap become cues one after the other, with the lines of all that are shown")
    func overlaps() {
        #expect(
            flat([(500, 1500, "B"), (0, 1000, "A"), (2000, 3000, "C")])
                == ["0-500 A", "500-1000 A\nB", "1000-1500 B", "2000-3000 C"])
        #expect(flat([(0, 900, "A"), (0, 900, "B")]) == ["0-900 A\nB"])
        #expect(
            flat([(0, 1000, "A"), (200, 300, "B")])
                == ["0-200 A", "200-300 A\nB", "300-1000 A"])
        #expect(flat([(0, 500, "A"), (500, 900, "B")]) == ["0-500 A", "500-900 B"])
        #expect(flat([]) == [])
    }

    @Test("times are rounded once, and a cue is at least a tick long")
    func rounding() {
        #expect(flat([(33, 67, "A")], 30) == ["1-2 A"])
        #expect(flat([(0, 1, "A"), (1, 1000, "B")], 30) == ["0-1 A\nB", "1-30 B"])
    }

    @Test("of more text than there is room for the end is cut, and the cues are counted")
    func room() {
        let crowd = (0..<40).map { (Int64($0), Int64(1000), "line \($0)") }
        let (track, cutCount) = track(crowd).flattened(timescale: 1000)
        #expect(cutCount == 8)
        #expect(track.cues.map { $0.text.split(separator: "\n").count }.max() == 32)
        let long = String(repeating: "x", count: 60_000)
        let both = self.track([(0, 1000, long), (0, 1000, long)]).flattened(timescale: 1000)
        #expect(both.cutCount == 1)
        #expect(both.track.cues.map(\.text.utf8.count) == [65_535])
    }

    @Test("in MP4 empty samples lie between the cues, in Matroska nothing does")
    func samples() {
        let track = track([(1000, 2000, "A"), (2000, 3000, "B"), (3500, 4000, "Ç")])
        let movie = track.samples(in: .mp4)
        #expect(
            movie.map(\.presentationTime.value) == [0, 90_000, 180_000, 270_000, 315_000, 360_000])
        #expect(movie.map { $0.duration?.value } == [90_000, 90_000, 90_000, 45_000, 45_000, 0])
        #expect(
            movie.map { $0.block?.bytes }
                == [[0, 0], [0, 1, 0x41], [0, 1, 0x42], [0, 0], [0, 2, 0xC3, 0x87], [0, 0]])
        let others = track.samples(in: .matroska)
        #expect(others.map(\.presentationTime.value) == [1000, 2000, 3500])
        #expect(
            self.track([(0, 1, "a<b & c")]).samples(in: .webm)[0].block?.bytes
                == Array("a&lt;b &amp; c".utf8))
    }
}
