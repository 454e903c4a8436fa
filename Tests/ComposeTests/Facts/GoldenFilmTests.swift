import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

/// Descriptions that must never change unseen: tracks, segments, instructions, ramps, mix, plans and scenes, as text.
@Suite("Golden films")
struct GoldenFilmTests {
    private func check(
        _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let difference = try GoldenText(name).difference(from: text)
        #expect(difference == nil, "\(difference ?? "")", sourceLocation: sourceLocation)
    }

    private func film(_ name: String) throws -> Film {
        try GoldenFilms.film(try #require(GoldenFilms.timelines[name]))
    }

    @Test("what a description says where nobody says anything")
    func usual() throws { try check(FactDump.usualText, "usual.txt") }

    @Test(
        "a timeline's composition, instructions and mix",
        arguments: GoldenFilms.timelines.keys.sorted())
    func timeline(_ name: String) throws {
        try check(FactDump.text(try film(name), as: "film"), "film-\(name).txt")
    }

    @Test("a composition cut by hand")
    func edited() throws {
        try check(FactDump.text(try GoldenFilms.edited(), as: "film"), "film-edited.txt")
    }

    // MARK: Plans

    private func plan(
        _ film: Film, _ preset: ExportPreset, _ change: (inout ExportSettings) -> Void = { _ in }
    ) throws -> String {
        var settings = ExportSettings(preset: preset)
        change(&settings)
        do {
            let plan = try ExportPlanner(film: film, settings: settings)
                .plan(SourceShelf(film.assets))
            // the digest is of the text of the types in the source, and has tests of its own
            let facts = FactDump.text(plan, as: "plan").split(separator: "\n")
                .filter { !$0.hasPrefix("  digest ") }
            return (facts + ["  copied \(plan.isCopied), can be resumed \(plan.canBeResumed)"])
                .joined(separator: "\n") + "\n"
        } catch {
            return "refused \(error.code): \(error.message)\n"
        }
    }

    @Test(
        "what of a timeline is encoded, what copied and why not, and what is left of its audio",
        arguments: GoldenFilms.timelines.keys.sorted())
    func plans(_ name: String) throws {
        let film = try film(name)
        var text = "encoded:\n" + (try plan(film, .p540))
        text +=
            "a part of it:\n"
            + (try plan(film, .highest) { $0.range = .milliseconds(1001, 2002) })
        text += "its audio only:\n" + (try plan(film, .audioOnly))
        text += "copied:\n" + (try plan(film, .passthrough))
        try check(text, "plan-\(name).txt")
    }

    @Test("what can be copied, and each reason why something cannot")
    func copies() throws {
        func copied(_ items: [VideoItem], _ change: (inout Timeline) -> Void = { _ in }) throws
            -> String
        {
            var timeline = Timeline(videos: items)
            change(&timeline)
            return try plan(GoldenFilms.film(timeline), .passthrough)
        }
        let (first, second) = (VideoItem("a.mp4", end: .seconds(4)), VideoItem("b.mp4"))
        var text = "two clips:\n" + (try copied([first, second]))
        text += "a cut that continues:\n"
        text += try copied([first, VideoItem("a.mp4", start: .seconds(4))])
        text += "another speed:\n" + (try copied([VideoItem("a.mp4", speed: Speed(2)), second]))
        text += "an animation:\n" + (try copied([VideoItem("c.gif")]))
        text += "another size:\n" + (try copied([first, VideoItem("tall.mp4")]))
        text += "half as loud:\n" + (try copied([VideoItem("a.mp4", volume: 0.5)]))
        text += "a gap:\n" + (try copied([first, VideoItem("b.mp4", gap: .seconds(1))]))
        text += "music beside:\n" + (try copied([first]) { $0.music = [AudioItem("song.m4a")] })
        text += "a title:\n" + (try copied([first]) { $0.titles = [TitleItem("Summer")] })
        text +=
            "a transition:\n"
            + (try copied([first, VideoItem("b.mp4", transition: .dissolve(.seconds(1)))]))
        text +=
            "another rate:\n"
            + (try copied([first]) { $0.settings.frameRate = FrameRate(25) })
        try check(text, "plan-copies.txt")
    }

    // MARK: Scenes

    @Test("a frame's layers in each transition, a quarter and three quarters through")
    func scenes() throws {
        let film = try film("transitions")
        let frames = try #require(film.videoComposition)
        let builder = SceneBuilder(frames)
        var text = ""
        for time in [3250, 3750, 6438, 6813, 9125, 9375, 11_000, 11_500].map(MediaTime.milliseconds)
        {
            let scene = try builder.scene(at: time) { _, time in
                let format = VideoFormat(coding: .raw(.yuv420p), width: 160, height: 96)
                return SampleBuffer(
                    payload: .pixels(PixelBuffer(width: 160, height: 96, format: .yuv420p)),
                    format: .video(format), presentationTime: time)
            }
            text += FactDump.text(scene, as: "scene at \(time.spoken)")
        }
        try check(text, "scenes.txt")
    }

    // MARK: Control

    @Test("control: a tick, a ramp, a gain, a reason or a place that changes is reported")
    func control() throws {
        let film = try film("transitions")
        let text = FactDump.text(film, as: "film")
        #expect(FactDump.text(try self.film("transitions"), as: "film") == text)
        func reported(_ change: (inout Film) throws -> Void) rethrows -> Int {
            var other = film
            try change(&other)
            let (old, new) = (
                text.split(separator: "\n"),
                FactDump.text(other, as: "film").split(separator: "\n")
            )
            return new.difference(from: old).count
        }
        // a line taken away and a line put in
        #expect(
            reported { $0.videoComposition?.instructions[1].layers[0].opacities[0].end = 0.99 } == 2
        )
        #expect(reported { $0.videoComposition?.instructions[1].layers[0].trackID += 1 } == 2)
        #expect(reported { $0.videoComposition?.instructions[1].enablePostProcessing = false } == 1)
        #expect(reported { $0.audioMix.inputs[0].volumeRamps[0].endVolume *= 0.999_999 } == 2)
        #expect(reported { $0.warnings.append("x") } == 2)
        #expect(
            reported { $0.videoComposition?.frameDuration = MediaTime(value: 2, timescale: 60) }
                == 2)
        let id = film.composition.tracks[0].id
        let tick = MediaTimeRange(start: .seconds(1), duration: .timeline(1))
        #expect(try reported { try $0.composition.remove(tick, from: id) } > 2)
        // a plan: its length, its reason
        let short = try plan(film, .p540) { $0.range = .seconds(0, 1) }
        #expect(try plan(film, .p540) { $0.range = .milliseconds(0, 999) } != short)
        #expect(try plan(film, .passthrough).hasPrefix("refused "))
        #expect(try plan(film, .passthrough) != plan(self.film("words"), .passthrough))
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] != "1" {
            let other = text.replacingOccurrences(of: "opacities", with: "opacity")
            #expect(try GoldenText("film-transitions.txt").difference(from: other) != nil)
        }
    }
}
