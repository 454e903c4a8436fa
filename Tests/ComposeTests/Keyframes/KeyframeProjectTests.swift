import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Key frames in projects")
struct KeyframeProjectTests {
    private func read(_ text: String) throws -> Timeline {
        try ProjectFile.timeline(Array(text.utf8), name: "f", resolve: { path, _ in path })
    }

    @Test("key frames, views, motions and placed titles are read and written without a loss")
    func roundTrip() throws {
        let text = """
            { stillMotion: "auto",
              videos: [
                { file: "a.mp4", view: { zoom: 2, y: 0.25 }, keyframes: [
                    { time: "1.5", curve: "cubic-bezier(0.2, -1, 0.1, 2.5)", opacity: 0.5, volume: 2 },
                    { time: 2, place: "top-left", crop: { left: 0.1 }, border: "red", shadow: {} },
                    { time: 2, view: { x: 0.2 }, cornerRadius: 0.25 } ] },
                { file: "b.jpg", motion: "1@50,50:1.4@70,30" }, { file: "c.jpg", motion: "left" },
                { file: "d.jpg", motion: { from: { zoom: 2 }, to: { x: 0.3333333333333333 } } },
                { file: "e.mov", follow: "face" } ],
              titles: [ { text: "x", x: 0.1, y: -0.2, scale: 2, rotation: -5, opacity: 0.5,
                keyframes: [ { time: 1, curve: "ease-out", x: 0, rotation: 720 } ] } ] }
            """
        let timeline = try read(text)
        let key = timeline.videos[0].keyframes[0]
        #expect(key.time == MediaTime(value: 3, timescale: 2))
        #expect(key.curve == .cubicBezier(0.2, -1, 0.1, 2.5) && key.opacity == 0.5)
        #expect(timeline.videos[0].keyframes[1].place == ClipPlace(.topLeft))
        #expect(
            timeline.videos[1].motion
                == .views(.init(from: .init(), to: .init(zoom: 1.4, x: 0.7, y: 0.3))))
        #expect(timeline.settings.stillMotion == .automatic)
        #expect(timeline.titles[0].keyframes[0].rotation == 720)
        let written = try ProjectFile.text(of: timeline, in: "/")
        #expect(try read(written) == timeline)
        // a project without any of it is written as before
        #expect(
            try !ProjectFile.text(of: Timeline(videos: [VideoItem("a.mp4")]), in: "/").contains(
                "keyframes"))
    }

    @Test(
        "a mistake is named with its line",
        arguments: [
            ("{ time: 1, curve: \"bounce\", opacity: 1 }", "\"curve\" must be a curve such as"),
            ("{ time: 1, curve: \"cubic-bezier(2, 0, 0, 0)\", opacity: 1 }", "\"curve\" must be"),
            ("{ opacity: 1 }", "a key frame of a clip needs \"time\""),
            ("{ time: 1, opacty: 1 }", "did you mean \"opacity\"?"),
            ("{ time: 1, opacity: 2 }", "\"opacity\" must be a number from 0 to 1"),
            ("{ time: 1, zoom: 2 }", "has no key \"zoom\""),
            ("{ time: 1, rotation: 2 }", "has no key \"rotation\""),
        ])
    func mistakes(key: String, words: String) {
        #expect {
            try read("{ videos: [\n{ file: \"a.mp4\", keyframes: [\n\(key) ] } ] }")
        } throws: {
            let message = ($0 as? MediaError)?.message ?? ""
            return message.contains("f:3:") && message.contains(words)
        }
    }
}
