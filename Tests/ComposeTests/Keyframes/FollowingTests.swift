import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("Views that follow what was detected")
struct FollowingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ places: [(Double, Double, Double)], length: Double) -> FollowedPath {
        FollowedPath(
            places.map { .init(time: $0.0, point: Point(x: $0.1, y: $0.2)) }, length: length)
    }

    @Test("what stands still is one point, also where detection trembles")
    func still() {
        var random = SplitMix(seed: 7)
        let places = (0..<100).map { index in
            (
                Double(index) / 5, 0.6 + Double.random(in: -0.004...0.004, using: &random),
                0.4 + Double.random(in: -0.004...0.004, using: &random)
            )
        }
        let steps = path(places, length: 20).steps
        #expect(steps.count == 1)
        #expect((steps[0].point.x - 0.6).magnitude < 0.004)
        #expect(path([], length: 20).steps.isEmpty)
        #expect(path([(3, 0.2, 0.1)], length: 20).steps.map(\.point) == [Point(x: 0.2, y: 0.1)])
    }

    @Test("what moves evenly is followed along its line, and a gap is gone through")
    func line() throws {
        let times = (0..<100).filter { $0 < 40 || $0 > 54 }.map { Double($0) / 5 }
        let places = times.map { time -> (Double, Double, Double) in (time, 0.1 + 0.04 * time, 0.5)
        }
        let steps = path(places, length: 20).steps
        #expect(steps.count < 12)
        for step in steps where step.time > 1.5 && step.time < 18 {
            #expect((step.point.x - 0.1 - 0.04 * step.time).magnitude < 0.005)
        }
        // from one place to another it is led, not thrown
        let jump = path([(0, 0.2, 0.5), (4.9, 0.2, 0.5), (5, 0.8, 0.5)], length: 10).steps
        var fastest = 0.0
        for (one, two) in zip(jump, jump.dropFirst()) {
            fastest = max(fastest, (two.point.x - one.point.x) / (two.time - one.time))
        }
        #expect(fastest > 0.2 && fastest < 0.6)
    }

    /// A take whose face goes from left to right between 1 and 3 s, with another, smaller one at the right.
    private func take() async throws -> Asset {
        let format = MetadataFormat(keys: [.init("org.vcap.detected-face", .json)])
        func face(_ id: Int, _ x: Double, _ side: Double) -> MetadataItem {
            MetadataItem(
                "org.vcap.detected-face",
                .json(
                    "{\"type\":\"face\",\"id\":\(id),\"bounds\":[\(x - side / 2),0.3,\(side),\(side)],\"confidence\":0.9}"
                ))
        }
        let groups = (0..<20).map { index in
            let time = Double(index) / 5
            let x = 0.2 + 0.6 * min(1, max(0, (time - 1) / 2))
            return TimedMetadataGroup(
                items: [face(2, 0.9, 0.05), face(1, x, 0.2)],
                start: MediaTime(value: Int64(index), timescale: 5))
        }
        return try await NumberedClip(
            frames: 121, metadataFormat: format, metadata: groups
        ).write(to: folder.file("take.mov"))
    }

    private func transforms(_ edit: (inout VideoItem) -> Void) async throws -> LayerInstruction {
        let asset = try await take()
        var item = VideoItem(asset.path)
        item.follow = .face
        edit(&item)
        var timeline = Timeline(videos: [item])
        timeline.settings.renderSize = PixelSize(width: 108, height: 108)
        let film = try LoadedTimeline(timeline).film()
        #expect(film.warnings.isEmpty)
        return try #require(film.videoComposition?.instructions.first?.layers.first)
    }

    /// What of the clip's width is in the middle of the frame.
    private func middle(_ layer: LayerInstruction, _ seconds: Double) throws -> Double {
        let time = MediaTime(value: Int64(seconds * 1000), timescale: 1000)
        return try #require(layer.transform(at: time).inverse).apply(x: 54, y: 54).x / 192
    }

    @Test("a face of the take stays in the middle of a square film, as far as the clip reaches")
    func square() async throws {
        let layer = try await transforms { _ in }
        // half of 108 of 192 pixels is as near as the edge comes
        #expect((try middle(layer, 0.2) - 0.28125).magnitude < 0.001)
        #expect((try middle(layer, 2) - 0.5).magnitude < 0.02)
        #expect((try middle(layer, 3.9) - 0.71875).magnitude < 0.001)
        #expect(layer.transform(at: .zero).a == 1)
    }

    @Test("a part of the clip, faster and nearer")
    func part() async throws {
        let layer = try await transforms {
            ($0.start, $0.speed, $0.view) = (.seconds(1), Speed(2), .init(zoom: 2))
        }
        // 2 s of the source is half a second of the film
        #expect((try middle(layer, 0.5) - 0.5).magnitude < 0.02)
        #expect((try middle(layer, 1.4) - 0.8).magnitude < 0.03)
        #expect(layer.transform(at: .zero).a == 2)
    }

    @Test("where nothing was detected the clip is shown as it is, and that is reported")
    func nothing() async throws {
        let asset = try await NumberedClip(frames: 30).write(to: folder.file("plain.mov"))
        var item = VideoItem(asset.path)
        item.follow = .face
        let film = try LoadedTimeline(Timeline(videos: [item])).film()
        #expect(
            film.warnings == [
                "clip 1 (plain.mov): no face is followed, because it has no track of what was detected "
                    + "(vcap record --detect)"
            ])
        let take = try await take()
        item.path = take.path
        item.follow = .cat
        #expect(
            try LoadedTimeline(Timeline(videos: [item])).film().warnings.first?
                .contains("no cat is followed") ?? false)
        item.follow = .face
        var key = ClipKeyframe(.seconds(1))
        key.view = .init()
        item.keyframes = [key]
        #expect(throws: MediaError.self) { try LoadedTimeline(Timeline(videos: [item])) }
        (item.keyframes, item.view) = ([], .init(x: 0.2))
        #expect(throws: MediaError.self) { try LoadedTimeline(Timeline(videos: [item])) }
    }

    @Test(
        "a timeline keeps the word, and a film of the clip's own shape reports that nothing moves")
    func kept() async throws {
        let take = try await take()
        var item = VideoItem(take.path)
        item.follow = .face
        let loaded = try LoadedTimeline(Timeline(videos: [item]))
        #expect(loaded.timeline.videos == [item])
        let warnings = try loaded.film().warnings
        #expect(warnings.count == 1 && warnings[0].contains("its view changes nothing"))
    }
}
