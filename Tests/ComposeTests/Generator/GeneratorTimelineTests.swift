import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Generators in timelines, projects and other programs' files")
struct GeneratorTimelineTests {
    private func read(_ text: String) throws(MediaError) -> Timeline {
        try ProjectFile.timeline(Array(text.utf8), name: "film.json5") { path, _ in path }
    }

    private func refusal(_ text: String) -> String {
        do throws(MediaError) { _ = try read(text) } catch { return error.message }
        return "nothing was refused"
    }

    private static let blue = Color(red: 0.2, green: 0.4, blue: 0.6)

    private static let all: [VideoItem] = {
        var items: [VideoItem] = [
            VideoItem(.color(blue), duration: .seconds(5)),
            VideoItem(
                .gradient(.init([.white, blue, .black], angle: -45)), duration: .seconds(5)),
            VideoItem(.gradient(.init([.white, .clear], shape: .radial)), duration: .seconds(5)),
            VideoItem(.bars(.smpte), duration: .seconds(10), name: "Leader"),
            VideoItem(.bars(.ebu100), duration: .seconds(10)),
            VideoItem(.counter(.init(.down, from: .seconds(20))), duration: .seconds(10)),
            VideoItem(.counter(.init(from: .milliseconds(2500))), duration: .seconds(10)),
            VideoItem(.color(.black), duration: .seconds(2)),
        ]
        items[3].volume = 0.5
        items[3].transition = .dissolve(.seconds(1))
        items[4].voices = []
        items[5].gap = .seconds(1)
        return items
    }()

