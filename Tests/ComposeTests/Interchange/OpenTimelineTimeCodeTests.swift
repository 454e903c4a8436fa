import Media
import Movie
import TestSupport
import Testing

@testable import Compose

@Suite("Time code in OpenTimelineIO")
struct OpenTimelineTimeCodeTests {
    private static let ntsc = FrameRate(30_000, per: 1001)

    private func read(
        _ text: String
    ) throws -> (timeline: Timeline, notCarried: [String]) {
        try OpenTimelineFile.timeline(Array(text.utf8), name: "f.otio") { path, _ in path }
    }

    /// As another program writes it: source times in the media's time code, one rate throughout.
    private func document(value: Int, rate: String) -> String {
        func time(_ value: Int) -> String {
            "{\"OTIO_SCHEMA\": \"RationalTime.1\", \"value\": \(value), \"rate\": \(rate)}"
        }
        func range(_ start: Int, _ length: Int) -> String {
            "{\"OTIO_SCHEMA\": \"TimeRange.1\", \"start_time\": \(time(start)), \"duration\": \(time(length))}"
        }
        return """
            {"OTIO_SCHEMA": "Timeline.1", "name": "cut", "global_start_time": \(time(value)),
             "tracks": {"OTIO_SCHEMA": "Stack.1", "children": [{"OTIO_SCHEMA": "Track.1",
              "kind": "Video", "children": [{"OTIO_SCHEMA": "Clip.2", "name": "a.mp4",
               "source_range": \(range(value + 48, 24)), "active_media_reference_key": "DEFAULT_MEDIA",
               "media_references": {"DEFAULT_MEDIA": {"OTIO_SCHEMA": "ExternalReference.1",
                "available_range": \(range(value, 240)), "target_url": "a.mp4"}}}]}]}}
            """
    }

    @Test("the start time of a timeline is the film's time code, at the timeline's rate")
    func start() throws {
        for (rate, frameRate, value, expected) in [
            ("24", FrameRate(24), 86_400, "01:00:00:00"),
            ("25.0", FrameRate(25), 90_012, "01:00:00:12"),
            ("29.97002997002997", Self.ntsc, 107_892, "01:00:00;00"),
            ("23.976023976023978", FrameRate(24_000, per: 1001), 86_400, "01:00:00:00"),
        ] {
            let back = try read(document(value: value, rate: rate))
            #expect(back.notCarried.isEmpty)
            #expect(back.timeline.settings.startTimeCode?.description == expected)
            #expect(back.timeline.settings.frameRate == frameRate)
            let clip = try #require(back.timeline.videos.first)
            #expect(clip.start == frameRate.frameDuration * 48)
            #expect(clip.end == frameRate.frameDuration * 72)
            let film = try TimelineBuilder(
                back.timeline, assets: [SampleAsset.clip("a.mp4", seconds: 20)]
            ).film()
            #expect(film.startTimeCode?.description == expected)
        }
        let none = try read(document(value: 0, rate: "24"))
        #expect(none.timeline.settings.startTimeCode == nil && none.notCarried.isEmpty)
        #expect(none.timeline.settings.frameRate == nil)
    }

