import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Several tracks of frames in OpenTimelineIO")
struct OpenTimelineOverlayTests {
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 10), SampleAsset.clip("b.mp4", seconds: 20),
    ]

    private func read(
        _ text: String
    ) throws(MediaError) -> (timeline: Timeline, notCarried: [String]) {
        try OpenTimelineFile.timeline(Array(text.utf8), name: "f.otio") { path, _ in path }
    }

    private func written(_ timeline: Timeline) throws(MediaError) -> (String, [String]) {
        let file = try OpenTimelineFile.text(of: timeline, assets: assets, in: "/nowhere")
        return (file.text, file.notCarried)
    }

    private static func clip(
        _ path: String, _ start: Int64, _ length: Int64,
        _ edit: (inout VideoItem) -> Void = { _ in }
    ) -> VideoItem {
        var item = VideoItem(
            path, start: .milliseconds(start), end: .milliseconds(start + length))
        edit(&item)
        return item
    }

    @Test("what is written is read back, with a note for what other programs do not read")
    func roundTrip() throws {
        let looks = Self.clip("b.mp4", 1000, 3000) {
            $0.gap = .seconds(2)
            $0.place = ClipPlace(.top, margin: 0.1, height: 0.4, rotation: 12)
            $0.crop = ClipCrop(left: 0.125, bottom: 0.25)
            $0.look = ClipLook(
                opacity: 0.5, cornerRadius: 0.25, border: .init(width: 0.0625, color: .black),
                shadow: .init(blur: 0.125))
            ($0.fadeIn, $0.track, $0.voices) = (.seconds(1), 1, [])
        }
        let next = Self.clip("a.mp4", 0, 4000) { $0.transition = .dissolve(.seconds(1)) }
        let timeline = Timeline(
            videos: [Self.clip("a.mp4", 0, 9000)],
            overlays: [
                OverlayTrack([looks, next]), OverlayTrack([Self.clip("b.mp4", 500, 2000)]),
            ])
        let (text, notCarried) = try written(timeline)
        let back = try read(text)
        #expect(back.notCarried.isEmpty)
        #expect(back.timeline == timeline)
        #expect(
            notCarried.map { String($0.prefix { $0 != ":" }) } == [
                "the place, crop and look of clip 1 of overlay 1 (b.mp4)",
                "the fades of clip 1 of overlay 1 (b.mp4)",
                "the tracks that clip 1 of overlay 1 (b.mp4) is of",
            ])
    }

    @Test("500 timelines at random lie where they lay")
    func random() throws {
        var random = SplitMix(seed: 7)
        for _ in 0..<500 {
            let rows = (0..<Int.random(in: 2...5, using: &random)).map { _ in
                (0..<Int.random(in: 1...4, using: &random)).map { index in
                    let length = Int64.random(in: 2000...5000, using: &random)
                    return Self.clip(
                        Bool.random(using: &random) ? "a.mp4" : "b.mp4",
                        Int64.random(in: 0...4000, using: &random), length
                    ) { item in
                        switch Int.random(in: 0...2, using: &random) {
                        case 0 where index > 0: item.transition = .dissolve(.milliseconds(700))
                        case 1: item.gap = .milliseconds(Int64.random(in: 0...900, using: &random))
                        default: break
                        }
                    }
                }
            }
            let timeline = Timeline(
                videos: rows[0], overlays: rows.dropFirst().map { OverlayTrack($0) })
            let back = try read(try written(timeline).0)
            let films = try [timeline, back.timeline].map {
                try TimelineBuilder($0, assets: assets).film()
            }
            #expect(films[0].composition == films[1].composition)
            #expect(
                films[0].videoComposition?.instructions == films[1].videoComposition?.instructions)
        }
    }

    @Test("a time at which a clip begins is written as the gap that it is")
    func times() throws {
        let late = Self.clip("b.mp4", 0, 1000) { $0.at = .seconds(3) }
        let later = Self.clip("b.mp4", 0, 1000) { $0.at = .seconds(7) }
        let timeline = Timeline(
            videos: [Self.clip("a.mp4", 0, 9000)], overlays: [OverlayTrack([late, later])])
        let back = try read(try written(timeline).0).timeline
        #expect(back.overlays[0].videos.map(\.gap) == [.seconds(3), .seconds(3)])
        let films = try [timeline, back].map {
            try TimelineBuilder($0, assets: assets).film().composition
        }
        #expect(films[0] == films[1])
    }

    /// Tracks as another program would write them, at 25 frames a second.
    private func foreign(_ tracks: [(kind: String, children: [String])], range: String = "null")
        -> String
    {
        let list = tracks.map {
            """
            {"OTIO_SCHEMA": "Track.1", "kind": "\($0.kind)", "name": "", "children": [
            \($0.children.joined(separator: ","))]}
            """
        }
        return """
            {"OTIO_SCHEMA": "Timeline.1", "name": "", "tracks": {"OTIO_SCHEMA": "Stack.1",
            "source_range": \(range), "children": [\(list.joined(separator: ","))]}}
            """
    }

    private func range(_ start: Int, _ length: Int) -> String {
        """
        {"start_time": {"value": \(start), "rate": 25}, "duration": {"value": \(length), "rate": 25}}
        """
    }

    private func child(_ path: String, _ start: Int, _ length: Int) -> String {
        """
        {"OTIO_SCHEMA": "Clip.2", "name": "", "source_range": \(range(start, length)),
        "media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "\(path)"}}
        """
    }

    private func gap(_ length: Int) -> String {
        """
        {"OTIO_SCHEMA": "Gap.1", "source_range": \(range(0, length))}
        """
    }

    private let dissolve = """
        {"OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve",
        "in_offset": {"value": 5, "rate": 25}, "out_offset": {"value": 5, "rate": 25}}
        """

    @Test(
        "another program's upper tracks are overlays over all of the frame, heard where a track of audio has them"
    )
    func elsewhere() throws {
        let back = try read(
            foreign([
                ("Video", [child("a.mp4", 0, 100)]),
                ("Video", [gap(50), child("b.mp4", 25, 25), dissolve, child("b.mp4", 100, 25)]),
                ("Video", []), ("Video", [gap(10), child("a.mp4", 50, 10)]),
                ("Audio", [child("a.mp4", 0, 100)]),
                ("Audio", [gap(10), child("a.mp4", 50, 10)]),
            ]))
        #expect(back.notCarried.isEmpty, "\(back.notCarried)")
        #expect(back.timeline.videos.map(\.volume) == [1])
        let overlays = back.timeline.overlays
        #expect(overlays.map { $0.videos.map(\.volume) } == [[0, 0], [1]])
        #expect(overlays[0].videos[0].gap == .seconds(2))
        #expect(overlays[0].videos[0].start == .seconds(1))
        #expect(overlays[0].videos[0].end == .milliseconds(2200))
        #expect(overlays[0].videos[1].transition == .dissolve(.milliseconds(400)))
        #expect(overlays[1].videos[0].gap == .milliseconds(400))
        #expect(overlays.joined.allSatisfy { $0.place == nil })
    }

    @Test("a range of the whole timeline trims every track, or none")
    func ranges() throws {
        let whole = range(25, 50)
        let trimmed = try read(
            foreign(
                [
                    ("Video", [child("a.mp4", 0, 100)]),
                    ("Video", [gap(50), child("b.mp4", 0, 50)]),
                ],
                range: whole))
        #expect(trimmed.notCarried.isEmpty)
        #expect(trimmed.timeline.videos[0].start == .seconds(1))
        #expect(trimmed.timeline.videos[0].end == .seconds(3))
        #expect(trimmed.timeline.overlays[0].videos[0].gap == .seconds(1))
        #expect(trimmed.timeline.overlays[0].videos[0].end == .seconds(1))
        // the range begins within a dissolve of the upper track
        let kept = try read(
            foreign(
                [
                    ("Video", [child("a.mp4", 0, 100)]),
                    ("Video", [child("b.mp4", 0, 24), dissolve, child("b.mp4", 100, 50)]),
                ], range: whole))
        #expect(kept.notCarried == ["the range of the whole timeline: all of it is made"])
        #expect(kept.timeline.videos[0].start == .zero)
        #expect(kept.timeline.videos[0].end == .seconds(4))
    }
}

extension [OverlayTrack] {
    fileprivate var joined: [VideoItem] { flatMap(\.videos) }
}
