import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Files of subtitles")
struct SubtitleFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let subRip =
        "1\n00:00:01,250 --> 00:00:02,000\nOne <i>two</i>\n\n2\n00:01:00,001 --> 00:01:00,999\nÄpfel\nünd\n"

    private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
        return folder.file(name)
    }

    private func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    private func cues(_ asset: Asset) throws -> [TextCue] {
        try asset.cues(of: try #require(asset.tracks.first)).cues
    }

    private static func cue(_ start: Int64, _ end: Int64, _ text: String) -> TextCue {
        TextCue(
            timeRange: MediaTimeRange(
                start: MediaTime(value: start, timescale: 1000),
                duration: MediaTime(value: end - start, timescale: 1000)), text: text)
    }

    private static let wanted = [
        cue(1250, 2000, "One two"), cue(60_001, 60_999, "Äpfel\nünd"),
    ]

    private func refusal(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "none"
        } catch let error as MediaError { return error.message } catch { return "\(error)" }
    }

    @Test("each kind by what it holds, its times to the millisecond")
    func kinds() throws {
        #expect(try cues(.subtitles(write("a.srt", Self.subRip))) == Self.wanted)
        // other programs' line ends
        let carriage = Self.subRip.replacingOccurrences(of: "\n", with: "\r\n")
        #expect(try cues(.subtitles(write("b.srt", carriage))) == Self.wanted)
        let web = try write(
            "c.srt",
            "WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue(.y) { color: yellow }\n\nNOTE nothing\n\nfirst\n00:01.250 --> 00:02.000 line:0\n<b>One</b> two &amp; three\n"
        )
        #expect(try cues(.subtitles(web)) == [Self.cue(1250, 2000, "One two & three")])
        let script = try write(
            "d.txt",
            """
            [Script Info]
            ScriptType: v4.00+
            [V4+ Styles]
            Format: Name, Fontname, Fontsize
            Style: Default,Sans,20
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown
            Dialogue: 0,0:00:03.51,0:00:04.00,Default,,0,0,0,,{\\pos(1,2)}late\\Nline
            Dialogue: 0,0:00:01.25,0:00:02.00,Default,,0,0,0,,early
            """)
        let asset = try Asset.subtitles(script)
        #expect(
            try cues(asset) == [
                Self.cue(1250, 2000, "early"), Self.cue(3510, 4000, "late\nline"),
            ])
        let format = try #require(asset.tracks[0].format?.text)
        #expect(format.codec == .ass)
        #expect(
            String(decoding: format.codecConfiguration, as: UTF8.self).contains("Style: Default"))
        #expect(asset.subtitleFile(of: asset.tracks[0])?.styledCount == 1)
    }

    @Test("encodings: by a mark, by name; what is none is refused with its line")
    func encodings() throws {
        let little = Data(Self.subRip.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        #expect(try cues(.subtitles(write("l.srt", [0xFF, 0xFE] + little))) == Self.wanted)
        let big = Data(Self.subRip.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
        #expect(try cues(.subtitles(write("b.srt", [0xFE, 0xFF] + big))) == Self.wanted)
        #expect(
            try cues(.subtitles(write("m.srt", [0xEF, 0xBB, 0xBF] + Self.subRip.utf8)))
                == Self.wanted)
        let western = try write(
            "w.srt", Array(try #require(Self.subRip.data(using: .windowsCP1252))))
        #expect(try cues(.subtitles(western, encoding: "windows-1252")) == Self.wanted)
        #expect(
            refusal { _ = try Asset.subtitles(western) }
                .contains("line 7 is not UTF-8; name its encoding, such as encoding=windows-1252"))
        #expect(
            refusal { _ = try Asset.subtitles(western, encoding: "klingon") }
                .contains("knows no encoding \"klingon\""))
        for name in ["utf-8//TRANSLIT", "../../x", "", "a b"] {
            #expect(
                refusal { _ = try Asset.subtitles(western, encoding: name) }
                    .contains("knows no encoding"))
        }
        // without a mark it must be named
        let unmarked = try write("u.srt", Array(little))
        #expect(refusal { _ = try Asset.subtitles(unmarked) }.contains("there are zeros"))
        #expect(try cues(.subtitles(unmarked, encoding: "utf-16le")) == Self.wanted)
    }

    @Test("a delay moves the texts; what it brings before the beginning is counted")
    func delay() throws {
        let path = try write("a.srt", Self.subRip)
        #expect(
            try cues(.subtitles(path, delay: .milliseconds(500)))[0]
                == Self.cue(1750, 2500, "One two"))
        let early = try Asset.subtitles(path, delay: .milliseconds(-1500))
        #expect(try cues(early)[0] == Self.cue(0, 500, "One two"))
        let earlier = try Asset.subtitles(path, delay: .milliseconds(-2000))
        #expect(try cues(earlier).count == 1)
        #expect(earlier.subtitleFile(of: earlier.tracks[0])?.earlyCount == 1)
        // one file, read in two ways
        let requests = [
            SubtitleFile.Request(), SubtitleFile.Request(delay: .seconds(1)),
        ]
        let both = try Asset.subtitles(path, requests)
        #expect(both.tracks.map(\.id) == [1, 2])
        #expect(both.subtitleTrack(requests[1])?.id == 2)
        #expect(try both.cues(of: both.tracks[1]).cues[0].timeRange.start == .milliseconds(2250))
    }

    @Test("no text lasts longer than a film can, a script's comments are no text")
    func ends() throws {
        let path = try write(
            "l.srt",
            "1\n00:00:01,000 --> 99:00:00,000\nlong\n\n2\n25:00:00,000 --> 26:00:00,000\nlate\n\n")
        let asset = try Asset.subtitles(path)
        #expect(try cues(asset) == [Self.cue(1000, 86_400_000, "long")])
        #expect(asset.duration == .seconds(86_400))
        #expect(asset.subtitleFile(of: asset.tracks[0])?.lateCount == 1)
        let script = try write(
            "c.ass",
            "[Script Info]\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
                + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hi {a note}there\n")
        #expect(try cues(.subtitles(script)).map(\.text) == ["Hi there"])
    }

    @Test("times that cannot be read cost the text that has them and no other")
    func brokenTimes() throws {
        let rip = try write(
            "a.srt",
            "1\n00:00:01,000 --> 00:00:02,000\nOne --> two\n\n3 is a line\n\n2\n00:00:aa,000 --> 00:00:03,500\nLost\n\n"
                + "3\n00:03 --> 00:04.5 X1:1 X2:2 Y1:3 Y2:4\nShort\n\n00:00:05.250 -->  1:00:06.1234 \nDots"
        )
        let asset = try Asset.subtitles(rip)
        #expect(
            try cues(asset) == [
                Self.cue(1000, 2000, "One --> two\n3 is a line"), Self.cue(3000, 4005, "Short"),
                Self.cue(5250, 3_606_123, "Dots"),
            ])
        #expect(asset.subtitleFile(of: asset.tracks[0])?.unreadCount == 1)
        let web = try write(
            "b.vtt",
            "WEBVTT\n\nxx --> yy\nLost\n\nid\n00:02.000 --> 00:03.000 line:0\nTwo\n\n99:99 -> 3\nNothing\n\n00:04 --> 00:05.5\nThree\n"
        )
        let second = try Asset.subtitles(web)
        #expect(try cues(second) == [Self.cue(2000, 3000, "Two"), Self.cue(4000, 5005, "Three")])
        #expect(second.subtitleFile(of: second.tracks[0])?.unreadCount == 1)
        // blanks in times, doubled line ends, a blank line behind the number
        let spaced = try write(
            "c.srt",
            "1\r\r\n00:00:01, 000 --> 00 : 00:02, 500\r\r\nOne\r\r\n\r\r\n2\r\r\n\r\r\n00:00:03,000 --> 00:00:04,000\r\r\nTwo\r\r\n"
        )
        #expect(
            try cues(.subtitles(spaced)) == [
                Self.cue(1000, 2500, "One"), Self.cue(3000, 4000, "Two"),
            ])
        // behind the head, and behind one another
        let dense = try write(
            "d.vtt",
            "WEBVTT\n00:01.000 --> 00:02.000\nOne\n00:03.000 --> 00:04.000\nTwo\n")
        #expect(
            try cues(.subtitles(dense)) == [
                Self.cue(1000, 2000, "One"), Self.cue(3000, 4000, "Two"),
            ])
    }

    @Test("what cannot be shown is counted, what is no file of subtitles refused")
    func refusals() throws {
        let part = try write(
            "p.srt",
            "1\n00:00:05,000 --> 00:00:03,000\nbackwards\n\n2\n00:00:06,000 --> 00:00:07,000\nfine\n\n"
                + "3\n00:00:08,000 --> 00:00:09,000\n\n")
        let asset = try Asset.subtitles(part)
        // one that ends before it begins lasts until the next one
        #expect(
            try cues(asset) == [
                Self.cue(5000, 6000, "backwards"), Self.cue(6000, 7000, "fine"),
            ])
        #expect(asset.subtitleFile(of: asset.tracks[0])?.unreadCount == 1)
        for (name, bytes) in [
            ("empty.srt", [UInt8]()), ("words.srt", Array("nothing here\n".utf8)),
            ("movie.mp4", [0, 0, 0, 32] + Array("ftypisom".utf8) + [0xFF, 0xFE, 0, 1]),
        ] {
            let path = try write(name, bytes)
            #expect(
                refusal { _ = try Asset.subtitles(path) }.contains("it is neither SubRip"),
                "\(name)")
        }
        let none = try write("none.vtt", "WEBVTT\n\n")
        #expect(refusal { _ = try Asset.subtitles(none) }.contains("no subtitle with a time"))
        #expect(refusal { _ = try Asset.subtitles(folder.path) }.contains("no regular file"))
        #expect(refusal { _ = try Asset.subtitles(folder.file("x.srt")) }.contains("x.srt"))
    }

    @Test("the language that a name states")
    func languages() {
        #expect(SubtitleFile.language(inName: "/a/film.de.srt") == "de")
        #expect(SubtitleFile.language(inName: "film.pt-BR.vtt") == "pt-BR")
        #expect(SubtitleFile.language(inName: "film.deu.ass") == "deu")
        #expect(SubtitleFile.language(inName: "film.ger.srt") == "ger")
        #expect(SubtitleFile.language(inName: "film.en_US.forced.srt") == "en-US")
        #expect(
            LanguageCode.threeLetters("ger") == "deu" && LanguageCode.threeLetters("fre") == "fra")
        #expect(SubtitleFile.language(inName: "film.hd.srt") == nil)
        #expect(SubtitleFile.language(inName: "de.srt") == nil)
        #expect(SubtitleFile.language(inName: "film") == nil)
    }

    @Test("damaged texts are read as far as they go, or refused", arguments: 0..<8)
    func damaged(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let sources = [
            Self.subRip, "WEBVTT\n\n00:01.000 --> 00:02.000\nA\n\n00:03.000 --> 00:04.000\nB\n",
            "[Script Info]\n[Events]\nFormat: Layer, Start, End, Style, Text\n"
                + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,A\n",
        ]
        for round in 0..<60 {
            var bytes = Array(sources[round % sources.count].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 1...127, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + 5))
                default: bytes.insert(contentsOf: bytes[..<place], at: place)
                }
                if bytes.isEmpty { bytes = [10] }
            }
            let path = try write("x.srt", bytes)
            guard let asset = try? Asset.subtitles(path) else { continue }
            for cue in try cues(asset) {
                #expect(cue.timeRange.start >= .zero && cue.timeRange.duration > .zero)
                #expect(!cue.text.isEmpty)
            }
        }
    }
}
