import Media
import TestSupport
import Testing

@testable import Compose
@testable import Movie
@testable import Reading

@Suite("Clips over clips")
struct OverlayTimelineTests {
    private let assets = [
        SampleAsset.clip("a.mp4", seconds: 10, width: 1920, height: 1080),
        SampleAsset.clip("b.mp4", seconds: 8, width: 640, height: 480),
        Self.take,
    ]

    /// Two cameras and two microphones of one take.
    private static var take: Asset {
        let one = SampleAsset.clip("take.mp4", seconds: 6, sound: false).tracks[0]
        let format = one.format?.video ?? VideoFormat(coding: .raw(.yuv420p), width: 2, height: 2)
        return Asset(
            path: "take.mp4", container: "mp4", state: .ordinary, duration: .seconds(6),
            tracks: [
                one, SampleAsset.pictures(id: 2, format: format, duration: .seconds(6)),
                SampleAsset.sound(id: 3, duration: .seconds(6)),
                SampleAsset.sound(id: 4, duration: .seconds(6)),
            ], pauses: [], markers: [],
            metadata: {
                var metadata = MovieMetadata()
                metadata.deviceNames = ["Camera", "Camera 2", "Microphone", "Microphone 2"]
                return metadata
            }(), damagedBytes: 0)
    }

    private func film(_ timeline: Timeline) throws -> Film {
        try TimelineBuilder(timeline, assets: assets).film()
    }

    private func overlay(_ path: String, _ edit: (inout VideoItem) -> Void = { _ in }) -> VideoItem
    {
        var item = VideoItem(path)
        edit(&item)
        return item
    }

