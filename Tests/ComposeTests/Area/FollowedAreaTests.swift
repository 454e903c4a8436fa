import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("Effects on what was detected")
struct FollowedAreaTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func face(_ id: Int, _ x: Double, _ side: Double) -> MetadataItem {
        MetadataItem(
            "org.vcap.detected-face",
            .json(
                "{\"type\":\"face\",\"id\":\(id),\"bounds\":[\(x - side / 2),0.3,\(side),\(side)],\"confidence\":0.9}"
            ))
    }

    /// A take of four seconds: one face goes from left to right, another one is there from 1 to 2 s and at 3.2 s.
    private func take() async throws -> Asset {
        let format = MetadataFormat(keys: [.init("org.vcap.detected-face", .json)])
        let groups = (0..<20).map { index in
            let time = Double(index) / 5
            var items = [face(1, 0.2 + 0.15 * time, 0.2)]
            if (5...10).contains(index) || index == 16 { items.append(face(2, 0.8, 0.1)) }
            return TimedMetadataGroup(
                items: items, start: MediaTime(value: Int64(index), timescale: 5))
        }
        return try await NumberedClip(frames: 121, metadataFormat: format, metadata: groups)
            .write(to: folder.file("take\(UInt32.random(in: 0...UInt32.max)).mov"))
    }

    private func layer(_ edit: (inout VideoItem) -> Void = { _ in }) async throws
        -> LayerInstruction
    {
        let asset = try await take()
        var item = VideoItem(asset.path)
        item.effects = [ClipEffect(AreaMosaic(), follow: .face)]
        edit(&item)
        let film = try LoadedTimeline(Timeline(videos: [item])).film()
        return try #require(film.videoComposition?.instructions.first?.layers.first)
    }

    /// Which places are covered at an instant (parts of the frame).
    private func covers(_ layer: LayerInstruction, _ seconds: Double, _ x: Double, _ y: Double)
        -> Bool
    {
        layer.effects(at: MediaTime(value: Int64((seconds * 1000).rounded()), timescale: 1000))
            .contains {
                guard let area = $0.area else { return true }
                let (u, v) = ((x - area.x) / area.width * 2, (y - area.y) / area.height * 2)
                return u * u + v * v <= 1
            }
    }

    @Test(
        "all of each face is covered at every instant at which it is seen, and a little before and after"
    )
    func faces() async throws {
        let layer = try await layer()
        #expect(layer.effects.count == 2)
        for step in 0..<40 {
            let time = Double(step) / 10
            let x = 0.2 + 0.15 * min(time, 3.8)
            for (dx, dy) in [(0.0, 0.1), (-0.1, 0), (0.1, 0), (-0.1, 0.2), (0.1, 0.2)] {
                #expect(covers(layer, time, x + dx, 0.3 + dy), "\(time) \(dx) \(dy)")
            }
        }
        for (time, isCovered) in [
            (0.4, false), (0.6, true), (1, true), (1.5, true), (2, true), (2.4, true), (2.6, false),
            (2.8, true), (3.2, true), (3.6, true),
        ] {
            #expect(covers(layer, time, 0.8, 0.35) == isCovered, "\(time)")
        }
        // beside them nothing is
        #expect(!covers(layer, 0, 0.6, 0.4) && !covers(layer, 2, 0.1, 0.4))
    }

    @Test("cut, faster and backwards it is where the picture is")
    func parts() async throws {
        let cut = try await layer { ($0.start, $0.speed) = (.seconds(1), Speed(2)) }
        // film time t shows the source's 1 + 2t
        for time in [0.0, 0.5, 1, 1.4] {
            #expect(covers(cut, time, 0.2 + 0.15 * min(3.8, 1 + 2 * time), 0.4), "\(time)")
        }
        #expect(covers(cut, 0, 0.8, 0.35) && !covers(cut, 0.8, 0.8, 0.35))
        let back = try await layer { $0.isReversed = true }
        for time in [0.1, 1, 2, 3] {
            #expect(covers(back, time, 0.2 + 0.15 * (4 - time), 0.4), "\(time)")
        }
        let still = try await layer { ($0.start, $0.freeze) = (.seconds(2), .seconds(3)) }
        for time in [0.0, 2.9] {
            #expect(covers(still, time, 0.5, 0.4) && covers(still, time, 0.8, 0.35))
        }
        // it was seen 1.2 s before
        let later = try await layer { ($0.start, $0.freeze) = (.seconds(3), .seconds(3)) }
        #expect(covers(later, 1, 0.65, 0.4))
    }

    @Test("what has no number is the same where it is near")
    func codes() {
        func place(_ x: Double) -> DetectedPlace {
            DetectedPlace(
                json: .object([
                    ("bounds", .array([x, 0.4, 0.1, 0.1].map { .number(written: "\($0)") }))
                ]))!
        }
        let samples = (0..<20).map { index -> (time: Double, places: [DetectedPlace]) in
            let x = 0.1 + 0.02 * Double(index)
            // their order is any
            return (
                Double(index) / 10,
                index.isMultiple(of: 2) ? [place(x), place(0.8)] : [place(0.8), place(x)]
            )
        }
        let areas = FollowedAreas(samples)
        #expect(areas.things.count == 2)
        #expect(areas.things.map { $0.first?.box.x } == [0.1, 0.8])
        #expect((areas.things[0].last?.box.x ?? 0) > 0.47)
        let way = areas.way(of: areas.things[0], length: 2.2)
        // evenly: few points, and it stays to the end
        #expect(way.count <= 4 && way.allSatisfy { $0.box != nil })
        #expect(way.first?.time == 0 && way.last?.time == 2.2)
    }

    @Test("between looks that are far apart all is covered where it may have been")
    func gaps() throws {
        func place(_ x: Double) throws -> DetectedPlace {
            try #require(
                DetectedPlace(
                    json: .object([
                        ("bounds", .array([x, 0.4, 0.1, 0.1].map { .number(written: "\($0)") }))
                    ])))
        }
        // it goes a whole width each second, and is looked at when the machine has the time
        let looks = [0.0, 0.87, 2.63, 2.87]
        let areas = FollowedAreas(
            try looks.map { (time: $0, places: [try place(0.1 + 0.2 * $0)]) })
        #expect(areas.things.count == 1)
        #expect((areas.longestGap(within: 3.5) - 1.76).magnitude < 1e-9)
        let way = areas.way(of: areas.things[0], length: 3.5)
        func box(_ time: Double) -> Rectangle? { way.last { $0.time <= time }?.box }
        for step in 0..<33 {
            let time = Double(step) / 10
            // there it goes evenly
            if (2.63...2.87).contains(time) { continue }
            let found = try #require(box(time), "\(time)")
            let x = 0.1 + 0.2 * time
            #expect(found.x <= x + 0.005 && found.x + found.width >= x + 0.095, "\(time) \(found)")
        }
        // a look that did not see it ends it, one that saw it first begins it
        let between = FollowedAreas([
            (0, []), (2, [try place(0.3)]), (4, []), (6, []), (8, [try place(0.7)]),
        ])
        #expect(between.things.count == 2)
        let first = between.way(of: between.things[0], length: 10)
        #expect(first.first?.box != nil)
        #expect(first.last?.box == nil && first.contains { $0.time == 4 && $0.box == nil })
        let second = between.way(of: between.things[1], length: 10)
        #expect(second.contains { $0.time == 6 && $0.box != nil } && second.last?.box != nil)
        #expect(second.first?.box == nil)
    }

    @Test("what is hidden is not said in the film's tracks either")
    func metadata() async throws {
        let take = try await take()
        var item = VideoItem(take.path)
        func film() throws -> Film { try LoadedTimeline(Timeline(videos: [item])).film() }
        // the control: without an effect it is carried
        #expect(try film().composition.tracks(of: .metadata).count == 1)
        for effect in [
            ClipEffect(AreaMosaic(), follow: .face),
            ClipEffect(AreaBlur(), in: FrameArea(.ellipse)),
        ] {
            item.effects = [effect]
            let film = try film()
            #expect(film.composition.tracks(of: .metadata).isEmpty)
            #expect(film.warnings.contains { $0.contains("what was detected in it is left out") })
        }
        item.effects = []
        item.mask = ClipMask(FrameArea(.ellipse))
        #expect(try film().composition.tracks(of: .metadata).isEmpty)
    }

    @Test("an effect that cannot know what it should cover refuses the film")
    func unknown() async throws {
        let plain = try await NumberedClip(frames: 30).write(to: folder.file("plain.mov"))
        var item = VideoItem(plain.path)
        item.effects = [ClipEffect(AreaBlur()), ClipEffect(AreaMosaic(), follow: .face)]
        #expect {
            try LoadedTimeline(Timeline(videos: [item]))
        } throws: {
            let message = ($0 as? MediaError)?.message ?? ""
            return message.contains("effect 2 of clip 1 (plain.mov) follows each face")
                && message.contains("no track of what was detected")
        }
        let take = try await take()
        item.path = take.path
        #expect(try LoadedTimeline(Timeline(videos: [item])).timeline.videos == [item])
        item.effects[1].follow = .cat
        #expect(throws: MediaError.self) { try LoadedTimeline(Timeline(videos: [item])) }
    }
}
