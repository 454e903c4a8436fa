import Media
import Testing

@testable import Compose

@Suite struct OpenTimelineTests {
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 10), SampleAsset.clip("clips/b c.mp4", seconds: 90),
        SampleAsset.clip("c.gif", seconds: 3, sound: false),
        SampleAsset.onlyAudio("talk.wav", seconds: 12),
        SampleAsset.onlyAudio("song.m4a", seconds: 6),
    ]

    private func read(
        _ text: String
    ) throws(MediaError) -> (timeline: Timeline, notCarried: [String]) {
        try OpenTimelineFile.timeline(Array(text.utf8), name: "f.otio") { path, _ in path }
    }

    private var timeline: Timeline {
        var timeline = ProjectExamples.timeline
        timeline.videos = [
            VideoItem("a.mp4", end: .seconds(9)),
            VideoItem(
                "clips/b c.mp4", name: "Beach", start: .milliseconds(1500), end: .seconds(63),
                speed: Speed(3, per: 2), fit: .cover, volume: 0.25,
                transition: .dissolve(.seconds(1))),
            VideoItem(
                "c.gif", end: .seconds(3),
                transition: .wipe(.up, softness: 0.1, MediaTime(value: 1001, timescale: 30_000))),
        ]
        timeline.titles.removeLast()
        // in the film, which is shorter than the example's
        timeline.chapters[1].time = .seconds(40)
        timeline.music[0].end = .seconds(6)
        return timeline
    }

    @Test func whatIsWrittenIsReadBackWithTheSameLengths() throws {
        let (text, notCarried) = try OpenTimelineFile.text(
            of: timeline, assets: assets, in: "/nowhere")
        let back = try read(text)
        #expect(back.notCarried.isEmpty)
        #expect(back.timeline == timeline)
        let films = try [timeline, back.timeline].map {
            try TimelineBuilder($0, assets: assets).film()
        }
        #expect(films[0].composition == films[1].composition)
        #expect(
            notCarried
                == [
                    "title 1 (\"Summer\")", "the volume of clip 2 (Beach)",
                    "the fit of clip 2 (Beach)",
                    "the look of the transition to clip 3 (c.gif)",
                    "volume, pan and fades of "
                        + "voice-over 1 (Ann)",
                    "the loop of music 1 (song.m4a)", "volume, pan and fades of music 1 (song.m4a)",
                    "in and out", "the film's size", "the film's frame rate",
                    "the film's colours", "the background", "the fit of clips that do not say",
                    "the pitch of clips at other speeds", "the watermark", "the ducking",
                ].map { $0 + ": kept in metadata, which other programs do not read" })
    }

    @Test(arguments: [
        Transition.zoom(.outward, .seconds(1)),
        .iris(.closing, softness: 0.25, center: Point(x: 0.25, y: 0.75), .seconds(1)),
        .luma("p/clouds.png", .seconds(1)),
        .luma("c.png", softness: 0.5, isInverted: true, .seconds(1)),
        Transition(.dissolve, duration: .seconds(1), curve: .easeInOut),
        Transition(.push(.up), duration: .seconds(1), curve: .cubicBezier(0.25, 0, 0.5, 1.25)),
    ])
    func transitionsOfOurOwnAreReadBack(_ transition: Transition) throws {
        let own = Timeline(videos: [
            VideoItem("a.mp4", end: .seconds(9)),
            VideoItem("clips/b c.mp4", end: .seconds(9), transition: transition),
        ])
        let (text, lost) = try OpenTimelineFile.text(of: own, assets: assets, in: "/nowhere")
        #expect(
            lost == [
                "the look of the transition to clip 2 (b c.mp4): kept in metadata, which other "
                    + "programs do not read"
            ])
        #expect(try read(text).timeline == own)
    }

    @Test func clipsMeetInTheMiddleOfTheirTransition() throws {
        let (text, _) = try OpenTimelineFile.text(of: timeline, assets: assets, in: "/nowhere")
        let root = try JSONParser.parse(Array(text.utf8), as: .json5)
        let children = root["tracks"]?["children"]?.elements?.first?["children"]?.elements ?? []
        #expect(
            children.map { $0["OTIO_SCHEMA"]?.text ?? "" } == [
                "Clip.1", "Transition.1", "Clip.1", "Transition.1", "Clip.1",
            ])
        let first = children[0]["source_range"]
        #expect(OTIOTime.time(first?["duration"]) == .milliseconds(8500))
        #expect(OTIOTime.time(children[1]["in_offset"]) == .milliseconds(500))
        // half a second of the film is three quarters of the source at 3/2
        #expect(OTIOTime.time(children[2]["source_range"]?["start_time"]) == .milliseconds(2250))
        let url = children[2]["media_reference"]?["target_url"]?.text
        #expect(url == "clips/b%20c.mp4")
    }

    @Test func anotherProgramsFileIsReadWithAListOfWhatIsLeftOut() throws {
        let back = try read(OpenTimelineExamples.foreign)
        #expect(
            back.timeline.videos == [
                VideoItem(
                    "media/a.mp4", name: "shot 1", start: .seconds(1), end: .seconds(3)),
                VideoItem(
                    "b.mp4", start: MediaTime(value: 1001, timescale: 30_000),
                    end: MediaTime(value: 1001 * 31, timescale: 30_000), speed: .normal,
                    volume: 0, gap: .seconds(1)),
            ])
        #expect(
            back.timeline.voiceOvers == [
                AudioItem("voice.wav", at: .seconds(2), start: .zero, end: .seconds(4))
            ])
        #expect(back.timeline.chapters == [Chapter("here", at: .seconds(2))])
        #expect(back.timeline.settings.title == "from elsewhere")
        #expect(
            back.notCarried == [
                "the effect Blur of the clip shot 1: it is left out"
            ])
    }

    @Test func mistakesAreNamedWithFileLineAndColumn() {
        func refusal(_ text: String) -> String {
            do { _ = try read(text) } catch { return error.message }
            return "nothing was refused"
        }
        #expect(refusal("{}") == "f.otio:1:1: this is no timeline of OpenTimelineIO")
        #expect(
            refusal(
                OpenTimelineExamples.foreign.replacing("\"b.mp4\"", with: "\"https://x/b.mp4\""))
                == "f.otio:28:20: the clip \"https://x/b.mp4\" is at \"https://x/b.mp4\", which is no file"
        )
    }

    @Test func addressesAreWrittenAndRead() {
        for path in ["a b.mp4", "/x/ü%20.mp4", "clips/100%.mov", "a:b.mp4"] {
            #expect(OTIOAddress.path(OTIOAddress.url(path)) == path)
        }
        #expect(OTIOAddress.path("file://localhost/x/a.mp4") == "/x/a.mp4")
        #expect(OTIOAddress.path("file://server/x.mp4") == nil)
        #expect(OTIOAddress.path("http://x/y") == nil)
    }

    @Test func ratesOfOtherProgramsAreTheExactOnes() throws {
        func time(_ value: Double, _ rate: Double) throws -> MediaTime? {
            OTIOTime.time(
                try JSONParser.parse(Array("{value: \(value), rate: \(rate)}".utf8), as: .json5))
        }
        #expect(try time(100, 23.976) == MediaTime(value: 100_100, timescale: 24_000))
        #expect(try time(100, 29.97002997002997) == MediaTime(value: 100_100, timescale: 30_000))
        #expect(try time(50, 25) == .seconds(2))
        #expect(try time(1, 0) == nil)
    }
}
