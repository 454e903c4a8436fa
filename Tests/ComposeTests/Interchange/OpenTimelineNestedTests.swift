import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

/// Stacks and tracks in tracks, as other programs nest what they call compound clips.
@Suite("OpenTimelineIO's nested stacks")
struct OpenTimelineNestedTests {
    // MARK: Texts, in frames at 25 a second

    private func range(_ start: Int, _ length: Int) -> String {
        """
        {"OTIO_SCHEMA": "TimeRange.1",
         "start_time": {"OTIO_SCHEMA": "RationalTime.1", "value": \(start), "rate": 25},
         "duration": {"OTIO_SCHEMA": "RationalTime.1", "value": \(length), "rate": 25}}
        """
    }

    private func clip(_ path: String, _ start: Int, _ length: Int) -> String {
        """
        {"OTIO_SCHEMA": "Clip.2", "active_media_reference_key": "DEFAULT_MEDIA",
         "name": "\(path)", "source_range": \(range(start, length)),
         "media_references": {"DEFAULT_MEDIA":
           {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "\(path)"}}}
        """
    }

    private func gap(_ length: Int) -> String {
        "{\"OTIO_SCHEMA\": \"Gap.1\", \"source_range\": \(range(0, length))}"
    }

    private func transition(_ back: Int, _ on: Int) -> String {
        func time(_ value: Int) -> String {
            "{\"OTIO_SCHEMA\": \"RationalTime.1\", \"value\": \(value), \"rate\": 25}"
        }
        return """
            {"OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve",
             "in_offset": \(time(back)), "out_offset": \(time(on))}
            """
    }

    private func track(
        _ children: [String], kind: String = "Video", range: String = "null"
    ) -> String {
        """
        {"OTIO_SCHEMA": "Track.1", "kind": "\(kind)", "source_range": \(range),
         "children": [\(children.joined(separator: ", "))]}
        """
    }

    private func stack(
        _ children: [String], name: String = "", range: String = "null", markers: String = "",
        effects: String = ""
    ) -> String {
        """
        {"OTIO_SCHEMA": "Stack.1", "name": "\(name)", "source_range": \(range),
         "markers": [\(markers)], "effects": [\(effects)],
         "children": [\(children.joined(separator: ", "))]}
        """
    }

    private func read(
        _ tracks: [String]
    ) throws -> (timeline: Timeline, notCarried: [String]) {
        let text =
            "{\"OTIO_SCHEMA\": \"Timeline.1\", \"name\": \"t\", \"tracks\": \(stack(tracks))}"
        return try OpenTimelineFile.timeline(Array(text.utf8), name: "f.otio") { path, _ in path }
    }

