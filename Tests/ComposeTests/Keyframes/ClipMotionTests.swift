import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("Pan and zoom over still pictures")
struct ClipMotionTests {
    private let frame = PixelSize(width: 1280, height: 720)
    private let assets = [
        SampleAsset.still("wide.jpg", width: 4000, height: 1000),
        SampleAsset.still("usual.jpg", width: 1600, height: 900),
        SampleAsset.still("tall.jpg", width: 900, height: 1600),
        SampleAsset.clip("a.mp4", seconds: 10, width: 1280, height: 720),
    ]

    private func instructions(
        _ videos: [VideoItem], _ motion: ClipMotion = .automatic
    ) throws -> [Instruction] {
        var settings = TimelineSettings(renderSize: frame, stillMotion: motion)
        settings.frameRate = FrameRate(25)
        let film = try TimelineBuilder(
            Timeline(settings: settings, videos: videos), assets: assets
        ).film()
        return try #require(film.videoComposition).instructions
    }

    /// The film's frame in parts of the picture: left, top, right, bottom.
    private func view(
        _ layer: LayerInstruction, _ time: MediaTime, _ width: Double, _ height: Double
    ) throws -> [Double] {
        let back = try #require(layer.transform(at: time).inverse)
        let (left, top) = back.apply(x: 0, y: 0)
        let (right, bottom) = back.apply(x: 1280, y: 720)
        return [left / width, top / height, right / width, bottom / height]
    }

    private func isNear(_ one: [Double], _ two: [Double]) -> Bool {
        zip(one, two).allSatisfy { ($0 - $1).magnitude < 1e-4 }
    }

    @Test(
        "pictures that do not fit are gone along, others into and out of in turn, movies not at all"
    )
    func automatic() throws {
        let made = try instructions(
            ["wide.jpg", "usual.jpg", "a.mp4", "tall.jpg", "usual.jpg"].map { VideoItem($0) })
        let layers = made.map { $0.layers[0] }
        let starts = made.map(\.timeRange.start)
        let ends = made.map(\.timeRange.end)
        func sides(_ index: Int, _ width: Double, _ height: Double) throws -> [[Double]] {
            [
                try view(layers[index], starts[index], width, height),
                try view(layers[index], ends[index], width, height),
            ]
        }
        // 16:9 of 4:1 is 0.4444 of its width
        let wide = try sides(0, 4000, 1000)
        #expect(isNear(wide[0], [0, 0, 0.444444, 1]) && isNear(wide[1], [0.555556, 0, 1, 1]))
        let usual = try sides(1, 1600, 900)
        #expect(
            isNear(usual[0], [1.0 / 12, 1.0 / 12, 11.0 / 12, 11.0 / 12])
                || isNear(usual[0], [0, 0, 1, 1]))
        #expect(usual[0] != usual[1])
        #expect(!layers[2].isMoving)
        let tall = try sides(3, 900, 1600)
        #expect(tall[0] != tall[1])
        #expect(tall.allSatisfy { isNear([$0[0], $0[2]], [0, 1]) })
        let again = try sides(4, 1600, 900)
        // the other way round than the one before
        #expect(isNear(again[0], usual[0]) == (isNear(again[1], usual[1])))
    }

    @Test("a picture covers the frame all along, at even speed")
    func covering() throws {
        let made = try instructions([VideoItem("tall.jpg")], .views(.inwards))
        for step in 0...100 {
            let time = MediaTime(value: Int64(step), timescale: 25)
            let sides = try view(made[0].layers[0], time, 900, 1600)
            #expect(sides[0] > -1e-4 && sides[1] > -1e-4 && sides[2] < 1.0001 && sides[3] < 1.0001)
        }
    }

    @Test("what is said of a clip goes before what is said of the film")
    func own() throws {
        var still = VideoItem("usual.jpg")
        still.motion = ClipMotion.none
        var moved = VideoItem("a.mp4")
        moved.motion = .views(.leftwards)
        var viewed = VideoItem("usual.jpg")
        viewed.view = .init(zoom: 2)
        var over = VideoItem("usual.jpg")
        over.place = ClipPlace()
        let made = try instructions([still, moved, viewed])
        #expect(made.map { $0.layers[0].isMoving } == [false, true, false])
        var timeline = Timeline(videos: [VideoItem("a.mp4")], overlays: [OverlayTrack([over])])
        timeline.settings.stillMotion = .automatic
        let film = try TimelineBuilder(timeline, assets: assets).film()
        let logo = try #require(film.videoComposition?.instructions.first?.layers.first)
        #expect(!logo.isMoving, "a logo over the film stays")
    }

    @Test("a picture that is contained is zoomed, as there is nothing to pan over")
    func contained() throws {
        var item = VideoItem("wide.jpg")
        item.fit = .contain
        let layer = try instructions([item])[0].layers[0]
        #expect(layer.isMoving)
        #expect(layer.transform(at: .seconds(4)).a > layer.transform(at: .zero).a * 1.19)
    }

    @Test("a motion and a view are refused together")
    func both() {
        var item = VideoItem("usual.jpg")
        (item.motion, item.view) = (.automatic, .init(zoom: 2))
        #expect(throws: MediaError.self) { try Timeline(videos: [item]).validate() }
    }

    @Test(
        "a transition of pictures that move is the transition, and they move",
        arguments: [
            Transition.push(.left, .seconds(2)), .push(.up, .seconds(2)),
            .wipe(.right, .seconds(2)),
            .dissolve(.seconds(2)), .fade(.seconds(2)),
        ])
    func transitions(_ transition: Transition) throws {
        var second = VideoItem("wide.jpg")
        second.transition = transition
        let made = try instructions([VideoItem("tall.jpg"), second])
        var still = VideoItem("tall.jpg")
        still.fit = .cover
        second.fit = .cover
        let plain = try instructions([still, second], .none)
        let crossing = made[1]
        #expect(crossing.timeRange == plain[1].timeRange && crossing.layers.count == 2)
        // each clip's own way, as it is before and after
        let own = [made[0].layers[0], made[2].layers[0]]
        for step in 0..<100 {
            let time = MediaTime(value: Int64(100 + step), timescale: 50)
            for index in 0...1 {
                let (moving, fixed) = (crossing.layers[index], plain[1].layers[index])
                #expect((moving.opacity(at: time) - fixed.opacity(at: time)).magnitude < 0.001)
                // the shift of a push is that of pictures that do not move
                let shift = fixed.transform(at: time)
                let rest = plain[index == 0 ? 0 : 2].layers[0].transform(at: time)
                let wanted = own[index].transform(at: time)
                let map = moving.transform(at: time)
                #expect((map.tx - wanted.tx - (shift.tx - rest.tx)).magnitude < 0.13, "\(step)")
                #expect((map.ty - wanted.ty - (shift.ty - rest.ty)).magnitude < 0.13, "\(step)")
                // what is cut off is cut off at the same places of the frame
                guard let crop = moving.crop(at: time), let other = fixed.crop(at: time) else {
                    #expect(moving.crop(at: time) == nil && fixed.crop(at: time) == nil)
                    continue
                }
                for (x, y) in [(0.0, 0.0), (1.0, 1.0)] {
                    let one = map.apply(
                        x: crop.rectangle.x + x * crop.rectangle.width,
                        y: crop.rectangle.y + y * crop.rectangle.height)
                    let two = shift.apply(
                        x: other.rectangle.x + x * other.rectangle.width,
                        y: other.rectangle.y + y * other.rectangle.height)
                    #expect((one.x - two.x).magnitude < 0.13 && (one.y - two.y).magnitude < 0.13)
                }
            }
        }
    }
}
