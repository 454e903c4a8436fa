import Media
import Testing

@testable import Compose

/// What timelines of other programs say and a simple reader would pass over.
@Suite("OpenTimelineIO to the letter")
struct OpenTimelineEdgeTests {
    private func read(
        video: String, audio: String = "", of timeline: String = "", track: String = "",
        stack: String = ""
    ) throws(MediaError) -> (timeline: Timeline, notCarried: [String]) {
        let tracks =
            [
                "{\"OTIO_SCHEMA\": \"Track.1\", \"kind\": \"Video\", \(track)\"children\": [\(video)]}"
            ]
            + (audio.isEmpty
                ? []
                : ["{\"OTIO_SCHEMA\": \"Track.1\", \"kind\": \"Audio\", \"children\": [\(audio)]}"])
        let text = """
            {"OTIO_SCHEMA": "Timeline.1", \(timeline)"tracks": {"OTIO_SCHEMA": "Stack.1", \(stack)
             "children": [\(tracks.joined(separator: ","))]}}
            """
        return try OpenTimelineFile.timeline(Array(text.utf8), name: "f.otio") { path, _ in path }
    }

    private func time(_ seconds: Int) -> String { "{\"value\": \(seconds * 24), \"rate\": 24}" }

    private func range(_ start: Int, _ length: Int) -> String {
        "{\"start_time\": \(time(start)), \"duration\": \(time(length))}"
    }

    private func clip(
        _ path: String, _ start: Int, _ length: Int, media: String = "null", more: String = ""
    ) -> String {
        """
        {"OTIO_SCHEMA": "Clip.1", "name": "\(path)", \(more)"source_range": \(range(start, length)),
         "media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "available_range": \(media),
         "target_url": "\(path)"}}
        """
    }

    private func gap(_ length: Int) -> String {
        "{\"OTIO_SCHEMA\": \"Gap.1\", \"source_range\": \(range(0, length))}"
    }

    @Test("a clip's range counts from where its media begin, such as a tape's hour")
    func availableRange() throws {
        let back = try read(video: clip("a.mp4", 3605, 2, media: range(3600, 10)))
        #expect(back.timeline.videos == [VideoItem("a.mp4", start: .seconds(5), end: .seconds(7))])
        #expect(back.notCarried.isEmpty)
        let early = try read(video: clip("a.mp4", 5, 2, media: range(3600, 10)))
        #expect(early.timeline.videos[0].start == .seconds(5))
        #expect(early.notCarried.count == 1)
    }