    @Test(
        "what is written has the film's start, and source times in the media's time code",
        arguments: [FrameRate(25), ntsc])
    func written(rate: FrameRate) throws {
        let isDrop = rate == Self.ntsc
        let mediaStart = try #require(
            TimeCodeText(isDrop ? "10:00:00;00" : "10:00:00:00")?.timeCode(at: rate))
        var metadata = MovieMetadata()
        metadata.timeCode = MovieTimeCode(mediaStart)
        let plain = SampleAsset.clip("a.mp4", seconds: 10, rate: rate)
        let assets = [
            SampleAsset.asset("a.mp4", plain.tracks, metadata: metadata),
            SampleAsset.clip("b.mp4", seconds: 10, rate: rate),
        ]
        var timeline = Timeline()
        timeline.settings.frameRate = rate
        timeline.settings.startTimeCode = TimeCodeText(isDrop ? "01:00:00;00" : "01:00:00:00")
        let step = rate.frameDuration
        timeline.videos = [
            VideoItem("a.mp4", start: step * 25, end: step * 75),
            VideoItem("b.mp4", start: step * 25, end: step * 75),
        ]
        let (text, notCarried) = try OpenTimelineFile.text(
            of: timeline, assets: assets, in: "/nowhere")
        #expect(notCarried.isEmpty)
        let json = try JSONParser.parse(Array(text.utf8), as: .json)
        let number = Double(rate.numerator) / Double(rate.denominator)
        func expect(_ node: JSONValue?, _ value: Int64) {
            #expect(node?["value"]?.number == Double(value))
            #expect(node?["rate"]?.number == number)
        }
        expect(json["global_start_time"], isDrop ? 107_892 : 90_000)
        let children = try #require(
            json["tracks"]?["children"]?.elements?.first?["children"]?.elements)
        let media = mediaStart.frame
        expect(children[0]["media_reference"]?["available_range"]?["start_time"], media)
        expect(children[0]["source_range"]?["start_time"], media + 25)
        expect(children[0]["source_range"]?["duration"], 50)
        expect(children[1]["media_reference"]?["available_range"]?["start_time"], 0)
        expect(children[1]["source_range"]?["start_time"], 25)
        let back = try read(text)
        #expect(back.timeline == timeline && back.notCarried.isEmpty)
        // as a program without a word for what is ours leaves it
        let other = try read(text.replacing("\"vcap\"", with: "\"gone\""))
        #expect(other.timeline.videos == timeline.videos)
        #expect(other.timeline.settings.startTimeCode == timeline.settings.startTimeCode)
    }

    /// A cut of 20 frames, of media whose beginning is not stated.
    private func cut(_ path: String, at value: Int, rate: String) -> String {
        func time(_ value: Int) -> String {
            "{\"OTIO_SCHEMA\": \"RationalTime.1\", \"value\": \(value), \"rate\": \(rate)}"
        }
        return """
            {"OTIO_SCHEMA": "Timeline.1", "name": "cut", "tracks": {"OTIO_SCHEMA": "Stack.1",
             "children": [{"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [
              {"OTIO_SCHEMA": "Clip.1", "name": "one", "source_range": {"OTIO_SCHEMA": "TimeRange.1",
                "start_time": \(time(value)), "duration": \(time(20))},
               "media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "available_range": null,
                "target_url": "\(path)"}}]}]}}
            """
    }

    @Test(
        "where media begin that do not state it is read from their own time code, if the range lies nowhere else",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"),
        arguments: [
            ("25", "25", "10:00:00:00", 900_000), ("24000/1001", "24", "01:00:00:00", 86_400),
            ("30000/1001", "29.97", "01:00:00;02", 107_894),
        ])
    func unstated(rate: String, counted: String, code: String, first: Int) throws {
        let folder = try TemporaryFolder()
        var movie = GeneratedClip()
        (movie.width, movie.height, movie.frames, movie.rate) = (160, 120, 90, rate)
        (movie.tone, movie.options) = (nil, ["-timecode", code])
        let path = folder.file("a.mov")
        try movie.write(to: path)
        for (value, start) in [(first, 0), (first + 50, 50), (first + 89, 89), (0, 0), (30, 30)] {
            let back = try read(cut(path, at: value, rate: counted))
            let clip = try #require(back.timeline.videos.first)
            let step = try #require(
                OTIOTime.time(
                    .object([("value", .number(written: "1")), ("rate", .number(written: counted))])
                ))
            #expect(clip.start == step * Int64(start), "\(value)")
            let listed = back.notCarried.filter { $0.contains("their own time code") }
            #expect(listed.count == (value >= first ? 1 : 0))
            #expect(listed.allSatisfy { $0.contains(code) })
        }
        // in neither: as it is stated, and refused where films are made
        for value in [first - 1, first + 91, 120] {
            let back = try read(cut(path, at: value, rate: counted))
            #expect(!back.notCarried.contains { $0.contains("their own time code") }, "\(value)")
        }
    }

    @Test("a start that the film's rate does not have is refused, and of no frames")
    func refused() throws {
        for (text, said) in [("01:00:00;00", "drop frame"), ("01:00:00:25", "no frame 25")] {
            var timeline = Timeline()
            timeline.settings.frameRate = FrameRate(25)
            timeline.settings.startTimeCode = TimeCodeText(text)
            timeline.videos = [VideoItem("a.mp4")]
            let error = #expect(throws: MediaError.self) {
                try TimelineBuilder(timeline, assets: [SampleAsset.clip("a.mp4")]).film()
            }
            #expect(error?.message.contains(said) == true, "\(error?.message ?? "")")
        }
    }
}
