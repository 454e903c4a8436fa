import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite("Numbered pictures in OpenTimelineIO")
struct SequenceOTIOTests {
    private func time(_ value: Double, _ rate: Double = 24) -> String {
        "{\"OTIO_SCHEMA\": \"RationalTime.1\", \"value\": \(value), \"rate\": \(rate)}"
    }

    private func range(_ start: Double, _ length: Double, _ rate: Double = 24) -> String {
        """
        {"OTIO_SCHEMA": "TimeRange.1", "start_time": \(time(start, rate)),
         "duration": \(time(length, rate))}
        """
    }

    private func reference(
        _ available: String?, base: String = "file:///x/my%20shots", prefix: String = "a.",
        first: Int = 1001, step: Int = 1, rate: Double = 24, padding: Int = 4,
        policy: String = "error"
    ) -> String {
        """
        {"OTIO_SCHEMA": "ImageSequenceReference.1", "target_url_base": "\(base)",
         "available_range": \(available ?? "null"), "name_prefix": "\(prefix)", "name_suffix": ".png",
         "start_frame": \(first), "frame_step": \(step), "rate": \(rate),
         "frame_zero_padding": \(padding), "missing_frame_policy": "\(policy)"}
        """
    }

    private func document(_ clips: [String]) -> [UInt8] {
        Array(
            """
            {"OTIO_SCHEMA": "Timeline.1", "name": "t", "tracks": {"OTIO_SCHEMA": "Stack.1", "children": [
              {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [\(clips.joined(separator: ","))]}]}}
            """.utf8)
    }

    private func clip(_ source: String?, _ reference: String, key: String? = nil) -> String {
        let media =
            key.map {
                "\"active_media_reference_key\": \"\($0)\", \"media_references\": {\"\($0)\": \(reference), "
                    + "\"proxy\": {\"OTIO_SCHEMA\": \"ExternalReference.1\", \"target_url\": \"p.mp4\"}}"
            } ?? "\"media_reference\": \(reference)"
        return """
            {"OTIO_SCHEMA": "Clip.2", "name": "one", "source_range": \(source ?? "null"), \(media)}
            """
    }

    private func read(
        _ clips: String...
    ) throws(MediaError) -> (timeline: Timeline, notCarried: [String]) {
        try OpenTimelineFile.timeline(document(clips), name: "f.otio") { path, _ in path }
    }

    @Test("its time begins where its media do, or at its first number")
    func ranges() throws {
        let sequence = ImageSequence(rate: FrameRate(24), first: 1001, last: 1048)
        var item = VideoItem("/x/my shots/a.%04d.png", as: sequence, name: "one")
        (item.start, item.end) = (
            MediaTime(value: 8, timescale: 24), MediaTime(value: 20, timescale: 24)
        )
        for start in [1001.0, 0, 86_400] {
            let found = try read(
                clip(range(start + 8, 12), reference(range(start, 48)), key: "full"))
            #expect(found.timeline.videos == [item], "\(start)")
            #expect(found.notCarried.isEmpty)
        }
        let whole = try read(clip(nil, reference(range(1001, 48))))
        #expect(whole.timeline.videos[0].end == nil)
        #expect(whole.timeline.videos[0].sequence == sequence)
        // nothing is said of the last one
        let open = try read(clip(range(8, 12), reference(nil)))
        #expect(open.timeline.videos[0].sequence == ImageSequence(rate: FrameRate(24), first: 1001))
        #expect(open.timeline.videos[0].start == item.start)
    }

