import FoundationEssentials
import Media
import TestSupport
import Testing

@testable import Compose

@Suite struct GuideExamplesTests {
    private func file(_ path: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// The code between `// example: NAME` and `// end`, without its indent.
    private func examples(_ source: String) -> [String: String] {
        var found: [String: String] = [:]
        for part in source.components(separatedBy: "// example: ").dropFirst() {
            let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
            let code = lines.dropFirst().prefix {
                $0.trimmingPrefix(while: \.isWhitespace) != "// end"
            }
            let text = code.map { $0.dropFirst(8) }.joined(separator: "\n")
            found[String(lines[0])] = text
        }
        return found
    }

    @Test func theGuideQuotesCodeThatCompilesAndNothingElse() throws {
        let page = try file("../../docs/guide/composing.md")
        let code = examples(try file("GuideExamples.swift"))
        #expect(code.count == 20)
        for (name, text) in code {
            #expect(page.contains("```swift\n" + text + "\n```"), "\(name) is not on the page")
        }
        #expect(page.components(separatedBy: "```swift").count - 1 == code.count)
    }

    @Test func theGuidesProjectIsReadByTheReader() throws {
        let page = try file("../../docs/guide/composing.md")
        let block = try #require(page.components(separatedBy: "```json5\n").dropFirst().first)
        let text = try #require(block.components(separatedBy: "```").first)
        let timeline = try ProjectFile.timeline(Array(text.utf8), name: "guide") { path, _ in path }
        #expect(timeline == GuideExamples.timeline())
    }

    @Test func theExamplesDoWhatThePageSays() throws {
        let assets = [
            SampleAsset.clip("beach.mp4", seconds: 10), SampleAsset.clip("party.mov", seconds: 6),
            SampleAsset.clip("dog.gif", seconds: 3, sound: false),
            SampleAsset.onlyAudio("talk.wav", seconds: 4),
            SampleAsset.onlyAudio("song.m4a", seconds: 5),
        ]
        var composition = try GuideExamples.editing(holiday: assets[0], party: assets[1])
        #expect(composition.duration == .milliseconds(12_500))
        try GuideExamples.tracks(talk: assets[3], composition: &composition)
        #expect(composition.tracks.last?.duration == .seconds(5))
        try GuideExamples.subtitles(holiday: assets[0], composition: &composition)
        #expect(composition.tracks(of: .text).count == 1)
        let video = try GuideExamples.automatic(composition: composition, assets: assets)
        #expect(video.instructions.last?.timeRange.end == composition.duration)
        #expect(GuideExamples.ramps(track: 1).layers[0].opacity(at: .milliseconds(500)) == 0.5)
        _ = try GuideExamples.mix(music: 2, voice: 3)
        let format = assets[0].tracks[0].format?.video
        let frames = try #require(format)
        let take = SampleAsset.asset(
            "take.mkv",
            [1, 2].map {
                SampleAsset.pictures(id: $0, format: frames, duration: .seconds(4))
            })
        let camera = SampleAsset.clip("camera.mp4", seconds: 4)
        var several = GuideExamples.timeline()
        GuideExamples.overlays(&several)
        let over = try TimelineBuilder(several, assets: assets + [camera]).film()
        #expect(
            over.videoComposition?.instruction(at: .seconds(6))?.layers.first?.decoration.border
                != nil)
        GuideExamples.keyframes(&several)
        let moved = try TimelineBuilder(several, assets: assets + [camera]).film()
        let widths = [MediaTime.seconds(5), .seconds(6)].map { time in
            moved.videoComposition?.instruction(at: time)?.layers.first?.transform(at: time).a
        }
        #expect(widths[0] != nil && widths[0] != widths[1])
        GuideExamples.grades(&several)
        #expect(several.tablePaths == ["looks/warm.cube"])
        #expect(several.videos[1].grade.effects.count == 1)
        GuideExamples.areas(&several)
        try several.validate()
        #expect(several.videos[0].mask != nil && several.videos[1].effects.count == 2)
        several = Timeline()
        try GuideExamples.layout(take, &several)
        #expect(try TimelineBuilder(several, assets: [take]).film().composition.tracks.count == 2)
        GuideExamples.speeds(&several)
        let jump = SampleAsset.clip("jump.mp4", seconds: 4)
        let played = try TimelineBuilder(several, assets: [take, jump]).film().composition
        #expect(played.tracks[0].segments.map(\.isRamped) == [true, false])
        #expect(played.tracks[0].segments.map(\.isReversed) == [false, true])
        let film = try GuideExamples.film(GuideExamples.timeline(), assets: assets)
        // 7 + 6/1.5 + 3 seconds less two of overlap
        #expect(film.composition.duration == .seconds(12))
        var joined = GuideExamples.timeline()
        GuideExamples.transitions(&joined)
        #expect(joined.transitionImagePaths == ["clouds.png"])
        let eased = try TimelineBuilder(joined, assets: assets).film().videoComposition
        #expect(eased?.maskPaths == ["clouds.png"])
        let slide = eased?.instruction(at: .milliseconds(9_500))
        #expect((slide?.layers.first?.transform(at: .milliseconds(9_500)).tx ?? 0) > 60)
        let folder = try TemporaryFolder()
        let text = try ProjectFile.text(of: GuideExamples.timeline(), in: folder.path)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/film.vcap.json5"))
        let (again, _) = try GuideExamples.project(GuideExamples.timeline(), in: folder.path)
        #expect(again.videos.count == 3)
        #expect(
            try GuideExamples.otio(GuideExamples.timeline(), assets: assets, in: folder.path)
                .contains("Timeline.1"))
    }
}
