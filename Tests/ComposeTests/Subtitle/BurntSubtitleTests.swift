import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite("Subtitles drawn into frames")
struct BurntSubtitleTests {
    private let folder: TemporaryFolder
    private static let size = PixelSize(width: 320, height: 180)

    init() throws { folder = try TemporaryFolder() }

    private static func clock(_ time: Int) -> String {
        String(
            format: "%02d:%02d:%02d,%03d", time / 3_600_000, time / 60_000 % 60, time / 1000 % 60,
            time % 1000)
    }

    private func file(_ name: String, _ cues: [(start: Int, end: Int, text: String)]) throws
        -> String
    {
        let text = cues.map { cue in
            "1\n\(Self.clock(cue.start)) --> \(Self.clock(cue.end))\n\(cue.text)\n\n"
        }.joined()
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        return folder.file(name)
    }

    private func timeline(seconds: Int64 = 8, _ items: [SubtitleItem]) -> Timeline {
        var settings = TimelineSettings()
        settings.renderSize = Self.size
        settings.frameRate = FrameRate(25)
        var timeline = Timeline(settings: settings)
        timeline.videos = [VideoItem(.color(.black), duration: .seconds(seconds))]
        timeline.subtitles = items
        return timeline
    }

    private func film(_ timeline: Timeline) throws -> Film { try LoadedTimeline(timeline).film() }

    private func burnt(_ film: Film) throws -> (BurntSubtitles, BurntSpans) {
        let shelf = SourceShelf(film.assets)
        let frames = try #require(film.videoComposition)
        return (
            try #require(try BurntSubtitles(film, size: Self.size, shelf: shelf)),
            BurntSpans(film, frames, shelf: shelf)
        )
    }