    private func frames(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 25) }

    private func same(_ one: MediaTime?, _ frame: Int64) -> Bool {
        one.map { $0.timelineTicks == frames(frame).timelineTicks } ?? false
    }

    // MARK: Frames

    @Test("a stack's lowest track becomes the track's clips, the others lie over it where it lies")
    func layered() throws {
        let inner = stack(
            [
                track([clip("b.mp4", 0, 50), gap(10), clip("c.mp4", 5, 20)]),
                track([gap(15), clip("d.mp4", 100, 30)]),
            ], name: "compound")
        let (timeline, notCarried) = try read([
            track([clip("a.mp4", 0, 100), inner, clip("e.mp4", 0, 25)])
        ])
        #expect(notCarried.isEmpty)
        #expect(timeline.videos.map(\.path) == ["a.mp4", "b.mp4", "c.mp4", "e.mp4"])
        #expect(timeline.videos.map(\.gap) == [.zero, .zero, frames(10), .zero])
        #expect(timeline.overlays.count == 1)
        let over = try #require(timeline.overlays.first?.videos.first)
        #expect(over.path == "d.mp4" && same(over.gap, 115))
        #expect(same(over.start, 100) && same(over.end, 130))
    }

    @Test("a part of a stack trims its tracks, and a gap behind its lowest clips stays")
    func trimmed() throws {
        let inner = stack(
            [track([clip("b.mp4", 0, 50)]), track([gap(15), clip("d.mp4", 100, 60)])],
            range: range(10, 60))
        let (timeline, notCarried) = try read([
            track([clip("a.mp4", 0, 100), inner, clip("e.mp4", 0, 25)])
        ])
        #expect(notCarried.isEmpty)
        #expect(timeline.videos.map(\.path) == ["a.mp4", "b.mp4", "e.mp4"])
        #expect(same(timeline.videos[1].start, 10) && same(timeline.videos[1].end, 50))
        #expect(same(timeline.videos[2].gap, 20))
        let over = try #require(timeline.overlays.first?.videos.first)
        #expect(same(over.gap, 105) && same(over.start, 100) && same(over.end, 155))
    }

    @Test("a dissolve reaches into a stack, and says what does not take part in it")
    func dissolved() throws {
        let plain = stack([track([clip("b.mp4", 50, 50)])], name: "one")
        let (timeline, notCarried) = try read([
            track([clip("a.mp4", 0, 100), transition(5, 5), plain, clip("e.mp4", 0, 25)])
        ])
        #expect(notCarried.isEmpty)
        #expect(same(timeline.videos[0].end, 105) && same(timeline.videos[1].start, 45))
        #expect(timeline.videos[1].transition == .dissolve(frames(10)))
        let two = stack(
            [track([clip("b.mp4", 50, 50)]), track([clip("d.mp4", 0, 50)])], name: "two")
        let layered = try read([
            track([
                clip("a.mp4", 0, 100), transition(5, 5), two, transition(5, 5),
                clip("e.mp4", 20, 25),
            ])
        ])
        #expect(
            layered.notCarried == [
                "the transition into the stack two: what lies over its lowest track does not take part",
                "the transition after the stack two: what lies over its lowest track does not take part",
            ])
        #expect(same(layered.timeline.overlays.first?.videos.first?.gap, 100))
    }

    @Test("the range of a track trims what lies over it, too")
    func outerRange() throws {
        let inner = stack([track([clip("b.mp4", 0, 50)]), track([clip("d.mp4", 100, 50)])])
        let (timeline, notCarried) = try read([
            track([clip("a.mp4", 0, 100), inner], range: range(90, 30))
        ])
        #expect(notCarried.isEmpty)
        #expect(same(timeline.videos[0].start, 90) && same(timeline.videos[1].end, 20))
        let over = try #require(timeline.overlays.first?.videos.first)
        #expect(same(over.gap, 10) && same(over.start, 100) && same(over.end, 120))
    }

    @Test("what is in the way is black, and is named")
    func refused() throws {
        let halved = stack(
            [track([clip("b.mp4", 50, 50), transition(5, 5), clip("c.mp4", 50, 50)])],
            name: "halved", range: range(48, 30))
        let warped = stack(
            [track([clip("b.mp4", 0, 50)])], name: "warped",
            effects: "{\"OTIO_SCHEMA\": \"LinearTimeWarp.1\", \"time_scalar\": 2}")
        var deep = stack([track([clip("b.mp4", 0, 50)])], name: "deepest")
        for _ in 0..<8 { deep = stack([track([deep])], name: "outer") }
        let (timeline, notCarried) = try read([
            track([clip("a.mp4", 0, 10), halved, warped, deep, clip("e.mp4", 0, 25)])
        ])
        #expect(
            notCarried == [
                "the stack halved: it is black, because its range begins or ends where no clip can",
                "the effect LinearTimeWarp of the stack warped: it is left out",
                "the stack deepest: it is black, because it lies too deep in others",
            ])
        #expect(timeline.videos.map(\.path) == ["a.mp4", "b.mp4", "e.mp4"])
        #expect(same(timeline.videos[1].gap, 30) && same(timeline.videos[2].gap, 50))
    }

    @Test("a stack's markers are chapters, those of its clips too")
    func markers() throws {
        let marker = """
            {"OTIO_SCHEMA": "Marker.2", "name": "here", "marked_range": \(range(30, 0))}
            """
        let inner = stack([track([clip("b.mp4", 0, 50)])], range: range(20, 30), markers: marker)
        let (timeline, _) = try read([track([clip("a.mp4", 0, 100), inner])])
        #expect(timeline.chapters == [Chapter("here", at: .timeline(frames(110).timelineTicks))])
    }

    // MARK: Audio

    @Test("a stack's own audio is heard, unless the film has tracks of audio")
    func audio() throws {
        let inner = stack([
            track([clip("b.mp4", 0, 50), clip("c.mp4", 0, 50)]),
            track([clip("b.mp4", 0, 50), clip("talk.wav", 10, 20)], kind: "Audio"),
        ])
        let pictures = track([clip("a.mp4", 0, 100), inner])
        let alone = try read([pictures])
        #expect(alone.notCarried.isEmpty)
        #expect(alone.timeline.videos.map(\.volume) == [1, 1, 0])
        let voice = try #require(alone.timeline.voiceOvers.first)
        #expect(alone.timeline.voiceOvers.count == 1 && voice.path == "talk.wav")
        #expect(same(voice.at, 150) && same(voice.start, 10) && same(voice.end, 30))
        // the film's own tracks of audio decide, and may have the stack, too
        let other = try read([pictures, track([clip("a.mp4", 0, 100)], kind: "Audio")])
        #expect(other.timeline.videos.map(\.volume) == [1, 0, 0])
        #expect(other.timeline.voiceOvers.isEmpty)
        #expect(
            other.notCarried == [
                "the audio talk.wav at 6 s of a stack: the film has tracks of audio, and it is in none"
            ])
        let both = try read([pictures, track([clip("a.mp4", 0, 100), inner], kind: "Audio")])
        #expect(both.notCarried.isEmpty)
        #expect(both.timeline.videos.map(\.volume) == [1, 1, 0])
        #expect(both.timeline.voiceOvers.count == 1)
        #expect(same(both.timeline.voiceOvers.first?.at, 150))
    }

    @Test("a stack of frames alone in a track of audio is heard as its clips are")
    func framesAsAudio() throws {
        let inner = stack([track([clip("a.mp4", 0, 50)])])
        let sounds = track([inner, clip("b.mp4", 0, 50)], kind: "Audio")
        let (timeline, notCarried) = try read([track([inner, clip("b.mp4", 0, 50)]), sounds])
        #expect(notCarried.isEmpty)
        #expect(timeline.videos.map(\.volume) == [1, 1] && timeline.voiceOvers.isEmpty)
    }

    @Test("what is empty in a stack takes nothing from it")
    func emptyParts() throws {
        for empty in [track([]), track([gap(0)]), track([], kind: "Audio"), stack([track([])])] {
            let inner = stack([track([clip("b.mp4", 0, 20)]), empty], name: "half")
            let (timeline, notCarried) = try read([
                track([clip("a.mp4", 0, 10), inner, clip("c.mp4", 0, 10)])
            ])
            #expect(notCarried.isEmpty)
            #expect(timeline.videos.map(\.path) == ["a.mp4", "b.mp4", "c.mp4"])
            #expect(timeline.videos.map(\.gap) == [.zero, .zero, .zero])
        }
    }

    // MARK: Of any timeline

    @Test("a dissolve into a clip without frames before its range is shorter, and nothing moves")
    func noHandle() throws {
        let (timeline, notCarried) = try read([
            track([
                clip("a.mp4", 0, 20), transition(5, 5), clip("b.mp4", 2, 20), transition(5, 0),
                clip("c.mp4", 0, 20),
            ])
        ])
        #expect(
            notCarried == [
                "0.12 s of the transition before clip 2: the clip has no more before its range",
                "0.2 s of the transition before clip 3: the clip has no more before its range",
            ])
        #expect(timeline.videos[1].transition == .dissolve(frames(7)))
        #expect(same(timeline.videos[0].end, 25) && timeline.videos[1].start == .zero)
        #expect(timeline.videos[2].transition == .cut)
        // 60 frames: what they last less what they share
        let lengths = timeline.videos.map {
            ($0.end ?? .zero).timelineTicks - $0.start.timelineTicks
        }
        #expect(lengths.reduce(0, +) - frames(7).timelineTicks == frames(60).timelineTicks)
    }

    @Test("audio that is switched off is not heard, of whole tracks neither")
    func switchedOff() throws {
        let off = track([clip("a.mp4", 0, 50)], kind: "Audio")
            .replacing("\"kind\": \"Audio\"", with: "\"kind\": \"Audio\", \"enabled\": false")
        let (timeline, _) = try read([track([clip("a.mp4", 0, 50)]), off])
        #expect(timeline.videos.map(\.volume) == [0])
        // the control
        let on = try read([track([clip("a.mp4", 0, 50)])])
        #expect(on.timeline.videos.map(\.volume) == [1])
    }

    @Test("what is left out of tracks is listed")
    func listed() throws {
        let warped = track([clip("a.mp4", 0, 20), clip("b.mp4", 0, 0), transition(3, 3)])
            .replacing(
                "\"kind\": \"Video\"",
                with: "\"kind\": \"Video\", \"effects\": [{\"OTIO_SCHEMA\": \"Blur.1\"}]")
        let sounds = track(
            [clip("a.mp4", 0, 10), transition(2, 2), clip("a.mp4", 10, 10)], kind: "Audio")
        let cut = track([clip("a.mp4", 0, 10), clip("a.mp4", 10, 10)])
        #expect(
            try read([warped]).notCarried == [
                "the effect Blur of track 1 (): it is left out",
                "the clip b.mp4: its range has no length, so it is left out",
                "the transition at the end of track 1 (): nothing comes after it",
            ])
        #expect(
            try read([cut, sounds]).notCarried == [
                "a transition in track 2 (): audio does not cross over there"
            ])
    }

    // MARK: Against another reader

    @Test(
        "OpenTimelineIO's own reader finds every clip of 200 random nests where we do",
        .enabled(if: OpenTimelineOracle.python != nil, "needs opentimelineio of PyPI"))
    func oracle() throws {
        let python = try #require(OpenTimelineOracle.python)
        let folder = try TemporaryFolder()
        var (paths, wanted): ([String], [[String]]) = ([], [])
        for seed in UInt64(1)...200 {
            var nest = RandomNest(seed: seed)
            let root = stack(
                (0..<2).map { number in
                    track([clip("first\(number).mp4", 0, 5)] + nest.children(self, depth: 0))
                })
            let text = "{\"OTIO_SCHEMA\": \"Timeline.1\", \"name\": \"t\", \"tracks\": \(root)}"
            let path = folder.file("\(seed).otio")
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            paths.append(path)
            let (timeline, notCarried) = try OpenTimelineFile.timeline(
                Array(text.utf8), name: path
            ) { path, _ in path }
            #expect(notCarried.allSatisfy { $0.hasSuffix("because nothing lies in its range") })
            wanted.append(lines(timeline).sorted())
        }
        let script = """
            import sys
            import opentimelineio as otio
            for path in sys.argv[1:]:
                timeline = otio.adapters.read_from_file(path)
                for clip in timeline.find_clips():
                    node, span = clip, clip.trimmed_range()
                    source = span
                    while node.parent():
                        parent = node.parent()
                        span = node.transformed_time_range(span, parent)
                        # its own clamped() leaves the end as it is
                        part = parent.trimmed_range()
                        begin = max(span.start_time, part.start_time)
                        end = min(span.end_time_exclusive(), part.end_time_exclusive())
                        seen = otio.opentime.TimeRange(begin, end - begin)
                        head = seen.start_time - span.start_time
                        source = otio.opentime.TimeRange(source.start_time + head, seen.duration)
                        node, span = parent, seen
                    if span.duration.value > 0:
                        print(clip.name, *(round(time.to_frames()) for time in (
                            span.start_time, span.duration, source.start_time)))
                print("end")
            """
        let answer = try python.run(["-c", script] + paths)
        #expect(answer.status == 0, "\(answer.errorText)")
        let found = answer.outputText.components(separatedBy: "end\n").dropLast().map {
            $0.split(separator: "\n").map(String.init).sorted()
        }
        #expect(found.count == wanted.count)
        let wrong = zip(found, wanted).enumerated().filter { $0.element.0 != $0.element.1 }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(2))")
        #expect(wanted.joined().count > 1000)
    }

    /// Each clip's file, place, length and place in its source, in frames.
    private func lines(_ timeline: Timeline) -> [String] {
        func frame(_ time: MediaTime) -> Int64 { time.timelineTicks * 25 / 705_600_000 }
        return ([timeline.videos] + timeline.overlays.map(\.videos)).flatMap { row in
            var end: Int64 = 0
            return row.map { item in
                let length = frame(item.end ?? .zero) - frame(item.start)
                let start = end + frame(item.gap)
                end = start + length
                return "\(item.path) \(start) \(length) \(frame(item.start))"
            }
        }
    }

    /// Clips, gaps and stacks of such, of which parts are used.
    private struct RandomNest {
        var random: SplitMix
        private var clips = 0

        init(seed: UInt64) { random = SplitMix(seed: seed) }

        private mutating func int(_ range: ClosedRange<Int>) -> Int {
            Int.random(in: range, using: &random)
        }

        mutating func children(_ test: OpenTimelineNestedTests, depth: Int) -> [String] {
            (0..<int(1...4)).map { _ in
                switch int(0...9) {
                case 0, 1: return test.gap(int(1...40))
                case 2...4 where depth < 3:
                    let tracks = (0..<int(1...3)).map { _ in
                        test.track(
                            children(test, depth: depth + 1),
                            range: int(0...3) == 0 ? test.range(int(0...20), int(10...60)) : "null")
                    }
                    return test.stack(
                        tracks,
                        range: int(0...1) == 0 ? test.range(int(0...20), int(5...80)) : "null")
                default:
                    clips += 1
                    return test.clip("c\(clips).mp4", int(0...100), int(2...50))
                }
            }
        }
    }
}