    @Test(
        "an overlay has tracks of its own from its time on, in front, and the film lasts until it ends"
    )
    func placed() throws {
        let over = overlay("b.mp4") {
            $0.at = .seconds(4)
            $0.place = ClipPlace(.topLeft, margin: 0.1, width: 0.25)
        }
        let film = try film(
            Timeline(videos: [VideoItem("a.mp4")], overlays: [OverlayTrack([over])]))
        #expect(film.composition.duration == .seconds(12))
        let video = try #require(film.videoComposition)
        #expect(
            video.instructions.map(\.timeRange.start) == [.zero, .seconds(4), .seconds(10)])
        #expect(video.instructions.map(\.layers.count) == [1, 2, 1])
        let tracks = film.composition.tracks(of: .video)
        #expect(video.instructions[1].layers.map(\.trackID) == [tracks[1].id, tracks[0].id])
        #expect(tracks[1].segment(at: .seconds(4))?.mapping.source.start == .zero)
        // 480 pixels wide in its own shape, a tenth of the shorter side from the edges
        let map = video.instructions[1].layers[0].transform(at: .seconds(5))
        #expect(map.apply(x: 0, y: 0) == (108, 108))
        #expect(map.apply(x: 640, y: 480) == (588, 468))
        #expect(film.warnings.contains { $0.contains("because an overlay lasts longer") })
    }

    @Test("a place is where its words say, in whole steps of the chroma grid")
    func places() {
        let (size, frame) = (
            Size(width: 640, height: 480), PixelSize(width: 1920, height: 1080)
        )
        func shown(
            _ place: ClipPlace, _ fit: FitMode = .contain, crop: ClipCrop = ClipCrop()
        ) -> [Double] {
            var item = VideoItem("x")
            (item.place, item.crop) = (place, crop)
            let layout = ClipLayout(item, of: size, in: frame, fit)
            let visible = layout.crop ?? Rectangle(x: 0, y: 0, width: 640, height: 480)
            let first = layout.transform.apply(x: visible.x, y: visible.y)
            let last = layout.transform.apply(
                x: visible.x + visible.width, y: visible.y + visible.height)
            return [first.x, first.y, last.x - first.x, last.y - first.y].map {
                ($0 * 1e6).rounded() / 1e6
            }
        }
        #expect(shown(ClipPlace(margin: 0)) == [1344, 648, 576, 432])
        #expect(shown(ClipPlace(.center, width: 0.5)) == [480, 180, 960, 720])
        #expect(shown(ClipPlace(.left, margin: 0.1, height: 0.5)) == [108, 270, 720, 540])
        #expect(shown(ClipPlace(left: 0.5, top: 0.25, width: 0.25)) == [960, 270, 480, 360])
        // both sides: all of it, what covers, and another shape
        let half = ClipPlace(left: 0, top: 0, width: 0.5, height: 1)
        #expect(shown(half) == [0, 180, 960, 720])
        #expect(shown(half, .cover) == [0, 0, 960, 1080])
        #expect(shown(half, .stretch) == [0, 0, 960, 1080])
        let crop = ClipCrop(left: 0.25, right: 0.25)
        #expect(shown(ClipPlace(.topLeft, margin: 0, width: 0.25), crop: crop) == [0, 0, 480, 720])
        // a quarter turn is about its middle
        var item = VideoItem("x")
        item.place = ClipPlace(.center, width: 0.25, rotation: 90)
        let map = ClipLayout(item, of: size, in: frame, .contain).transform
        #expect(map.apply(x: 0, y: 0).x - 1140 < 1e-9 && map.apply(x: 0, y: 0).y - 300 < 1e-9)
        #expect(map.apply(x: 320, y: 240) == (960, 540))
    }

    @Test("fades are seen and heard, and dissolves between clips at one place show no hole")
    func fades() throws {
        let one = overlay("b.mp4") {
            $0.end = .seconds(3)
            $0.place = ClipPlace()
            ($0.fadeIn, $0.look.opacity) = (.seconds(1), 0.5)
        }
        let two = overlay("b.mp4") {
            $0.end = .seconds(3)
            $0.place = ClipPlace()
            ($0.transition, $0.fadeOut) = (.dissolve(.seconds(1)), .seconds(1))
        }
        var timeline = Timeline(
            videos: [VideoItem("a.mp4", volume: 0)], overlays: [OverlayTrack([one, two])])
        let faded = try film(timeline)
        let video = try #require(faded.videoComposition)
        func opacities(_ time: Double) -> [Double] {
            let instant = MediaTime.timeline(Int64(time * 705_600_000))
            return video.instruction(at: instant)?.layers.dropLast().map {
                ($0.opacity(at: instant) * 1e6).rounded() / 1e6
            } ?? []
        }
        #expect(opacities(0.5) == [0.25])
        #expect(opacities(1.5) == [0.5])
        // one is half opaque, so both of them fade
        #expect(opacities(2.25) == [0.375, 0.25])
        #expect(opacities(4.5) == [0.5])
        let inputs = faded.composition.tracks(of: .audio).dropFirst().map {
            faded.audioMix.input(forTrack: $0.id)
        }
        #expect(inputs.map { $0.gain(at: .timeline(352_800_000)) }[0] == 0.5)
        #expect(inputs.map { $0.gain(at: .timeline(352_800_000 * 9)) }[1] == 0.5)
        timeline.overlays[0].videos[0].look.opacity = 1
        timeline.overlays[0].videos[0].fadeIn = .zero
        timeline.overlays[0].videos[1].fadeOut = .zero
        let whole = try #require(try film(timeline).videoComposition)
        let instant = MediaTime.timeline(705_600_000 * 5 / 2)
        // h264 has no opacity of its own: the one behind stays
        #expect(
            whole.instruction(at: instant)?.layers.dropLast().map { $0.opacity(at: instant) }
                == [0.5, 1])
    }

    @Test("a take's microphones are all heard, each by itself; other files' first track")
    func voices() throws {
        let take = try film(Timeline(videos: [VideoItem("take.mp4")]))
        #expect(take.composition.tracks(of: .audio).count == 2)
        #expect(take.warnings.map { $0.contains("track 2") } == [true])
        var named = VideoItem("take.mp4", volume: 0.5)
        named.track = 2
        named.voices = [ClipVoice(track: 4, volume: 0.5, pan: -1)]
        let film = try film(Timeline(videos: [named]))
        #expect(film.warnings.isEmpty)
        let tracks = film.composition.tracks
        #expect(tracks.map { $0.segments[0].source?.trackID } == [2, 4])
        let input = film.audioMix.input(forTrack: tracks[1].id)
        #expect(input.gain(at: .seconds(1)) == 0.25 && input.pan == -1)
        named.voices = []
        #expect(
            try self.film(Timeline(videos: [named])).composition.tracks(of: .audio).isEmpty)
        // what one clip leaves out another one has
        var other = named
        other.track = nil
        let both = try self.film(
            Timeline(videos: [VideoItem("take.mp4")], overlays: [OverlayTrack([named, other])]))
        #expect(both.warnings.allSatisfy { !$0.contains("left out") }, "\(both.warnings)")
    }

    @Test("music makes way for the clips' own audio")
    func ducking() throws {
        let timeline = Timeline(
            videos: [VideoItem("a.mp4")], music: [AudioItem("b.mp4", loops: true)],
            ducking: MusicDucking(under: .clips))
        let rule = try #require(try film(timeline).audioMix.ducking.first)
        #expect(rule.speechTrackIDs == [2] && rule.trackIDs == [3])
    }

    @Test("what cannot be is one sentence that names the clip")
    func refused() throws {
        let cases: [(String, (inout VideoItem) -> Void)] = [
            ("overlay 1 (b.mp4) has no video track 9; it has 1", { $0.track = 9 }),
            ("has no audio track 1; it has 2", { $0.voices = [ClipVoice(track: 1)] }),
            ("names track 2 twice", { $0.voices = [ClipVoice(track: 2), ClipVoice(track: 2)] }),
            ("a gap or a transition before it", { ($0.at, $0.gap) = (.zero, .seconds(1)) }),
            ("leaves nothing of it", { $0.crop = ClipCrop(left: 0.5, right: 0.5) }),
            ("the corner radius of overlay 1", { $0.look.cornerRadius = 0.6 }),
            ("fills the whole frame", { $0.fit = .blurred }),
            ("the fades of overlay 1 (b.mp4) last 9 s", { $0.fadeIn = .seconds(9) }),
            ("the width of overlay 1", { $0.place?.width = 0 }),
        ]
        for (sentence, edit) in cases {
            let item = overlay("b.mp4") {
                $0.place = ClipPlace()
                edit(&$0)
            }
            let error = #expect(throws: MediaError.self) {
                try film(Timeline(videos: [VideoItem("a.mp4")], overlays: [OverlayTrack([item])]))
            }
            #expect(error?.message.contains(sentence) ?? false, "\(error?.message ?? "")")
        }
        let wiped = overlay("b.mp4") { $0.transition = .wipe(.left, .seconds(1)) }
        let early = overlay("b.mp4") { $0.at = .seconds(1) }
        for (track, sentence) in [
            ([VideoItem("b.mp4"), wiped], "make it a cut or a dissolve"),
            ([VideoItem("b.mp4"), early], "clip 2 of overlay 1 (b.mp4) begins at 1 s"),
            ([], "overlay 1 is empty"),
        ] {
            let error = #expect(throws: MediaError.self) {
                try film(Timeline(videos: [VideoItem("a.mp4")], overlays: [OverlayTrack(track)]))
            }
            #expect(error?.message.contains(sentence) ?? false, "\(error?.message ?? "")")
        }
    }

    /// Rows of clips and gaps, and by arithmetic what each shows when.
    private struct Row {
        var items: [VideoItem] = []
        /// (ticks of the film, source ticks at its beginning, numerator, denominator).
        var spans: [(range: Range<Int64>, from: Int64, speed: Speed)] = []
        var end: Int64 = 0

        mutating func add(_ random: inout SplitMix) {
            let path = Bool.random(using: &random) ? "a.mp4" : "b.mp4"
            let start = MediaTime(value: Int64.random(in: 0...90, using: &random), timescale: 30)
            let length = MediaTime(
                value: 1001 * Int64.random(in: 20...120, using: &random), timescale: 30_000)
            let speed = Speed(Int32.random(in: 1...4, using: &random), per: 2)
            var item = VideoItem(path, start: start, end: try? start.adding(length), speed: speed)
            let ticks =
                length.ticks(per: 705_600_000, rounding: .down) * Int64(speed.denominator)
                / Int64(speed.numerator)
            var begin = end
            switch Int.random(in: 0...3, using: &random) {
            case 0 where !items.isEmpty:
                let most = min(ticks, spans[spans.count - 1].range.count64) / 2
                let overlap = Int64.random(in: 1...most, using: &random)
                item.transition = .dissolve(.timeline(overlap))
                begin -= overlap
            case 1:
                let gap = Int64.random(in: 0...705_600_000, using: &random)
                item.gap = .timeline(gap)
                begin += gap
            case 2:
                let gap = Int64.random(in: 0...705_600_000, using: &random)
                item.at = .timeline(begin + gap)
                begin += gap
            default: break
            }
            items.append(item)
            spans.append((begin..<begin + ticks, start.timelineTicks, speed))
            end = begin + ticks
        }
    }

    @Test("1000 timelines of two to five rows: each frame shows what the arithmetic says")
    func random() throws {
        var random = SplitMix(seed: 42)
        for _ in 0..<1000 {
            let rows = (0..<Int.random(in: 2...5, using: &random)).map { _ in
                var row = Row()
                for _ in 0..<Int.random(in: 1...4, using: &random) { row.add(&random) }
                return row
            }
            let film = try film(
                Timeline(
                    videos: rows[0].items,
                    overlays: rows.dropFirst().map { OverlayTrack($0.items) }))
            let end = rows.map(\.end).max() ?? 0
            #expect(film.composition.duration == .timeline(end))
            let video = try #require(film.videoComposition)
            for _ in 0..<12 {
                let tick = Int64.random(in: 0..<end, using: &random)
                // front first; of two clips that overlap the one that goes is in front
                let wanted = rows.reversed().flatMap { row in
                    row.spans.filter { $0.range.contains(tick) }.map { span in
                        span.from + (tick - span.range.lowerBound) * Int64(span.speed.numerator)
                            / Int64(span.speed.denominator)
                    }
                }
                let instruction = try #require(video.instruction(at: .timeline(tick)))
                let shown = try instruction.layers.map { layer in
                    let track = try #require(film.composition.track(layer.trackID))
                    let segment = try #require(track.segment(at: .timeline(tick)))
                    let time = segment.mapping.sourceTime(
                        atTarget: .timeline(tick), timescale: 705_600_000, rounding: .down)
                    return try #require(time).value
                }
                #expect(shown.count == wanted.count)
                for (own, other) in zip(shown, wanted) { #expect(abs(own - other) <= 2) }
            }
        }
    }
}

extension Range<Int64> {
    fileprivate var count64: Int64 { upperBound - lowerBound }
}