    @Test("names, steps, rates and what shows for missing pictures")
    func details() throws {
        func one(_ reference: String) throws -> VideoItem {
            try read(clip(nil, reference)).timeline.videos[0]
        }
        // numbers count at the rate, so every second one shows half as often
        let twos = try one(reference(range(0, 48), first: 10, step: 2, policy: "hold"))
        #expect(
            twos.sequence
                == ImageSequence(
                    rate: FrameRate(12), first: 10, last: 10 + 2 * 23, step: 2, gaps: .hold))
        let ntsc = try one(
            reference(range(0, 100, 24000.0 / 1001), rate: 24000.0 / 1001, policy: "black"))
        #expect(
            ntsc.sequence
                == ImageSequence(
                    rate: FrameRate(24_000, per: 1001), first: 1001, last: 1100, gaps: .black))
        #expect(try one(reference(nil, base: "", padding: 0)).path == "a.%d.png")
        #expect(try one(reference(nil, base: "s/", padding: 1)).path == "s/a.%d.png")
        #expect(try one(reference(nil, base: "s", prefix: "5% a")).path == "s/5%% a%04d.png")
        for wrong in [
            reference(nil, base: "http://x/y"), reference(nil, prefix: "../a"),
            reference(nil, first: -1), reference(nil, step: 0), reference(nil, rate: 0),
            reference(nil, padding: 10), reference(nil, policy: "guess"),
        ] {
            #expect(throws: MediaError.self) { try read(clip(nil, wrong)) }
        }
    }

    @Test("pictures that follow each other over missing numbers come back so, and that is listed")
    func ignored() throws {
        let folder = try TemporaryFolder()
        for number in [1, 2, 9] {
            try Data(PlainGIF.bytes(delays: [10], width: 4, height: 4, isHalfClear: false))
                .write(to: URL(fileURLWithPath: folder.file("a\(number).gif")))
        }
        let sequence = ImageSequence(rate: FrameRate(24), first: 1, last: 9, gaps: .ignore)
        let item = VideoItem(folder.file("a%d.gif"), as: sequence)
        let asset = try Asset.load(item.mediaPath)
        #expect(asset.duration == MediaTime(value: 3, timescale: 24))
        let (text, lost) = try OpenTimelineFile.text(
            of: Timeline(videos: [item]), assets: [asset], in: folder.path)
        #expect(lost.contains { $0.hasPrefix("the gaps of clip 1 (a%d.gif): ") })
        let back = try OpenTimelineFile.timeline(Array(text.utf8), name: "f") { path, _ in path }
        #expect(back.timeline.videos[0].sequence == sequence)
    }

    @Test("pictures that are elsewhere are looked for by the first one's name")
    func found() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        let media = folder.path + "/media/x"
        for path in [folder.path + "/project", media] {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for number in 1001...1003 {
            #expect(files.createFile(atPath: media + "/a.\(number).png", contents: Data()))
        }
        let path = folder.path + "/project/f.otio"
        try Data(document([clip(nil, reference(nil))])).write(to: URL(fileURLWithPath: path))
        #expect(throws: MediaError.self) { try OpenTimelineFile.read(path) }
        let found = try OpenTimelineFile.read(path, allowing: [folder.path + "/media"])
        #expect(
            found.timeline.videos[0].path == (MediaRoots.canonical(media) ?? "") + "/a.%04d.png")
        #expect(found.notCarried.count == 1)
    }

    private static let still = """
        {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "card.PNG", "available_range": RANGE}
        """

    private func still(_ available: String?) -> String {
        Self.still.replacing("RANGE", with: available ?? "null")
    }

    @Test("a still picture shows for as long as its range lasts, wherever that lies")
    func stills() throws {
        let asset = SampleAsset.still("card.PNG", width: 64, height: 48)
        let day = 24.0 * 86_400
        for available in [nil, range(0, 1), range(86_400, 1), range(day - 1, 1), range(0, 12)] {
            for start in [0.0, 12, 86_400, day - 10, 2 * day, -36] {
                let found = try read(clip(range(start, 48), still(available)))
                #expect(found.notCarried.isEmpty)
                let film = try TimelineBuilder(found.timeline, assets: [asset]).film()
                #expect(film.composition.duration == .seconds(2), "\(start)")
            }
        }
        // without a range the media's length
        let short = try read(clip(nil, still(range(0, 12))))
        #expect(
            try TimelineBuilder(short.timeline, assets: [asset]).film().composition.duration
                == .milliseconds(500))
        let usual = try read(clip(nil, still(nil)))
        #expect(
            try TimelineBuilder(usual.timeline, assets: [asset]).film().composition.duration
                == .seconds(4))
    }

    @Test("transitions and effects on still pictures take nothing of their length")
    func stillTransitions() throws {
        let asset = SampleAsset.still("card.PNG", width: 64, height: 48)
        let cut = """
            {"OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve",
             "in_offset": \(time(12)), "out_offset": \(time(12))}
            """
        let one = clip(range(0, 48), still(range(0, 1)))
        let found = try read(one, cut, one)
        let film = try TimelineBuilder(found.timeline, assets: [asset]).film()
        #expect(film.composition.duration == .seconds(4))
        for effect in [
            "{\"OTIO_SCHEMA\": \"LinearTimeWarp.1\", \"time_scalar\": -2.0}",
            "{\"OTIO_SCHEMA\": \"FreezeFrame.1\", \"time_scalar\": 0}",
        ] {
            let text = one.replacing(
                "\"source_range\"", with: "\"effects\": [\(effect)], \"source_range\"")
            let film = try TimelineBuilder(read(text).timeline, assets: [asset]).film()
            #expect(film.composition.duration == .seconds(2))
        }
    }
}

@Suite(
    "Numbered pictures and OpenTimelineIO's own package",
    .enabled(if: OpenTimelineOracle.python != nil, "needs opentimelineio of PyPI"))
