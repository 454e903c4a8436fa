import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("Clips that stand still")
struct FreezeTests {
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 10), SampleAsset.clip("b.mp4", seconds: 20),
        SampleAsset.still("c.jpg", width: 160, height: 96),
        SampleAsset.onlyAudio("d.wav", seconds: 9),
    ]

    private func frozen(
        _ path: String, at start: MediaTime, for length: MediaTime,
        _ edit: (inout VideoItem) -> Void = { _ in }
    ) -> VideoItem {
        var item = VideoItem(path, start: start)
        item.freeze = length
        edit(&item)
        return item
    }

    @Test("one frame shows in every frame of the film for exactly as long, between clips that play")
    func frames() async throws {
        let folder = try TemporaryFolder()
        let source = try await NumberedClip(frames: 60).write(to: folder.file("a.mov"))
        var last = VideoItem(source.path, start: .seconds(1), end: .milliseconds(1200))
        last.transition = .cut
        let film = try await Film(
            loading: Timeline(videos: [
                VideoItem(source.path, end: .milliseconds(500)),
                // just before the 38th frame, and on it
                frozen(source.path, at: .milliseconds(1266), for: .milliseconds(700)),
                frozen(
                    source.path, at: MediaTime(value: 38, timescale: 30), for: .milliseconds(300)),
                last,
            ]))
        #expect(film.composition.duration == .milliseconds(1700))
        #expect(film.warnings.isEmpty)
        let path = folder.file("film.mp4")
        _ = try await ExportSession(film).export(to: path)
        let numbers = try await self.numbers(path)
        #expect(
            numbers == Array(0..<15) + Array(repeating: 37, count: 21)
                + Array(repeating: 38, count: 9) + Array(30..<36))
    }

    private func numbers(_ path: String) async throws -> [Int] {
        let asset = try await Asset(loading: path)
        let track = try #require(asset.tracks(of: .video).first)
        let reader = AssetReader()
        let output = try AssetReaderTrackOutput(
            asset: asset, track: track, settings: .frames(.yuv420p))
        try reader.add(output)
        try reader.start()
        var numbers: [Int] = []
        while let sample = try output.next() {
            if let frame = sample.pixelBuffer { numbers.append(FrameStrip.number(in: frame)) }
        }
        return numbers
    }

    @Test("it has no audio, and dissolves as other clips do")
    func silent() throws {
        let film = try TimelineBuilder(
            Timeline(videos: [
                VideoItem("a.mp4"),
                frozen("b.mp4", at: .seconds(5), for: .seconds(3)) {
                    $0.transition = .dissolve(.seconds(1))
                },
            ]), assets: assets
        ).film()
        #expect(film.composition.duration == .seconds(12))
        #expect(film.composition.tracks(of: .audio).allSatisfy { $0.duration <= .seconds(10) })
        #expect(film.videoComposition?.instructions.map(\.layers.count) == [1, 2, 1])
    }

    @Test("a freeze frame of OpenTimelineIO is one, and is written as one")
    func otio() throws {
        let timeline = Timeline(videos: [
            VideoItem("a.mp4", end: .seconds(6)),
            frozen("b.mp4", at: .seconds(5), for: .seconds(3)) {
                $0.transition = .dissolve(.seconds(1))
            },
            {
                var next = VideoItem("a.mp4", start: .seconds(2), end: .seconds(7))
                next.transition = .dissolve(.milliseconds(500))
                return next
            }(),
        ])
        let (text, notCarried) = try OpenTimelineFile.text(
            of: timeline, assets: assets, in: "/nowhere")
        #expect(notCarried.isEmpty)
        #expect(text.contains("FreezeFrame.1"))
        let back = try OpenTimelineFile.timeline(Array(text.utf8), name: "f.otio") { path, _ in path
        }
        #expect(back.timeline == timeline && back.notCarried.isEmpty)
    }

    @Test("what cannot stand still is refused")
    func refusals() {
        func message(_ item: VideoItem) -> String {
            do throws(MediaError) {
                let timeline = Timeline(videos: [item])
                try timeline.validate()
                _ = try TimelineBuilder(timeline, assets: assets).film()
                return ""
            } catch { return error.message }
        }
        let second = MediaTime.seconds(1)
        #expect(message(frozen("c.jpg", at: .zero, for: second)).contains("still picture"))
        #expect(message(frozen("d.wav", at: .zero, for: second)).contains("no video"))
        #expect(
            message(frozen("a.mp4", at: .seconds(11), for: second)).contains("its source lasts"))
        #expect(message(frozen("a.mp4", at: .zero, for: .zero)).contains("0 s"))
        for edit in [{ $0.end = .seconds(3) }, { $0.speed = Speed(2) }, { $0.follow = .face }]
            as [(inout VideoItem) -> Void]
        {
            #expect(
                message(frozen("a.mp4", at: .zero, for: second, edit)).contains("take these out"))
        }
    }
}
