import Foundation
import Glibc
import Media
import TestSupport
import Testing

@testable import vcap

/// What a film's container, preset and rate make of it, and what is a fault of the words.
@Suite(
    "Presets and outputs of films", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct FilmUsageTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames) = (96, 54, 60)
        try clip.write(to: folder.file("a.mp4"))
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    @Test("what the words ask for and cannot be had is 64, in the plan too")
    func usage() throws {
        let before = folder.contents
        let cases: [[String]] = [
            ["compose", "a.mp4", "--codec", "h264", "-o", "z.webm"],
            ["compose", "a.mp4", "--plan", "--codec", "h264", "-o", "z.webm"],
            ["compose", "a.mp4", "-o", "z.m4a"],
            ["compose", "a.mp4", "--preset", "passthrough", "--title", "A", "-o", "z.mp4"],
            ["compose", "a.mp4", "--preset", "passthrough", "-s", "64x64", "-o", "z.mp4"],
            ["compose", "a.mp4", "--preset", "passthrough", "-r", "25", "-o", "z.mp4"],
            ["compose", "a.mp4", "--preset", "passthrough", "--volume", "0.5", "-o", "z.mp4"],
            ["compose", "a.mp4", "--preset", "passthrough", "--low-cut", "80", "-o", "z.mp4"],
            ["compose", "a.mp4", "--low-cut", "10", "-o", "z.mp4"],
            ["compose", "a.mp4", "--gate", "3", "-o", "z.mp4"],
            ["compose", "a.mp4", "--limiter", "loud", "-o", "z.mp4"],
            ["compose", "a.mp4", "--overlay", "a.mp4,low-cut=2000", "-o", "z.mp4"],
            ["convert", "a.mp4", "--codec", "copy", "-s", "64x64", "-o", "z.mp4"],
            ["convert", "a.mp4", "--codec", "copy", "-o", "z.webm"],
        ]
        for words in cases {
            let result = try run(words)
            #expect(result.status == ExitCode.usage.rawValue, "\(words): \(result.errorText)")
            #expect(folder.contents == before, "\(words)")
        }
        let audio = try run(["compose", "a.mp4", "-o", "z.m4a"])
        #expect(audio.errorText.contains("preset audio"), "\(audio.errorText)")
    }

    @Test("a conversion that is ended by a signal is 1, and nothing is left of it")
    func interrupted() throws {
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames) = (640, 360, 900)
        try clip.write(to: folder.file("long.mp4"))
        let before = folder.contents
        let running = try Program.vcap.start(
            ["convert", "long.mp4", "-s", "3840x2160", "-o", "z.mp4"],
            environment: ["HOME": folder.path], in: folder.path)
        Thread.sleep(forTimeInterval: 1)
        running.signal(SIGINT)
        let result = running.wait()
        #expect(result.status == ExitCode.failedRunning.rawValue)
        #expect(result.errorText.contains("nothing is left of it"), "\(result.errorText)")
        #expect(folder.contents == before)
    }

    @Test("a preset makes no film larger, and says so")
    func upperBound() throws {
        for more in [["--plan", "--json"], ["-o", "z.mp4", "--json"]] {
            let result = try run(["compose", "a.mp4", "--preset", "1080p"] + more)
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.outputText.contains("it stays 96x54"), "\(result.outputText)")
        }
        let larger = try run(
            ["compose", "a.mp4", "--preset", "1080p", "-s", "1920x1080", "--plan", "--json"])
        #expect(larger.status == 0 && !larger.outputText.contains("it stays"))
    }

    @Test("the preset audio makes Opus in WebM and AAC elsewhere")
    func audioAlone() throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let words = ["-v", "error", "-f", "lavfi", "-i", "sine=d=1:r=48000", folder.file("t.wav")]
        try #require(try tool.run(words).status == 0)
        let probe = try #require(Program.tool("ffprobe"))
        for (name, codec) in [("z.webm", "opus"), ("z.mka", "aac"), ("z.m4a", "aac")] {
            let result = try run(["compose", "t.wav", "--preset", "audio", "-o", name])
            #expect(result.status == 0, "\(name): \(result.errorText)")
            let found = try probe.run([
                "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0",
                folder.file(name),
            ])
            #expect(found.outputText.contains(codec), "\(name): \(found.outputText)")
        }
    }

    @Test("copied frames are counted as the movie shows them")
    func shownFrames() throws {
        let copy = ["--preset", "passthrough", "--json", "-o"]
        let film = try run(["compose", "a.mp4@1s..1.5s", "a.mp4@0s..1s"] + copy + ["z.mp4"])
        #expect(film.status == 0, "\(film.errorText)")
        #expect(film.outputText.contains("\"frames\": 45,"), "\(film.outputText)")
        #expect(try MovieOracle(folder.file("z.mp4")).frameNumbers().count == 45)
        let part = try run(["convert", "a.mp4", "--range", "1s..1.5s", "--json", "-o", "y.mp4"])
        #expect(part.outputText.contains("\"frames\": 15,"), "\(part.outputText)")
    }

    // MARK: Rates

    /// 35 frames at a third of the places of 30 a second, each of another grey.
    private func uneven(_ name: String) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-f", "lavfi", "-i",
            "nullsrc=s=64x64:r=30:d=4,geq=lum=N+30:cb=128:cr=128", "-vf",
            "select='not(mod(n,7))+gt(mod(n,11),8)'", "-fps_mode", "vfr", "-c:v", "libx264", "-crf",
            "1", "-pix_fmt", "yuv420p", folder.file(name),
        ])
        try #require(result.status == 0, "\(result.errorText)")
    }

    /// Different frames one after the other (count).
    private func pictures(_ name: String) throws -> Int {
        let lumas = try MovieOracle(folder.file(name)).middleColors().map(\.luma)
        return zip(lumas, lumas.dropFirst()).filter { $0 != $1 }.count + 1
    }

    @Test("a rate that varies goes by the commonest distance, and no frame is lost")
    func commonest() throws {
        try uneven("v.mp4")
        let result = try run(["compose", "-v", "v.mp4", "-o", "z.mp4"])
        #expect(result.status == 0)
        #expect(result.errorText.contains("film's 30 a second"), "\(result.errorText)")
        #expect(!result.errorText.contains("not shown"), "\(result.errorText)")
        #expect(try pictures("z.mp4") == 35)
    }

    @Test("frames that a film's rate leaves out are counted before and after")
    func leftOut() throws {
        try uneven("v.mp4")
        for more in [["--plan", "--json"], ["-o", "z.mp4", "--json"]] {
            let result = try run(["compose", "v.mp4", "-r", "9"] + more)
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.outputText.contains("11 of its 35 frames are not shown"))
            #expect(result.errorText.contains("11 of its 35 frames are not shown"))
        }
        #expect(try pictures("z.mp4") == 24)
        let half = try run(["compose", "a.mp4@0.5s..1.5s", "-r", "15", "--plan"])
        #expect(half.errorText.contains("15 of its 30 frames are not shown"), "\(half.errorText)")
    }

    // MARK: Gaps and chapters

    @Test("clips without media at the end of a timeline are black for their length")
    func blackEnd() throws {
        func range(_ start: Int, _ length: Int) -> String {
            "{\"start_time\": {\"value\": \(start), \"rate\": 1}, "
                + "\"duration\": {\"value\": \(length), \"rate\": 1}}"
        }
        let text = """
            {"OTIO_SCHEMA": "Timeline.1", "tracks": {"OTIO_SCHEMA": "Stack.1", "children": [
             {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [
              {"OTIO_SCHEMA": "Clip.1", "name": "a", "source_range": \(range(0, 1)),
               "media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "a.mp4"}},
              {"OTIO_SCHEMA": "Clip.1", "name": "lost", "source_range": \(range(0, 2)),
               "media_reference": {"OTIO_SCHEMA": "MissingReference.1"}}]}]}}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("f.otio")))
        let result = try run(["export", "f.otio", "-o", "z.mp4"])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("black is shown for 2 s"), "\(result.errorText)")
        #expect(!result.errorText.contains("is left out"), "\(result.errorText)")
        let colors = try MovieOracle(folder.file("z.mp4")).middleColors()
        #expect(colors.count == 90)
        #expect(colors[30...].allSatisfy { $0.luma <= 17 })
        // written down and made again
        #expect(try run(["export", "f.otio", "-o", "g.otio"]).status == 0)
        #expect(try run(["export", "g.otio", "-o", "y.mp4"]).status == 0)
        #expect(try MovieOracle(folder.file("y.mp4")).middleColors().count == 90)
    }

    private func chapters(_ name: String) throws -> [String] {
        let probe = try #require(Program.tool("ffprobe"))
        let result = try probe.run([
            "-v", "error", "-show_chapters", "-show_entries",
            "chapter=start_time:chapter_tags=title",
            "-of", "csv=p=0", folder.file(name),
        ])
        return result.outputText.split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test("the chapters of clips are carried to the clips' places")
    func clipChapters() throws {
        let marked = [
            "compose", "a.mp4", "--chapter", "One@0s", "--chapter", "Two@1s", "-o", "m.mp4",
        ]
        #expect(try run(marked).status == 0)
        let film = try run(["compose", "-v", "a.mp4", "m.mp4@0.5s..", "-o", "z.mp4"])
        #expect(film.status == 0, "\(film.errorText)")
        #expect(film.errorText.contains("its 2 chapters are carried"), "\(film.errorText)")
        #expect(try chapters("z.mp4") == ["2.000000,One", "2.500000,Two"])
        // of one source cut in two the running chapter does not begin again
        let cut = try run(["compose", "m.mp4@0s..1.5s", "m.mp4@1.5s..2s", "-o", "y.mp4"])
        #expect(cut.status == 0, "\(cut.errorText)")
        #expect(try chapters("y.mp4") == ["0.000000,One", "1.000000,Two"])
        // the film's own come first, and what is left out is counted
        let own = try run(["compose", "m.mp4", "--chapter", "Mine@1s", "-o", "x.mp4"])
        #expect(own.errorText.contains("2 chapters of it are left out"), "\(own.errorText)")
        #expect(try chapters("x.mp4").contains { $0.contains("Mine") })
    }

    @Test("a part has the chapter that is running where it begins", arguments: ["mp4", "mkv"])
    func runningChapter(_ ending: String) throws {
        let marked = [
            "compose", "a.mp4", "--chapter", "One@0s", "--chapter", "Two@1s", "-o", "m.mp4",
        ]
        #expect(try run(marked).status == 0)
        for (range, expected) in [
            ("0.5s..2s", ["0.0,One", "0.5,Two"]), ("1.5s..", ["0.0,Two"]), ("1s..", ["0.0,Two"]),
        ] {
            let name = "z.\(ending)"
            let result = try run(["convert", "m.mp4", "--range", range, "-y", "-o", name])
            #expect(result.status == 0, "\(result.errorText)")
            // Matroska moves everything by the priming of its audio
            let found = try chapters(name).map { line in
                let parts = line.split(separator: ",")
                return "\(((Double(parts[0]) ?? -1) * 20).rounded(.down) / 20),\(parts[1])"
            }
            #expect(found == expected, "\(range)")
        }
    }
}