struct SequenceOracleTests {
    private static let lister = """
        import sys
        import opentimelineio as otio
        timeline = otio.adapters.read_from_file(sys.argv[1])
        for clip in timeline.find_clips():
            media, own = clip.media_reference, clip.trimmed_range()
            count = media.number_of_images_in_sequence()
            # the pictures of all of its frames
            shown = []
            rate = media.rate / media.frame_step
            for index in range(int(round(own.duration.to_seconds() * rate))):
                time = own.start_time + otio.opentime.RationalTime(index + 0.5, rate)
                number = media.frame_for_time(time.rescaled_to(media.rate))
                shown.append(str((number - media.start_frame) // media.frame_step))
            print(count, media.target_url_for_image_number(0),
                  media.target_url_for_image_number(count - 1), ",".join(shown),
                  str(media.missing_frame_policy).split(".")[-1], sep="|")
        """

    private static let maker = """
        import sys
        import opentimelineio as otio
        T, R = otio.opentime.RationalTime, otio.opentime.TimeRange
        media = otio.schema.ImageSequenceReference(
            target_url_base="file:///x/shots/", name_prefix="b_", name_suffix=".png",
            start_frame=5, frame_step=3, rate=30000 / 1001, frame_zero_padding=5,
            missing_frame_policy=otio.schema.ImageSequenceReference.MissingFramePolicy.hold,
            available_range=R(T(5, 30000 / 1001), T(90, 30000 / 1001)))
        track = otio.schema.Track("v", kind="Video")
        track.append(otio.schema.Clip("c", media, R(T(35, 30000 / 1001), T(30, 30000 / 1001))))
        timeline = otio.schema.Timeline("t")
        timeline.tracks.append(track)
        otio.adapters.write_to_file(timeline, sys.argv[1])
        """

    @Test("what vcap writes has the right pictures there")
    func written() throws {
        let python = try #require(OpenTimelineOracle.python)
        let folder = try TemporaryFolder()
        for number in 0..<60 {
            let name = folder.file("my a%\(String(format: "%03d", number)).gif")
            try Data(PlainGIF.bytes(delays: [10], width: 4, height: 4, isHalfClear: false))
                .write(to: URL(fileURLWithPath: name))
        }
        var random = SplitMix(seed: 5)
        let rates = [FrameRate(24), FrameRate(24_000, per: 1001), FrameRate(25), FrameRate(12)]
        for round in 0..<12 {
            let rate = rates[round % 4]
            let step = Int.random(in: 1...4, using: &random)
            let first = Int.random(in: 0...12, using: &random)
            let sequence = ImageSequence(
                rate: rate, first: first, step: step, gaps: [.error, .hold, .black][round % 3])
            var item = VideoItem(folder.file("my a%%%03d.gif"), as: sequence)
            let from = Int.random(in: 0...3, using: &random)
            let count = Int.random(in: 2...6, using: &random)
            item.start = rate.frameDuration * Int64(from)
            item.end = rate.frameDuration * Int64(from + count)
            let asset = try Asset.load(item.mediaPath)
            let timeline = Timeline(
                settings: TimelineSettings(frameRate: rate), videos: [item])
            let (text, _) = try OpenTimelineFile.text(
                of: timeline, assets: [asset], in: folder.path)
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("f.otio")))
            let answer = try python.run(["-c", Self.lister, folder.file("f.otio")])
            try #require(answer.status == 0, "\(answer.errorText)")
            let fields = String(decoding: answer.output, as: UTF8.self)
                .trimmingCharacters(in: .newlines).split(separator: "|").map(String.init)
            let pictures = (59 - first) / step + 1
            let last = first + (pictures - 1) * step
            #expect(fields[0] == "\(pictures)")
            #expect(fields[1] == String(format: "./my%%20a%%25%03d.gif", first))
            #expect(fields[2] == String(format: "./my%%20a%%25%03d.gif", last))
            #expect(fields[3] == (from..<from + count).map { "\($0)" }.joined(separator: ","))
            #expect(fields[4] == sequence.gaps.rawValue)
            // and it comes back
            let back = try OpenTimelineFile.read(folder.file("f.otio")).timeline.videos[0]
            #expect(back.start == item.start && back.end == item.end)
            item.sequence?.last = last
            #expect(back.sequence == item.sequence)
            #expect(try Asset.load(back.mediaPath).pictureFiles.count == pictures)
        }
    }

    @Test("what it writes is read as it means it")
    func read() throws {
        let python = try #require(OpenTimelineOracle.python)
        let folder = try TemporaryFolder()
        let path = folder.file("f.otio")
        let answer = try python.run(["-c", Self.maker, path])
        try #require(answer.status == 0, "\(answer.errorText)")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let found = try OpenTimelineFile.timeline(bytes, name: "f") { path, _ in path }
        let item = try #require(found.timeline.videos.first)
        #expect(item.path == "/x/shots/b_%05d.png")
        #expect(
            item.sequence
                == ImageSequence(
                    rate: FrameRate(10_000, per: 1001), first: 5, last: 5 + 3 * 29, step: 3,
                    gaps: .hold))
        #expect(item.start == MediaTime(value: 1001, timescale: 1000))
        #expect(item.end == MediaTime(value: 2002, timescale: 1000))
    }
}
