import Media
import Reading
import Testing

@testable import Compose

@Suite("Text tracks of a composition")
struct TextTrackEditTests {
    private let english = SampleAsset.subtitled(
        SampleAsset.clip("a.mp4", seconds: 10), duration: .milliseconds(9500))
    private let german = SampleAsset.subtitled(
        SampleAsset.clip("b.mp4", seconds: 4), language: "deu", duration: .seconds(6))

    private func segments(_ track: CompositionTrack?) -> [String] {
        track?.segments.map { segment in
            let target = segment.timeRange
            let from = segment.source == nil ? "-" : segment.mapping.source.start.spoken
            return "\(target.start.spoken)…\(target.end.spoken): \(from)"
        } ?? []
    }

    @Test("a whole asset brings its text along, by language and no longer than its frames")
    func wholeAssets() throws {
        var composition = Composition()
        try composition.insert(english, at: .zero)
        try composition.insert(german, at: .seconds(10))
        try composition.insert(english, range: .seconds(2, 2), at: .seconds(14))
        let texts = composition.tracks(of: .text)
        #expect(texts.map(\.language) == ["eng", "deu"])
        #expect(
            segments(texts[0])
                == ["0 s…9.5 s: 0 s", "9.5 s…14 s: -", "14 s…16 s: 2 s"])
        // six seconds of text, of which four have frames
        #expect(segments(texts[1]) == ["0 s…10 s: -", "10 s…14 s: 0 s"])
        #expect(composition.duration == .seconds(16))
        let track = english.tracks[2]
        #expect(composition.compatibleTrack(for: track)?.id == texts[0].id)
        #expect(composition.compatibleTrack(for: german.tracks[2])?.id == texts[1].id)
        let other = SampleAsset.subtitled(english, language: "fra", duration: .seconds(1))
        #expect(composition.compatibleTrack(for: other.tracks[3]) == nil)
    }

    @Test("every edit moves text as it moves frames")
    func edits() throws {
        var composition = Composition()
        try composition.insert(english, at: .zero)
        try composition.remove(.seconds(1, 2))
        try composition.scale(.seconds(2, 2), toDuration: .seconds(1))
        try composition.insertEmpty(.seconds(1, 1))
        let text = try #require(composition.tracks(of: .text).first)
        let frames = try #require(composition.tracks(of: .video).first)
        // half a second of nothing is left behind the last text
        #expect(segments(text).dropLast(2) == segments(frames).dropLast())
        #expect(text.segments.last?.isEmpty == true)
        #expect(text.duration == frames.duration)
        let before = composition
        try composition.remove(.seconds(0, 1), from: text.id)
        #expect(composition.tracks(of: .video) == before.tracks(of: .video))
        #expect(composition.tracks(of: .audio) == before.tracks(of: .audio))
        #expect(composition.duration == before.duration)
    }

    @Test("text alone is as long as it is, and goes into text tracks only")
    func alone() throws {
        var composition = Composition()
        let id = composition.addTrack(.text)
        try composition.insert(
            .seconds(1, 2), of: english, track: english.tracks[2], at: .seconds(1), into: id)
        #expect(composition.duration == .seconds(3))
        #expect(composition.track(id)?.language == "eng")
        let error = #expect(throws: MediaError.self) {
            try composition.insert(
                .seconds(1, 2), of: english, track: english.tracks[1], at: .zero, into: id)
        }
        #expect(
            error?.message.contains("is audio, so it cannot be inserted into the text track")
                == true)
    }
}