    @Test("each frame has the texts of its instant, and the planner knows which frames have any")
    func times() throws {
        var random = SplitMix(seed: 5)
        for round in 0..<6 {
            let cues = (0..<12).map { _ in
                let start = Int.random(in: 0..<8000, using: &random)
                return (start, start + Int.random(in: 1...900, using: &random), "text")
            }
            let path = try file("r\(round).srt", cues)
            let (drawn, spans) = try burnt(film(timeline([SubtitleItem(path, isBurnt: true)])))
            for frame in 0..<200 {
                let time = MediaTime(value: Int64(frame), timescale: 25)
                let wanted = cues.contains { ($0.0..<$0.1).contains(frame * 40) }
                #expect(
                    try drawn.tiles(at: time).isEmpty != wanted, "round \(round) frame \(frame)")
                #expect(try spans.isShown(at: time) == wanted, "round \(round) frame \(frame)")
            }
        }
    }

    @Test("what stays the same is one tile, other texts are others")
    func identities() throws {
        let path = try file("a.srt", [(1000, 3000, "one"), (3000, 4000, "two")])
        let (drawn, _) = try burnt(film(timeline([SubtitleItem(path, isBurnt: true)])))
        let tiles = try [1100, 2900, 3100].map { try drawn.tiles(at: .milliseconds($0)) }
        #expect(tiles.map(\.count) == [1, 1, 1])
        #expect(tiles[0][0].identity == tiles[1][0].identity)
        #expect(tiles[1][0].identity != tiles[2][0].identity)
        // and backwards, as a player goes
        #expect(try drawn.tiles(at: .milliseconds(1100))[0].image.width == tiles[0][0].image.width)
    }

    @Test("place, size, colour and box are the look's")
    func look() throws {
        let path = try file("a.srt", [(0, 8000, "HHHH")])
        func tile(_ look: SubtitleLook) throws -> OverlayTile {
            let item = SubtitleItem(path, isBurnt: true, look: look)
            return try #require(try burnt(film(timeline([item]))).0.tiles(at: .seconds(1)).first)
        }
        let usual = try tile(SubtitleLook())
        #expect(usual.y > 130 && usual.y + usual.image.height <= 180)
        #expect(try tile(SubtitleLook(place: .top)).y < 30)
        let middle = try tile(SubtitleLook(place: .middle))
        #expect(abs(middle.y + middle.image.height / 2 - 90) < 8)
        let large = try tile(SubtitleLook(size: 0.2))
        #expect(abs(Double(large.image.height) / Double(usual.image.height) - 0.2 / 0.075) < 0.7)
        // letters in the middle of a box
        let boxed = try tile(
            SubtitleLook(
                size: 0.2, color: Color(red: 1, green: 0, blue: 0),
                box: Color(red: 0, green: 0, blue: 1)))
        let corner = boxed.image.withPlane(0) {
            Array(UnsafeBufferPointer(start: $0.row(1) + 4, count: 4))
        }
        #expect(corner[0] > 240 && corner[2] < 15 && corner[3] > 240)
        let reds = boxed.image.withPlane(0) { plane in
            (0..<boxed.image.height).reduce(0) { sum, row in
                sum + (0..<boxed.image.width).count { plane.row(row)[4 * $0 + 2] > 240 }
            }
        }
        #expect(reds > 50)
    }

    @Test("a script's own styles and places win, above and below apart")
    func script() throws {
        let path = folder.file("s.ass")
        try """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 320
        PlayResY: 180
        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, Outline, Shadow, Alignment, MarginV
        Style: Default,Sans,20,&H0000FF00,0,0,8,5
        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,above
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\an2}below
        Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 40 0 40 20 0 20
        """.write(toFile: path, atomically: true, encoding: .utf8)
        let film = try film(timeline([SubtitleItem(path, isBurnt: true)]))
        let (drawn, spans) = try burnt(film)
        let tiles = try drawn.tiles(at: .milliseconds(1500))
        #expect(tiles.count == 2)
        #expect(tiles.contains { $0.y < 30 } && tiles.contains { $0.y > 140 })
        // a drawing is no text, and is drawn all the same
        let drawing = try drawn.tiles(at: .milliseconds(3500))
        #expect(drawing.count == 1 && (40...64).contains(drawing[0].image.width))
        #expect(try spans.isShown(at: .milliseconds(3500)))
    }

    @Test(
        "of a clip they follow its part, speed and place",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func ofClip() throws {
        let path = try file("a.srt", [(4000, 6000, "text"), (6500, 6600, "short")])
        var movie = SubtitledClip([
            .init("eng", [.init(4000, 6000, "own"), .init(6500, 6600, "own")])
        ])
        movie.seconds = 8
        try movie.write(to: folder.file("a.mp4"))
        // from 3 s of the clip on, twice as fast, behind one second of another
        var clip = VideoItem(folder.file("a.mp4"), start: .seconds(3))
        clip.speed = Speed(2)
        var timeline = timeline(seconds: 1, [SubtitleItem(path, clip: 1, isBurnt: true)])
        timeline.videos.append(clip)
        // of a file, and the movie's own
        var own = timeline
        own.subtitles = []
        own.clipSubtitles = .burnt(language: nil)
        for timeline in [timeline, own] {
            let film = try film(timeline)
            let (drawn, spans) = try burnt(film)
            for frame in 0..<85 {
                let time = MediaTime(value: Int64(frame), timescale: 25)
                // milliseconds of the clip
                let source = 3000 + (frame * 40 - 1000) * 2
                let wanted = (4000..<6000).contains(source) || (6500..<6600).contains(source)
                #expect(try drawn.tiles(at: time).isEmpty != wanted, "frame \(frame)")
                #expect(try spans.isShown(at: time) == wanted)
            }
            #expect(film.textTracks.map(\.language) == (timeline.subtitles.isEmpty ? [] : ["eng"]))
        }
        // of another language nothing is drawn, and the track remains
        own.clipSubtitles = .burnt(language: "de")
        #expect(try film(own).textTracks.map(\.language) == ["eng"])
        own.clipSubtitles = .leftOut
        #expect(try film(own).textTracks.isEmpty)
    }

    @Test("what is drawn is no track, what is a track is not drawn")
    func tracks() throws {
        let path = try file("a.de.srt", [(1000, 2000, "text"), (9000, 9500, "late")])
        let film = try film(
            timeline([
                SubtitleItem(path, name: "Deutsch", isForced: true),
                SubtitleItem(path, isBurnt: true),
            ]))
        let tracks = film.textTracks
        #expect(tracks.map(\.language) == ["de"])
        #expect(tracks.map(\.name) == ["Deutsch"] && tracks[0].isForced)
        #expect(film.videoComposition?.burntTracks.count == 1)
        #expect(
            film.warnings.contains {
                $0.contains(
                    "subtitles 1 (a.de.srt): 1 of its texts is left out, because it begins behind the film's end at 8 s"
                )
            })
    }

    @Test("a long line of wide characters is broken, closing marks stay behind")
    func wideLines() {
        let wrap = SubtitleWrap(SubtitleLook(), film: Self.size)
        func lines(_ text: String, from codec: TextCodec = .subrip) -> [String] {
            let event = wrap.line(Array("0,0,Default,,0,0,0,,\(text)".utf8), from: codec)
            return String(decoding: event, as: UTF8.self).dropFirst(20)
                .components(separatedBy: "\\N")
        }
        let long = lines(String(repeating: "字幕の長い行、", count: 8))
        #expect(long.count == 3 && long.allSatisfy { $0.count < 28 && !$0.hasPrefix("、") })
        #expect(long.joined() == String(repeating: "字幕の長い行、", count: 8))
        #expect(lines("short 字幕") == ["short 字幕"])
        #expect(lines(String(repeating: "word ", count: 30)).count == 1)
        #expect(lines("{\\fs18}a{\\fs18\\i1}b{\\c&HFFFFFF&}c", from: .movText) == ["a{\\i1}bc"])
    }

    @Test("what would take hours or gigabytes is not drawn")
    func bounds() {
        func allows(_ text: String) -> Bool {
            SubtitleBounds.allow(Array("0,0,Default,,0,0,0,,\(text)".utf8))
        }
        #expect(allows("usual {\\fs40\\bord2\\t(0,30000,\\fscx200)\\pos(99999,1)}text 99999"))
        #expect(allows("{\\p1}m 0 0 l 1000 0 1000 -1000{\\p0}"))
        #expect(!allows("{\\fs65536\\blur3}big") && !allows("{\\t(\\fs60000)}x"))
        #expect(!allows("{\\p1\\bord100}m 0 0 l 50000 0 50000 50000"))
        #expect(!allows("{\\fscx1e9}x") && !allows("{\\blur99999"))
        #expect(!allows(String(repeating: "\u{301}", count: 20_000)))
        #expect(allows(String(repeating: "a", count: 10_000)))
        // of many at once the first ones, and later ones when those are over
        let many = (0..<1000).map { Int64($0)..<5000 } + [5000..<6000, 5001..<5002]
        #expect(SubtitleBounds.drawn(many) == Array(0..<400) + [1000, 1001])
        let ordinary = (0..<1000).map { Int64($0) * 10..<Int64($0) * 10 + 3990 }
        #expect(SubtitleBounds.drawn(ordinary) == Array(0..<1000))
        #expect(SubtitleBounds.size(.infinity) == 0 && SubtitleBounds.size(1e9) == 2000)
    }

    @Test("what does not fit is refused, naming the item")
    func refusals() throws {
        let path = try file("a.srt", [(1000, 2000, "text")])
        func refusal(_ item: SubtitleItem) -> String {
            do {
                _ = try film(timeline([item]))
                return "none"
            } catch { return (error as? MediaError)?.message ?? "\(error)" }
        }
        #expect(
            refusal(SubtitleItem(path, clip: 1))
                == "subtitles 1 (a.srt) belongs to clip 2, but the film has 1")
        #expect(refusal(SubtitleItem(path, language: "de_DE!")).contains("no language's tag"))
        #expect(refusal(SubtitleItem(path, look: SubtitleLook(size: 0.2))).contains("burn it"))
        #expect(
            refusal(SubtitleItem(path, isForced: true, isBurnt: true)).contains(
                "no player offers it"))
        #expect(
            refusal(SubtitleItem(path, isBurnt: true, look: SubtitleLook(size: 2))).contains(
                "0.01 to 0.5"))
        #expect(refusal(SubtitleItem(folder.file("none.srt"))).contains("none.srt"))
    }
}
