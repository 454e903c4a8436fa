import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import vcap

@Suite(
    "Films and conversions with time code", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct TimeCodeFilmTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames, clip.tone) = (160, 120, 90, nil)
        clip.options = ["-timecode", "10:00:00:00"]
        try clip.write(to: folder.file("a.mov"))
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func probed(_ name: String) throws -> String {
        let probe = try #require(Program.tool("ffprobe"))
        return try probe.run([
            "-v", "error", "-select_streams", "v:0", "-show_entries", "stream_tags=timecode", "-of",
            "csv=p=0", folder.file(name),
        ]).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(
        "a conversion keeps it, counted from where its range begins",
        arguments: ["mp4", "mov", "mkv"], ["copy", "h264"])
    func converted(ending: String, codec: String) throws {
        let name = "c.\(ending)"
        let words = ["convert", "a.mov", "--codec", codec, "-o", name, "-y"]
        #expect(try run(words).status == 0)
        #expect(try probed(name) == "10:00:00:00")
        guard ending != "mkv" || codec != "copy" else { return }
        // a range that begins within a frame has the number of the frame that is shown
        for (range, code) in [
            ("1s..2s", "10:00:01:00"), ("1020ms..2s", "10:00:01:00"),
            ("1033ms..2s", "10:00:01:01"), ("1062ms..2s", "10:00:01:01"),
        ] {
            #expect(try run(words + ["--range", range]).status == 0)
            #expect(try probed(name) == code, "\(range)")
        }
    }

    @Test(
        "through mkv and webm its rate is kept, of the shortest file and of frames of another rate, too",
        arguments: ["mkv", "webm"])
    func rateKept(ending: String) throws {
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames, clip.tone) = (160, 120, 2, nil)
        clip.options = ["-timecode", "01:00:00;02", "-r", "30000/1001"]
        try clip.write(to: folder.file("short.mov"))
        let original = try #require(try Asset.load(folder.file("short.mov")).metadata.timeCode)
        #expect(original.start.description == "01:00:00;02" && original.start.rate.isDropFrame)
        for (number, options) in [[], ["-r", "25"], ["-r", "60"]].enumerated() {
            let name = "r\(number).\(ending)"
            let made = try run(["convert", "short.mov", "-o", name] + options)
            #expect(made.status == 0, "\(made.errorText)")
            let back = try Asset.load(folder.file(name)).metadata
            #expect(back.timeCode?.start == original.start)
            // it is no tag for users
            #expect(back.values.keys.allSatisfy { !$0.lowercased().contains("timecode") })
        }
        // without what vcap writes beside it, nothing says at what rate two frames are counted
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let other = folder.file("other.\(ending)")
        let stripped = try ffmpeg.run([
            "-v", "error", "-i", folder.file("r1.\(ending)"), "-c", "copy", "-metadata",
            "TIMECODE_RATE=", other,
        ])
        #expect(stripped.status == 0, "\(stripped.errorText)")
        #expect(try Asset.load(other).metadata.timeCode?.start != original.start)
    }

    @Test("what the new file has no place for is reported")
    func lost() throws {
        let ts = try run(["convert", "a.mov", "-o", "c.ts"])
        #expect(ts.status == 0 && ts.errorText.contains("time code"), "\(ts.errorText)")
        let audio = try run(["compose", "a.mov", "--start-time-code", "01:00:00:00", "-o", "f.ts"])
        #expect(audio.status == 0 && audio.errorText.contains("time code"), "\(audio.errorText)")
    }

    @Test("a film has what is asked for, from its first frame or its range's, and else none")
    func films() throws {
        #expect(try run(["compose", "a.mov", "-o", "none.mov"]).status == 0)
        #expect(try probed("none.mov") == "")
        for ending in ["mp4", "mov", "mkv"] {
            let name = "f.\(ending)"
            let film = try run(["compose", "a.mov", "--start-time-code", "01:00:00:00", "-o", name])
            #expect(film.status == 0, "\(film.errorText)")
            #expect(try probed(name) == "01:00:00:00")
        }
        let part = try run([
            "compose", "a.mov", "--start-time-code", "01:00:00:00", "--range", "1s..2s", "-o",
            "p.mp4",
        ])
        #expect(part.status == 0, "\(part.errorText)")
        #expect(try probed("p.mp4") == "01:00:01:00")
        let copy = try run([
            "compose", "a.mov", "--start-time-code", "02:00:00:00", "--preset", "passthrough", "-o",
            "t.mov",
        ])
        #expect(copy.status == 0, "\(copy.errorText)")
        #expect(try probed("t.mov") == "02:00:00:00")
        let drop = try run([
            "compose", "a.mov", "--fps", "30000/1001", "--start-time-code", "01:00:00;00", "-o",
            "d.mov",
        ])
        #expect(drop.status == 0, "\(drop.errorText)")
        #expect(try probed("d.mov") == "01:00:00;00")
        let wrong = try run(["compose", "a.mov", "--start-time-code", "01:00:00;00", "-o", "w.mov"])
        #expect(wrong.status != 0 && wrong.errorText.contains("drop frame"), "\(wrong.errorText)")
    }

    @Test("projects and OpenTimelineIO have it", arguments: ["vcap.json5", "otio"])
    func projects(ending: String) throws {
        let name = "f.\(ending)"
        let words = ["compose", "a.mov@1s..2s", "--start-time-code", "01:00:00:00", "-o", name]
        let project = try run(words)
        #expect(project.status == 0, "\(project.errorText)")
        let film = try run(["export", name, "-o", "x.mov"])
        #expect(film.status == 0, "\(film.errorText)")
        #expect(try probed("x.mov") == "01:00:00:00")
        // the second second of the clip, whatever its own time code is
        #expect(try MovieOracle(folder.file("x.mov")).frameNumbers() == Array(30..<60))
        guard ending == "otio" else { return }
        let json = try JSONParser.parse(
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))), as: .json)
        #expect(json["global_start_time"]?["value"]?.number == 108_000)
        #expect(json["global_start_time"]?["rate"]?.number == 30)
        let clip = json["tracks"]?["children"]?.elements?.first?["children"]?.elements?.first
        #expect(clip?["source_range"]?["start_time"]?["value"]?.number == 1_080_030)
    }
}
