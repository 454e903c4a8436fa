import Foundation
import TestSupport
import Testing

@Suite(
    "Files of subtitles through the program", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct SubtitleFileFilmTests {
    typealias Line = SubtitledClip.Line
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=6", "-c:v", "libx264",
            "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p", "-color_primaries", "bt709",
            "-color_trc", "bt709", "-colorspace", "bt709", folder.file("a.mp4"),
        ])
        #expect(made.status == 0, "\(made.errorText)")
        try write(
            "a.de.srt",
            "1\n00:00:01,000 --> 00:00:02,000\nGuten <i>Tag</i>\n\n2\n00:00:03,400 --> 00:00:04,000\nWelt\n"
        )
        try write(
            "a.ass",
            """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 320
            PlayResY: 180
            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
            Style: Default,DejaVu Sans,24,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,0,0,1,2,1,2,10,10,10,1
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\k40}Ka{\\k60}raoke {\\c&H00FFFF&}yellow
            Dialogue: 1,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\pos(160,60)\\frz15\\blur2}turned
            """)
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }

    private func vcap(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func compose(_ words: String...) throws -> Program.Result {
        try vcap(["compose"] + words + ["-q"])
    }

    private struct Report: Decodable {
        var frames: Int
        var copiedFrames: Int
    }

    private func report(_ words: String...) throws -> Report {
        let result = try vcap(["compose"] + words + ["--json", "-q"])
        #expect(result.status == 0, "\(result.errorText)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Report.self, from: Data(result.output))
    }

    @Test(
        "a track of the film, beside which every frame is copied", arguments: ["mp4", "mov", "mkv"])
    func track(ending: String) throws {
        let report = try report("a.mp4", "--subtitles", "a.de.srt,delay=-0.5s", "-o", "f.\(ending)")
        #expect(report.copiedFrames == report.frames && report.frames == 150)
        #expect(
            try MovieOracle(folder.file("f.\(ending)")).subtitles() == [
                Line(500, 1500, "Guten Tag"), Line(2900, 3500, "Welt"),
            ])
        let probe = try vcap(["probe", "f.\(ending)"]).outputText
        #expect(
            probe.contains("text, de") || probe.contains("text, ger") || probe.contains("text, deu")
        )
    }

    @Test("the texts of a clip move with its part")
    func ofClip() throws {
        let result = try compose(
            "a.mp4@..1s", "a.mp4@3s..5s", "--subtitles", "a.de.srt,clip=2", "-o", "f.mp4")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try MovieOracle(folder.file("f.mp4")).subtitles() == [Line(1400, 2000, "Welt")])
    }

    /// Mean square error of the frames of two films between two times, and their number (codes of luma).
    private func error(_ one: String, _ other: String, _ times: String) throws -> Double {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "info", "-i", folder.file(one), "-i", folder.file(other), "-lavfi",
            "[0]trim=\(times)[a];[1]trim=\(times)[b];[a][b]psnr", "-f", "null", "-",
        ])
        let text = try #require(
            result.errorText.components(separatedBy: "PSNR y:").dropFirst().last)
        let value = text.components(separatedBy: " ")[0]
        return value.hasPrefix("inf") ? .infinity : try #require(Double(value))
    }

    @Test("a script is drawn as ffmpeg draws it, and the other frames are copied")
    func script() throws {
        let drawn = try compose(
            "a.mp4", "--subtitles", "a.ass,burn", "--codec", "ffv1", "-o", "drawn.mkv")
        #expect(drawn.status == 0, "\(drawn.errorText)")
        let peer = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-i", "a.mp4", "-vf", "ass=a.ass", "-c:v", "ffv1", "-an", "peer.mkv",
            ], in: folder.path)
        #expect(peer.status == 0, "\(peer.errorText)")
        #expect(try error("drawn.mkv", "peer.mkv", "1:2") > 38)
        // the measure finds what is not drawn
        #expect(try error("drawn.mkv", "a.mp4", "1:2") < 25)
        #expect(try error("drawn.mkv", "a.mp4", "2:6") == .infinity)
        let report = try report("a.mp4", "--subtitles", "a.ass,burn", "-o", "f.mp4")
        #expect(report.copiedFrames == 125)
        #expect(try !vcap(["probe", "f.mp4"]).outputText.contains("text"))
    }

    @Test("the subtitles of clips are drawn or left out")
    func ownSubtitles() throws {
        let made = try compose("a.mp4", "--subtitles", "a.de.srt", "-o", "own.mp4")
        #expect(made.status == 0)
        let drawn = try report(
            "own.mp4", "--clip-subtitles", "burn,language=de,place=top", "-o", "f.mp4")
        #expect(drawn.copiedFrames < 125 && drawn.copiedFrames > 50)
        #expect(try !vcap(["probe", "f.mp4"]).outputText.contains("text"))
        let none = try report("own.mp4", "--clip-subtitles", "none", "-o", "none.mp4")
        #expect(none.copiedFrames == 150)
        #expect(try !vcap(["probe", "none.mp4"]).outputText.contains("text"))
    }

    @Test("a project has them, and is written as it was read")
    func project() throws {
        let written = try vcap([
            "compose", "a.mp4", "--subtitles", "a.de.srt,delay=-0.25s,name=Deutsch,forced",
            "--subtitles", "a.ass,burn", "--clip-subtitles", "burn,language=de,size=0.1", "-o",
            "p.vcap.json5",
        ])
        #expect(written.status == 0, "\(written.errorText)")
        let text = try String(contentsOfFile: folder.file("p.vcap.json5"), encoding: .utf8)
        #expect(
            text.contains("delay: -0.25") && text.contains("burn: true") && text.contains("forced"))
        let again = try vcap(["export", "p.vcap.json5", "-o", "q.vcap.json5"])
        #expect(again.status == 0, "\(again.errorText)")
        #expect(try String(contentsOfFile: folder.file("q.vcap.json5"), encoding: .utf8) == text)
        let film = try vcap(["export", "p.vcap.json5", "-o", "f.mkv", "-q"])
        #expect(film.status == 0, "\(film.errorText)")
        #expect(
            try MovieOracle(folder.file("f.mkv")).subtitles() == [
                Line(750, 1750, "Guten Tag"), Line(3150, 3750, "Welt"),
            ])
    }

    @Test(
        "a mistake is named",
        arguments: [
            (["--subtitles", "a.de.srt,langauge=de"], "did you mean \"language\"?"),
            (["--subtitles", "a.de.srt,size=0.1"], "give burn as well"),
            (["--subtitles", "a.de.srt,burn,forced"], "burn makes none"),
            (["--subtitles", "none.srt"], "cannot read the subtitles none.srt"),
            (["--subtitles", "a.mp4"], "it is neither SubRip"),
            (["--subtitles", "a.de.srt,clip=2"], "belongs to clip 2, but the film has 1"),
            (["--subtitles", "a.de.srt,delay=soon"], "delay must be a time such as"),
            (["--clip-subtitles", "tracks,size=0.1"], "tracks, none or burn"),
            (["--clip-subtitles", "burn,clip=1"], "it has no key \"clip\""),
            (["--subtitles", "a.de.srt,burn", "--copy", "only"], "its subtitles have to be drawn"),
            (["--fonts", "a.de.srt"], "it is no font"),
            (["--fonts", "."], "there is no .ttf, .otf or .ttc file in it"),
            (["--fonts", "none.ttf"], "none.ttf"),
        ])
    func refusals(words: [String], reason: String) throws {
        let result = try vcap(["compose", "a.mp4"] + words + ["-o", "x.mp4"])
        #expect(result.status != 0 && result.errorText.contains(reason), "\(result.errorText)")
        #expect(!folder.contents.contains("x.mp4"))
    }

    @Test("a text that is too long to be drawn is reported, though no frame is")
    func undrawn() throws {
        try write(
            "long.srt",
            "1\n00:00:01,000 --> 00:00:02,000\n" + String(repeating: "e\u{301}", count: 20_000)
                + "\n")
        let result = try vcap([
            "compose", "a.mp4", "--subtitles", "long.srt,burn", "-o", "f.mp4", "--json",
        ])
        #expect(result.status == 0)
        #expect(
            result.errorText.contains("1 text of track 1 of long.srt is not drawn"),
            "\(result.errorText)")
    }

    @Test("neither subtitles nor fonts are written over")
    func guarded() throws {
        let font = try #require(Self.font)
        try FileManager.default.copyItem(atPath: font, toPath: folder.file("own.ttf"))
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.de.srt")))
        // under names that an export would take
        try FileManager.default.copyItem(
            atPath: folder.file("a.de.srt"), toPath: folder.file("text.mp4"))
        try FileManager.default.copyItem(
            atPath: folder.file("own.ttf"), toPath: folder.file("font.mp4"))
        for (words, name) in [
            (["--subtitles", "text.mp4"], "text.mp4"), (["--fonts", "font.mp4"], "font.mp4"),
        ] {
            let result = try vcap(["compose", "a.mp4"] + words + ["-o", name, "-y"])
            #expect(result.status == 73, "\(result.errorText)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("text.mp4"))) == before)
    }

    private static var font: String? {
        let path = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// The installed font under a name that no installed one has.
    private func renamedFont() throws -> String {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try #require(Self.font))))
        func units(_ text: String) -> [UInt8] {
            text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        }
        for (from, to) in [
            (units("DejaVu"), units("Qwertz")), (Array("DejaVu".utf8), Array("Qwertz".utf8)),
        ] {
            var place = 0
            while let range = bytes[place...].firstRange(of: from) {
                bytes.replaceSubrange(range, with: to)
                place = range.upperBound
            }
        }
        try FileManager.default.createDirectory(
            atPath: folder.file("fonts"), withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("fonts/own.ttf")))
        return "fonts"
    }

    @Test("fonts of a folder are used for titles and subtitles")
    func fonts() throws {
        let fonts = try renamedFont()
        func still(_ words: [String], _ name: String) throws -> (Data, String) {
            let result = try vcap(
                ["compose", "a.mp4", "--still", "3.5s", "-o", name, "-y"] + words)
            #expect(result.status == 0, "\(result.errorText)")
            return (try Data(contentsOf: URL(fileURLWithPath: folder.file(name))), result.errorText)
        }
        func words(_ font: String) -> [String] {
            [
                "--subtitles", "a.de.srt,burn,font=\(font)", "--add-title",
                "Film,duration=1s,font=\(font)",
            ]
        }
        let (installed, silent) = try still(words("DejaVu Sans"), "a.png")
        let (own, alsoSilent) = try still(words("Qwertz Sans") + ["--fonts", fonts], "b.png")
        #expect(own == installed && !silent.contains("font") && !alsoSilent.contains("font"))
        let (_, text) = try still(words("Qwertz Sans"), "c.png")
        #expect(text.contains("The font \"Qwertz Sans\""))
    }
}
