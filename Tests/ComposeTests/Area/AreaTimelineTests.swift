import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

@Suite("Masks and effects of clips")
struct AreaTimelineTests {
    private let assets = [SampleAsset.clip("a.mp4", seconds: 10, width: 1280, height: 720)]

    private func read(_ text: String) throws -> Timeline {
        try ProjectFile.timeline(Array(text.utf8), name: "f", resolve: { path, _ in path })
    }

    private func layer(_ item: VideoItem) throws -> LayerInstruction {
        let film = try TimelineBuilder(Timeline(videos: [item]), assets: assets).film()
        return try #require(film.videoComposition?.instructions.first?.layers.first)
    }

    @Test("they are read and written without a loss, a shape's name for short")
    func roundTrip() throws {
        let text = """
            { videos: [
              { file: "a.mp4", mask: "ellipse",
                effects: { effect: "mosaic", x: 0.25, height: 0.1, at: 1, duration: 2.5 } },
              { file: "a.mp4", mask: { picture: "m.png", above: 0.25, lumaSoftness: 0.2, invert: true },
                effects: [
                  { effect: "blur", size: 0.1, shape: "ellipse", rotation: 20, softness: 0.5,
                    keyframes: [ { time: 1, curve: "ease", x: 0.7, width: 0.2 } ] },
                  { effect: "blur", follow: "face" }, { effect: "mosaic" } ] } ] }
            """
        let timeline = try read(text)
        let (first, second) = (timeline.videos[0], timeline.videos[1])
        #expect(first.mask == ClipMask(FrameArea(.ellipse)))
        #expect(
            first.effects == [
                ClipEffect(
                    AreaMosaic(), in: FrameArea(.rectangle, x: 0.25, height: 0.1), at: .seconds(1),
                    duration: MediaTime(value: 5, timescale: 2))
            ])
        #expect(second.mask?.area.picture == "m.png" && second.mask?.area.above == 0.25)
        #expect(second.mask?.area.isInverted == true && second.mask?.area.shape == nil)
        #expect(second.effects[0].effect as? AreaBlur == AreaBlur(size: 0.1))
        #expect(second.effects[0].keyframes[0].width == 0.2)
        #expect(second.effects[1].follow == .face && second.effects[2] == ClipEffect(AreaMosaic()))
        let written = try ProjectFile.text(of: timeline, in: "/")
        #expect(written.contains("mask: \"ellipse\""))
        #expect(try read(written) == timeline)
        #expect(timeline.areaPicturePaths == ["m.png"])
        // a clip without them is written as before
        let plain = try ProjectFile.text(of: Timeline(videos: [VideoItem("a.mp4")]), in: "/")
        #expect(!plain.contains("mask") && !plain.contains("effect"))
    }

    @Test("an effect is there in its span only, and its numbers go as its key frames say")
    func spans() throws {
        var item = VideoItem("a.mp4")
        var area = FrameArea(.rectangle, x: 0.2, width: 0.2)
        area.softness = 0.25
        var key = AreaKeyframe(.seconds(6), x: 0.8, y: 0.5)
        key.softness = 0.75
        item.effects = [
            ClipEffect(
                AreaBlur(), in: area, at: .seconds(2), duration: .seconds(5),
                keyframes: [AreaKeyframe(.seconds(4), x: 0.2, y: 0.5), key])
        ]
        let layer = try layer(item)
        for (time, x) in [(1.0, nil), (2, 0.2), (4, 0.2), (5, 0.5), (6, 0.8), (6.9, 0.8), (7, nil)]
            as [(Double, Double?)]
        {
            let effects = layer.effects(at: MediaTime(value: Int64(time * 10), timescale: 10))
            #expect(effects.count == (x == nil ? 0 : 1), "\(time)")
            if let x, let found = effects.first?.area {
                #expect((found.x - x).magnitude < 1e-4, "\(time)")
            }
        }
        #expect((layer.effects(at: .seconds(5)).first?.area?.softness ?? 0) > 0.4)
        #expect(!layer.isUntouched && layer.still(at: .seconds(1)).isUntouched)
        #expect(
            !layer.still(at: .seconds(3)).isUntouched && layer.still(at: .seconds(8)).isUntouched)
    }

    @Test("a mask changes with its key frames, jumps among them; without any it stays")
    func masks() throws {
        var item = VideoItem("a.mp4")
        item.mask = ClipMask(FrameArea(.ellipse))
        #expect(try layer(item).shownAreas == [AreaRamp(FrameArea(.ellipse))])
        var (first, second) = (AreaKeyframe(.seconds(5)), AreaKeyframe(.seconds(5)))
        (first.width, second.width) = (1, 0.25)
        item.mask?.keyframes = [first, second]
        let layer = try layer(item)
        #expect(((layer.shownArea(at: .seconds(4))?.width ?? 0) - 0.9).magnitude < 1e-3)
        #expect(layer.shownArea(at: .seconds(5))?.width == 0.25)
        #expect(layer.shownArea(at: .seconds(9))?.width == 0.25)
        #expect(!layer.still(at: .seconds(2)).isUntouched)
        // bars of the whole frame would show what it hides
        item.fit = .blurred
        #expect(throws: MediaError.self) { try self.layer(item) }
        item.fit = nil
        let film = try TimelineBuilder(
            Timeline(settings: TimelineSettings(fit: .blurred), videos: [item]), assets: assets
        ).film()
        #expect(film.videoComposition?.instructions.first?.layers.first?.fill == Fill.none)
    }

    @Test(
        "what cannot be meant is refused with its place, in one sentence",
        arguments: [
            ("mask: {}", "the mask of clip 1 (a.mp4) says nothing"),
            ("mask: { softness: 0.5 }", "says nothing"),
            ("mask: { above: 0.5, softness: 0.5 }", "no shape that they could be of"),
            ("mask: { shape: \"ellipse\", cornerRadius: 0.1 }", "only rectangles have corners"),
            ("mask: { shape: \"ellipse\", lumaSoftness: 0.1 }", "neither above nor below"),
            ("mask: { above: 0.5, below: 0.5 }", "which is nowhere"),
            ("mask: { above: 0.5, keyframes: [{ time: 1, x: 0.3 }] }", "there is none"),
            ("mask: { x: 0.5, keyframes: [{ time: 1, above: 0.3 }] }", "does not say it"),
            ("mask: { x: 0.5, keyframes: [{ time: 1 }] }", "changes nothing"),
            ("effects: { effect: \"blur\", size: 0.9 }", "can be 0.001 to 0.5"),
            ("effects: { effect: \"mosaic\", size: 0.001 }", "can be 0.002 to 1"),
            ("effects: { effect: \"blur\", invert: true }", "nothing is left for it"),
            ("effects: { effect: \"blur\", duration: 0 }", "above 0"),
            ("effects: { effect: \"blur\", follow: \"face\", x: 0.5 }", "an area of its own"),
            ("effects: { size: 0.5 }", "needs \"effect\""),
            ("effects: { effect: \"swirl\" }", "blur"),
        ])
    func refusals(_ key: String, _ why: String) {
        #expect {
            try TimelineBuilder(
                self.read("{ videos: [ { file: \"a.mp4\", \(key) } ] }"), assets: self.assets
            ).film()
        } throws: { error in
            let message = (error as? MediaError)?.message ?? ""
            return message.contains(why)
        }
    }

    @Test("what changes nothing is reported")
    func unused() throws {
        var item = VideoItem("a.mp4")
        item.effects = [
            ClipEffect(AreaBlur(), at: .seconds(12)),
            ClipEffect(AreaBlur(), at: .seconds(9), duration: .seconds(2)),
            ClipEffect(AreaBlur(), in: FrameArea(.rectangle, x: 2)),
            ClipEffect(
                AreaBlur(), in: FrameArea(.ellipse),
                keyframes: [AreaKeyframe(.seconds(20), x: 0, y: 0)]),
        ]
        item.mask = ClipMask(FrameArea(.ellipse, y: -1))
        let film = try TimelineBuilder(Timeline(videos: [item]), assets: assets).film()
        let warnings = film.warnings.joined(separator: "\n")
        for (number, why) in [
            (1, "begins behind the end of the clip"), (2, "ends before it is over"),
            (3, "lies outside of the frame"), (4, "lie behind the end of the clip"),
        ] {
            #expect(
                film.warnings.contains {
                    $0.hasPrefix("effect \(number) of clip 1 (a.mp4)") && $0.contains(why)
                }, "\(warnings)")
        }
        #expect(warnings.contains("because of its mask"))
    }

    @Test("OpenTimelineIO keeps them; effects of a program's own are no project's")
    func others() throws {
        struct Grey: AreaEffect {
            var reach: Double { 0 }
            func apply(to samples: AreaSamples) { samples.values.update(repeating: 128) }
        }
        var item = VideoItem("a.mp4")
        item.mask = ClipMask(FrameArea(.ellipse, width: 0.4))
        item.effects = [ClipEffect(AreaMosaic(), at: .seconds(1)), ClipEffect(Grey())]
        let (text, lost) = try OpenTimelineFile.text(
            of: Timeline(videos: [item]), assets: assets, in: "/nowhere")
        let read = try OpenTimelineFile.timeline(Array(text.utf8), name: "t.otio") { path, _ in
            path
        }.timeline
        #expect(read.videos.first?.mask == item.mask)
        let other = try OpenTimelineFile.timeline(
            Array(text.replacing("\"effects\": {", with: "\"effectz\": {").utf8), name: "t.otio"
        ) { path, _ in path }
        #expect(other.timeline.videos.first?.effects.isEmpty ?? false)
        #expect(other.notCarried.contains { $0.hasPrefix("effectz of the clip") }, "\(text)")
        #expect(read.videos.first?.effects == [item.effects[0]])
        for what in ["the mask of", "the effects of", "effects of one's own of"] {
            #expect(lost.contains { $0.contains(what) }, "\(lost)")
        }
        #expect(throws: MediaError.self) {
            try ProjectFile.text(of: Timeline(videos: [item]), in: "/")
        }
    }
}