    @Test("a project holds every generator")
    func project() throws {
        var over = VideoItem(.counter(.init()), duration: .seconds(3))
        over.place = ClipPlace(.topLeft)
        let timeline = Timeline(videos: Self.all, overlays: [OverlayTrack([over])])
        let text = try ProjectFile.text(of: timeline, in: "/nowhere")
        #expect(try read(text) == timeline)
        #expect(text.contains("generator: \"bars:ebu-100\""), "\(text)")
        #expect(!text.contains("file:"))
        let short = try read(
            """
            {videos: [{generator: "color:#369", duration: 5},
              {generator: {kind: "bars"}, end: "10s"}, {generator: "counter:down:1m"}]}
            """)
        #expect(
            short.videos == [
                VideoItem(.color(Self.blue), duration: .seconds(5)),
                VideoItem(.bars(.smpte), duration: .seconds(10)),
                VideoItem(.counter(.init(.down, from: .seconds(60)))),
            ])
    }

    @Test("mistakes are named at their place")
    func mistakes() {
        let table: [(String, String)] = [
            (
                "{videos: [{file: 'a.mp4',\n generator: 'bars'}]}",
                "film.json5:2:13: a clip needs either \"file\" or \"generator\""
            ),
            (
                "{videos: [{duration: 3}]}",
                "film.json5:1:11: a clip needs \"file\" or \"generator\""
            ),
            (
                "{videos: [{generator: 'noise'}]}",
                "film.json5:1:23: \"generator\" must be a generator such as"
            ),
            (
                "{videos: [{generator: {kind: 'bars', color: 'red'}}]}",
                "film.json5:1:45: a generator of the kind \"bars\" has no use for \"color\": leave it out"
            ),
            (
                "{videos: [{generator: {kind: 'color'}}]}",
                "film.json5:1:23: a generator of the kind \"color\" needs \"color\""
            ),
            (
                "{videos: [{generator: {kind: 'gradient', colors: ['red']}}]}",
                "film.json5:1:50: \"colors\" has 1 of them; a gradient can have 2 to 16"
            ),
            (
                "{videos: [{generator: {kind: 'gradient', colors: ['red', 'blue'], shape: 'radial', angle: 3}}]}",
                "film.json5:1:91: a radial gradient has no use for \"angle\""
            ),
            (
                "{videos: [\n  {generator: 'bars', speed: 2}]}",
                "film.json5:2:3: clip 1 (bars) is generated, so it has no speed of its own; "
                    + "leave speed out, and give it an end"
            ),
            (
                "{videos: [{generator: 'counter', start: 1, end: 3}]}",
                "clip 1 (counter) is generated, so it has no start of its own; leave start out, and say "
                    + "what it counts from"
            ),
            ("{videos: [{generator: 'bars', freeze: 1}]}", "give it an end in the place of freeze"),
            ("{videos: [{generator: 'bars', follow: 'face'}]}", "leave follow out"),
            ("{videos: [{generator: 'bars', track: 1}]}", "leave track out"),
            ("{videos: [{generator: 'bars', audio: [2]}]}", "make it [] for no audio"),
            (
                "{videos: [{generator: 'counter:down:3', end: 5}]}",
                "counts down from 3 s, but shows for 5 s"
            ),
        ]
        for (text, message) in table {
            #expect(refusal(text).contains(message), "\(text): \(refusal(text))")
        }
    }

    @Test("OpenTimelineIO refers to generators, and they come back")
    func openTimeline() throws {
        let timeline = Timeline(videos: Self.all)
        let (text, lost) = try OpenTimelineFile.text(of: timeline, assets: [], in: "/nowhere")
        #expect(text.contains("\"GeneratorReference.1\"") && !text.contains("ExternalReference"))
        #expect(text.contains("\"generator_kind\": \"SMPTEBars\""))
        #expect(lost.contains { $0.contains("a generator that other programs may not know") })
        let back = try OpenTimelineFile.timeline(Array(text.utf8), name: "f.otio") { path, _ in
            path
        }
        #expect(back.notCarried.isEmpty)
        #expect(back.timeline == timeline)
    }

    @Test("other programs' bars and black are read, other generators are listed")
    func foreign() throws {
        func clip(_ name: String, _ kind: String, from start: Int = 0) -> String {
            """
            {"OTIO_SCHEMA": "Clip.2", "name": "\(name)", "source_range": {
              "OTIO_SCHEMA": "TimeRange.1",
              "start_time": {"OTIO_SCHEMA": "RationalTime.1", "value": \(start), "rate": 25},
              "duration": {"OTIO_SCHEMA": "RationalTime.1", "value": 50, "rate": 25}},
             "media_references": {"DEFAULT_MEDIA": {"OTIO_SCHEMA": "GeneratorReference.1",
              "generator_kind": "\(kind)", "parameters": {}}},
             "active_media_reference_key": "DEFAULT_MEDIA"}
            """
        }
        let text = """
            {"OTIO_SCHEMA": "Timeline.1", "name": "", "tracks": {"OTIO_SCHEMA": "Stack.1",
             "children": [{"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [
              \(clip("tone", "SMPTEBars", from: 90_000)), \(clip("wipe", "Fractal Noise")),
              \(clip("end", "black"))]}]}}
            """
        let (timeline, lost) = try OpenTimelineFile.timeline(
            Array(text.utf8), name: "f.otio"
        ) { path, _ in path }
        var last = VideoItem(.color(.black), duration: .seconds(2), name: "end")
        last.gap = .seconds(2)
        #expect(
            timeline.videos == [
                VideoItem(.bars(.smpte), duration: .seconds(2), name: "tone"), last,
            ])
        #expect(
            lost == [
                "the clip wipe: its generator Fractal Noise is none that vcap has; black is shown for 2 s"
            ])
    }

    @Test("words are read and written, and others are none")
    func words() {
        for text in [
            "color:#336699", "color:#33669980", "gradient:white:black", "gradient:red:#123456:45",
            "gradient:red:blue:green:radial", "gradient:red:blue:-12.5", "bars", "bars:ebu",
            "bars:ebu-100", "counter", "counter:down", "counter:2.5s", "counter:down:10s",
        ] {
            #expect(Generator(projectText: text)?.projectText == text)
        }
        #expect(Generator(projectText: "counter:00:01:30") == .counter(.init(from: .seconds(90))))
        #expect(Generator(projectText: "bars:smpte") == .bars(.smpte))
        for text in [
            "", "color", "color:", "color:nothing", "gradient:red", "gradient:red:blue:400",
            "bars:pal", "counter:up:down", "counter:25h", "Bars", "bars.mp4", "counter:-1",
        ] {
            #expect(Generator(projectText: text) == nil, "\(text)")
        }
    }

    @Test(
        "a film's digest is another for each generator, and a counter counts down from the clip's length"
    )
    func digests() throws {
        func digest(_ item: VideoItem) throws -> String {
            try ExportSession(GeneratedFilm([item]).film).plan().digest
        }
        let items = [
            VideoItem(.bars(.smpte), duration: .seconds(2)),
            VideoItem(.bars(.ebu), duration: .seconds(2)),
            VideoItem(.counter(.init()), duration: .seconds(2)),
            VideoItem(.counter(.init(.down)), duration: .seconds(2)),
            VideoItem(.color(Self.blue), duration: .seconds(2)),
            VideoItem(.color(Color(red: 0.2, green: 0.4, blue: 0.6001)), duration: .seconds(2)),
        ]
        #expect(Set(try items.map(digest)).count == items.count)
        #expect(try digest(items[0]) == digest(items[0]))
        let down = try GeneratedFilm([items[3]], width: 64, height: 36).film
        #expect(down.assets.map(\.path) == ["counter:down:2s/"])
    }
}