    @Test("gaps, clips that are switched off and clips without media are black")
    func black() throws {
        let off = clip("b.mp4", 0, 2, more: "\"enabled\": false,")
        let missing = """
            {"OTIO_SCHEMA": "Clip.1", "name": "lost", "source_range": \(range(0, 3)),
             "media_reference": {"OTIO_SCHEMA": "MissingReference.1"}}
            """
        let back = try read(
            video: [gap(1), clip("a.mp4", 0, 2), off, missing, clip("c.mp4", 0, 2)]
                .joined(separator: ","))
        #expect(back.timeline.videos.map(\.gap) == [.seconds(1), .seconds(5)])
        #expect(back.timeline.videos.map(\.path) == ["a.mp4", "c.mp4"])
        #expect(
            back.notCarried == ["the clip lost: it names no file; black is shown for 3 s"])
        // at the end as well
        let late = try read(
            video: [clip("a.mp4", 0, 2), gap(1), off, missing].joined(separator: ","))
        #expect(late.timeline.gapAtEnd == .seconds(6) && late.timeline.videos.count == 1)
        #expect(late.notCarried == back.notCarried)
        let film = try TimelineBuilder(late.timeline, assets: [SampleAsset.clip("a.mp4")]).film()
        #expect(film.composition.duration == .seconds(8))
        #expect(film.notes == ["clip 1 (a.mp4): the background is shown for 6 s after it"])
        // as far as the track's range goes
        let cut = try read(
            video: [clip("a.mp4", 0, 2), missing].joined(separator: ","),
            track: "\"source_range\": \(range(1, 3)),")
        #expect(cut.timeline.gapAtEnd == .seconds(2))
        #expect(cut.timeline.videos == [VideoItem("a.mp4", start: .seconds(1), end: .seconds(2))])
    }

    @Test("a film with gaps shows the background in them")
    func gapsInTheFilm() throws {
        let timeline = Timeline(
            videos: [
                VideoItem("a.mp4", end: .seconds(2), gap: .seconds(1)),
                VideoItem("a.mp4", end: .seconds(2), gap: .seconds(3)),
            ], gapAtEnd: .seconds(2))
        let asset = SampleAsset.clip("a.mp4")
        let film = try TimelineBuilder(timeline, assets: [asset]).film()
        #expect(film.composition.duration == .seconds(10))
        let frames = try #require(film.videoComposition)
        try frames.validate(for: film.composition)
        #expect(frames.instructions.map { $0.layers.count } == [0, 1, 0, 1, 0])
        // written and read back
        let (text, lost) = try OpenTimelineFile.text(of: timeline, assets: [asset], in: "/x")
        let back = try OpenTimelineFile.timeline(Array(text.utf8), name: "f") { path, _ in path }
        #expect(back.timeline == timeline && lost.isEmpty)
        let project = try ProjectFile.text(of: timeline, in: "/x")
        let again = try ProjectFile.timeline(Array(project.utf8), name: "f") { path, _ in path }
        #expect(again == timeline)
    }

    @Test("a track's range trims what lies in it")
    func trackRange() throws {
        let track = "\"source_range\": \(range(1, 3)),"
        let back = try read(
            video: [clip("a.mp4", 4, 2), clip("b.mp4", 0, 5), clip("c.mp4", 0, 2)]
                .joined(separator: ","), track: track)
        #expect(
            back.timeline.videos == [
                VideoItem("a.mp4", start: .seconds(5), end: .seconds(6)),
                VideoItem("b.mp4", start: .zero, end: .seconds(2)),
            ])
    }

    @Test("the range of the whole timeline trims its frames, sounds and markers")
    func stackRange() throws {
        func markers(_ name: String, _ times: Int...) -> String {
            let list = times.map {
                """
                {"OTIO_SCHEMA": "Marker.2", "name": "\(name) \($0)", "marked_range": \(range($0, 0))}
                """
            }
            return "\"markers\": [\(list.joined(separator: ","))],"
        }
        let video = [
            clip("a.mp4", 4, 2, more: markers("clip", 5)), gap(1), clip("b.mp4", 0, 5),
            clip("c.mp4", 0, 2),
        ].joined(separator: ",")
        let audio = [gap(2), clip("song.mp3", 10, 20)].joined(separator: ",")
        let stack = markers("film", 0, 4) + "\"source_range\": \(range(1, 4)),"
        let back = try read(video: video, audio: audio, stack: stack)
        #expect(
            back.timeline.videos.map { [$0.start, $0.end, $0.gap] } == [
                [.seconds(5), .seconds(6), .zero], [.zero, .seconds(2), .seconds(1)],
            ])
        #expect(
            back.timeline.voiceOvers
                == [AudioItem("song.mp3", at: .seconds(1), start: .seconds(10), end: .seconds(13))])
        #expect(
            back.timeline.chapters
                == [Chapter("clip 5", at: .zero), Chapter("film 4", at: .seconds(3))])
        #expect(
            back.notCarried == ["the marker film 0 of the timeline: it lies before what is shown"])
        // a track's own range is what the stack's counts from
        let track = "\"source_range\": \(range(3, 4)),"
        let both = try read(video: video, track: track, stack: "\"source_range\": \(range(1, 9)),")
        #expect(
            both.timeline.videos == [VideoItem("b.mp4", start: .seconds(1), end: .seconds(4))])
    }

    private func dissolve(_ back: Int, _ on: Int) -> String {
        """
        {"OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve",
         "in_offset": \(time(back)), "out_offset": \(time(on))}
        """
    }

    /// Of frames: sources from and to, and how long each dissolves out of the one before (s).
    private func spans(_ timeline: Timeline) -> [[Double?]] {
        timeline.videos.map {
            [
                $0.start.approximateSeconds, $0.end?.approximateSeconds,
                $0.transition.kind == .cut ? 0 : $0.transition.duration.approximateSeconds,
            ]
        }
    }

    @Test("a range keeps the dissolves that lie in it, and cuts clips beside those that do not")
    func rangeWithDissolves() throws {
        // a 0...3, b 3...7, c 7...10; they cross over in 2...4 and 6...7
        let video = [
            clip("a.mp4", 4, 3), dissolve(1, 1), clip("b.mp4", 4, 4), dissolve(1, 0),
            clip("c.mp4", 4, 3),
        ].joined(separator: ",")
        let audio = [gap(2), clip("song.mp3", 10, 20)].joined(separator: ",")
        let cases: [(range: (Int, Int), spans: [[Double?]])] = [
            ((0, 10), [[4, 8, 0], [3, 8, 2], [3, 7, 1]]),
            ((1, 8), [[5, 8, 0], [3, 8, 2], [3, 6, 1]]),
            ((2, 4), [[6, 8, 0], [3, 7, 2]]), ((4, 2), [[5, 7, 0]]),
            ((4, 5), [[5, 8, 0], [3, 6, 1]]), ((7, 2), [[4, 6, 0]]), ((1, 1), [[5, 6, 0]]),
        ]
        let assets = ["a.mp4", "b.mp4", "c.mp4"].map { SampleAsset.clip($0) }
        for ((start, length), wanted) in cases {
            let stack = "\"source_range\": \(range(start, length)),"
            let back = try read(video: video, audio: audio, stack: stack)
            #expect(spans(back.timeline) == wanted, "\(start), \(length)")
            #expect(!back.notCarried.contains { $0.contains("range") }, "\(back.notCarried)")
            let heard: [MediaTime] =
                start + length > 2 ? [.seconds(Int64(max(0, 2 - start)))] : []
            #expect(back.timeline.voiceOvers.map(\.at) == heard)
            var frames = back.timeline
            frames.voiceOvers = []
            let film = try TimelineBuilder(
                frames,
                assets: frames.videos.map { item in
                    try #require(assets.first { $0.path == item.path })
                }
            ).film()
            #expect(film.composition.duration == .seconds(Int64(length)), "\(start), \(length)")
            // the same of the track alone
            let own = try read(video: video, track: stack)
            #expect(spans(own.timeline) == wanted && own.notCarried.isEmpty, "\(own.notCarried)")
        }
        // half a dissolve has no place in a timeline
        for (start, length) in [(3, 4), (1, 2), (0, 7), (2, 1)] {
            let stack = "\"source_range\": \(range(start, length)),"
            let back = try read(video: video, audio: audio, stack: stack)
            #expect(back.notCarried == ["the range of the whole timeline: all of it is made"])
            #expect(back.timeline.voiceOvers.map(\.at) == [.seconds(2)])
            #expect(back.timeline.videos.count == 3)
        }
    }

    @Test("audio tracks replace the clips' own: what they do not have is silent")
    func ownAudio() throws {
        let video = [clip("a.mp4", 1, 2), clip("b.mp4", 0, 2)].joined(separator: ",")
        let moved = try read(
            video: video, audio: [clip("a.mp4", 1, 2), clip("b.mp4", 1, 2)].joined(separator: ","))
        #expect(moved.timeline.videos.map(\.volume) == [1, 0])
        #expect(
            moved.timeline.voiceOvers
                == [AudioItem("b.mp4", at: .seconds(2), start: .seconds(1), end: .seconds(3))])
        // the control: without audio tracks the clips are heard
        #expect(try read(video: video).timeline.videos.map(\.volume) == [1, 1])
    }

    @Test("markers of clips are chapters where their moment is shown")
    func clipMarkers() throws {
        let marker = """
            "markers": [{"OTIO_SCHEMA": "Marker.2", "name": "jump", "marked_range": \(range(6, 0))}],
            "effects": [{"OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": 2.0}],
            """
        let back = try read(
            video: [clip("a.mp4", 0, 3), clip("b.mp4", 4, 2, more: marker)].joined(separator: ","))
        #expect(back.timeline.chapters == [Chapter("jump", at: .seconds(4))])
    }

    @Test("a clip of a negative speed plays backwards, and reaches into dissolves at its other end")
    func backwards() throws {
        let effect = """
            "effects": [{"OTIO_SCHEMA": "LinearTimeWarp.1", "effect_name": "", "name": "Rewind",
             "time_scalar": -2.0}],
            """
        let back = try read(
            video: [
                clip("a.mp4", 0, 2), dissolve(1, 0), clip("b.mp4", 10, 4, more: effect),
                dissolve(0, 1), clip("c.mp4", 3, 2),
            ].joined(separator: ","))
        #expect(back.notCarried.isEmpty)
        let item = back.timeline.videos[1]
        #expect(item.isReversed && item.speed == Speed(2))
        // four seconds of the film, and one more that comes first
        #expect(item.start == .seconds(8) && item.end == .seconds(20))
    }

    @Test("an effect's name is reported, and a start that is no time code")
    func reported() throws {
        let effect = """
            "effects": [{"OTIO_SCHEMA": "LinearTimeWarp.1", "effect_name": "", "name": "Rewind",
             "time_scalar": -1000.0}],
            """
        let back = try read(
            video: clip("a.mp4", 0, 2, more: effect),
            of: "\"global_start_time\": {\"value\": -24, \"rate\": 24},")
        #expect(
            back.notCarried == [
                "the start time -1 s: it is no time code, and the film has none",
                "the effect Rewind of the clip a.mp4: it is left out",
            ])
    }

    @Test(
        "times that are none are refused at their place",
        arguments: ["Infinity", "Inf", "NaN", "-Infinity", "1e300"])
    func noTimes(_ value: String) {
        let bad = clip("a.mp4", 0, 2).replacing("\"value\": 48", with: "\"value\": \(value)")
        let error = #expect(throws: MediaError.self) { try read(video: bad) }
        #expect(error?.message.hasPrefix("f.otio:") == true)
    }

    @Test("of a timeline without media the missing ones are named")
    func nothingLeft() {
        let lost = """
            {"OTIO_SCHEMA": "Clip.1", "name": "shot 7", "media_reference":
             {"OTIO_SCHEMA": "MissingReference.1"}}
            """
        let error = #expect(throws: MediaError.self) { try read(video: lost) }
        #expect(error?.message.contains("shot 7") == true)
    }
}
