import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

/// What the options, inputs and outputs of `compose` promise.
@Suite("Entries of compose", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ComposeEntriesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames) = (96, 54, 30)
        for (index, name) in ["a.mp4", "b.mp4"].enumerated() {
            clip.firstNumber = index * 100
            try clip.write(to: folder.file(name))
        }
        try ffmpeg("color=c=white:s=16x16", ["-frames:v", "1"], "white.png")
    }

    private func ffmpeg(_ source: String, _ options: [String], _ name: String) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let words = ["-v", "error", "-f", "lavfi", "-i", source] + options
        #expect(try tool.run(words + [folder.file(name)]).status == 0)
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func compose(_ words: String...) throws -> Program.Result {
        try run(["compose"] + words)
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    // MARK: Projects as outputs

    @Test("clips become a project that makes the same film", arguments: ["vcap.json5", "otio"])
    func project(ending: String) throws {
        let clips = ["a.mp4", "b.mp4@0.2s..0.8s", "--transition", "dissolve:200ms"]
        let name = "film.\(ending)"
        let written = try run(["compose"] + clips + ["-o", name])
        #expect(written.status == 0 && written.outputText == "\(name)\n", "\(written.errorText)")
        #expect(try run(["compose"] + clips + ["-o", "direct.mp4"]).status == 0)
        let made = try run(["export", name, "-o", "made.mp4"])
        #expect(made.status == 0, "\(made.errorText)")
        #expect(
            try MovieOracle(folder.file("made.mp4")).frameNumbers()
                == MovieOracle(folder.file("direct.mp4")).frameNumbers())
        // what is there is not written over
        #expect(
            try run(["compose"] + clips + ["-o", name]).status == ExitCode.cannotCreate.rawValue)
    }

    @Test("a project in another folder names its clips so that it is read from anywhere")
    func projectElsewhere() throws {
        let written = try compose("a.mp4", "-o", "sub/film.vcap.json5")
        #expect(written.status == 0)
        #expect(written.errorText.contains("--media-root"))
        let made = try run(["export", "sub/film.vcap.json5", "--media-root", ".", "-o", "x.mp4"])
        #expect(made.status == 0, "\(made.errorText)")
        #expect(try MovieOracle(folder.file("x.mp4")).frameNumbers() == Array(0..<30))
    }

    // MARK: Options

    @Test("options that have nothing to act on are refused with the one they need")
    func idleOptions() throws {
        let before = folder.contents
        for (words, part) in [
            (["--title-image", "white.png"], "--title TEXT"),
            (["--title-style", "slide"], "--title TEXT"),
            (["--title", "x", "--title-image", "gone.png"], "gone.png"),
            (["--watermark", "gone.png"], "gone.png"),
            (["--duck"], "--music"), (["--music-volume", "0.5"], "--music"),
            (["--transition", "dissolve:1s"], "two clips"),
            (["--chapter", "late@1s"], "the film ends at 1 s"),
        ] {
            let result = try run(["compose", "a.mp4", "-o", "x.mp4"] + words)
            #expect([64, 66].contains(result.status), "\(words): \(result.errorText)")
            #expect(result.errorText.contains(part), "\(words): \(result.errorText)")
            #expect(folder.contents == before, "\(words)")
        }
        let project = try compose("a.mp4", "--preset", "720p", "-o", "x.otio")
        #expect(project.status == ExitCode.usage.rawValue)
        let still = try compose(
            "a.mp4", "--still", "0.5s", "--range", "..0.2s", "-o", "x.png")
        #expect(still.status == 0 && still.errorText.contains("--range does nothing"))
        let heard = try compose(
            "a.mp4", "--still", "0.5s", "--volume", "0.5", "--chapter", "A@0.1s", "-o", "y.png")
        for option in ["volume", "chapter"] {
            #expect(heard.errorText.contains("--\(option) does nothing"), "\(heard.errorText)")
        }
        let audio = try compose(
            "a.mp4", "--preset", "audio", "-s", "64x48", "--fit", "cover", "--watermark", "W", "-o",
            "x.m4a")
        for option in ["size", "fit", "watermark"] {
            #expect(audio.errorText.contains("--\(option) does nothing"), "\(audio.errorText)")
        }
        let plan = try compose("a.mp4", "--plan", "--progress", "p.txt", "-o", "x.mp4")
        #expect(plan.status == 0 && plan.errorText.contains("--progress does nothing"))
    }

    @Test("options win over a template: one title, one piece of music")
    func template() throws {
        try ffmpeg("sine=300:d=1", [], "song.wav")
        try ffmpeg("sine=900:d=1", [], "other.wav")
        try write(
            "t.vcap.json5",
            """
            { titles: [{ text: "Theirs", style: "slide", duration: 0.5 },
                       { text: "Name", style: "lower-third", duration: 0.5 }],
              music: [{ file: "song.wav", loop: true }], loudness: -20, truePeak: -3 }
            """)
        let result = try compose(
            "a.mp4", "b.mp4", "a.mp4", "--template", "t.vcap.json5", "--title", "Mine", "--music",
            "other.wav", "--duck", "-o", "film.vcap.json5")
        #expect(result.status == 0, "\(result.errorText)")
        let text = try String(
            decoding: Data(contentsOf: URL(fileURLWithPath: folder.file("film.vcap.json5"))),
            as: UTF8.self)
        #expect(text.contains("Mine") && text.contains("slide") && !text.contains("Theirs"))
        #expect(text.contains("Name"))
        #expect(text.contains("other.wav") && !text.contains("song.wav"))
        #expect(result.errorText.contains("\"Theirs\" gives way"))
        // an option without a text changes the template's title
        let style = try compose(
            "a.mp4", "--template", "t.vcap.json5", "--title-style", "plain", "-o", "s.vcap.json5")
        #expect(style.status == 0)
        let changed = try Data(contentsOf: URL(fileURLWithPath: folder.file("s.vcap.json5")))
        #expect(String(decoding: changed, as: UTF8.self).contains("plain"))
    }

    @Test("of an option that is given again the last one counts, and one clip is one clip")
    func repeated() throws {
        let result = try compose("a.mp4", "-s", "720p", "-s", "64x36", "--plan")
        #expect(result.outputText.contains("64x36"))
        #expect(
            result.errorText.contains("--size is given more than once: \"64x36\", the last one"),
            "\(result.errorText)")
        let one = try compose("a.mp4", "--range", "..1/30", "-o", "x.mp4")
        #expect(one.status == ExitCode.usage.rawValue)
        let frame = try compose("a.mp4", "--range", "..0.03s", "-o", "x.mp4")
        #expect(frame.errorText.contains(" 1 frame,"), "\(frame.errorText)")
    }

    // MARK: Inputs

    @Test("folders and patterns are their clips in the order of their names")
    func folders() throws {
        let day = folder.file("day")
        try FileManager.default.createDirectory(
            atPath: day, withIntermediateDirectories: false)
        for (from, to) in [("b.mp4", "day/c10.mp4"), ("a.mp4", "day/c9.mp4")] {
            try FileManager.default.copyItem(
                atPath: folder.file(from), toPath: folder.file(to))
        }
        for (operand, name) in [("day", "x.mp4"), ("day/c*.mp4", "y.mp4")] {
            let result = try compose(operand, "-o", name)
            #expect(result.status == 0, "\(result.errorText)")
            #expect(
                try MovieOracle(folder.file(name)).frameNumbers()
                    == Array(0..<30) + Array(100..<130))
        }
        let parts = try compose("day/c*.mp4@..0.5s", "-o", "z.mp4")
        #expect(parts.status == 0, "\(parts.errorText)")
        #expect(try MovieOracle(folder.file("z.mp4")).frameNumbers().count == 30)
        #expect(try compose("day/*.mov", "-o", "n.mp4").status == ExitCode.noInput.rawValue)
    }

    @Test("a live photo among the clips is its film, and a photo that lost it is reported")
    func livePhoto() throws {
        let builder = LivePhotoBuilder(folder: folder)
        let movie = try builder.movie()
        let photo = LivePhotoBuilder.photo(
            try builder.jpeg(),
            LivePhotoBuilder.xmp(LivePhotoBuilder.motionPhoto(lengths: [movie.count])))
        try builder.write(photo + movie, "PXL.MP.jpg")
        try builder.write(photo, "lost.jpg")
        let result = try compose("PXL.MP.jpg", "a.mp4", "-o", "joined.mp4")
        #expect(result.status == 0, "\(result.errorText)")
        let numbers = try MovieOracle(folder.file("joined.mp4")).frameNumbers()
        #expect(numbers.starts(with: 40..<52))
        let lost = try compose("lost.jpg@..1s", "a.mp4", "--plan")
        #expect(lost.status == 0, "\(lost.errorText)")
        #expect(lost.errorText.contains("still picture"), "\(lost.errorText)")
    }

    // MARK: What clips have

    @Test("second cameras and microphones that a film leaves out are reported")
    func secondTracks() throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let words = ["-v", "error", "-i", folder.file("a.mp4"), "-i", folder.file("b.mp4")]
        let mapped = ["-map", "0", "-map", "1", "-c", "copy", folder.file("two.mp4")]
        #expect(try tool.run(words + mapped).status == 0)
        let result = try compose("two.mp4", "-o", "film.mp4")
        #expect(result.status == 0)
        #expect(result.errorText.contains("its first video track, 1, is used; track 3 is left"))
        #expect(result.errorText.contains("its first audio track, 2, is used; track 4 is left"))
        // the control: one track of each needs no report
        #expect(!(try compose("a.mp4", "-o", "one.mp4")).errorText.contains("left out"))
    }

    @Test(
        "interlaced clips are reported",
        arguments: [["-c:v", "libx264", "i.mp4"], ["-c:v", "mpeg2video", "i.ts"]])
    func interlaced(_ options: [String]) throws {
        let name = try #require(options.last)
        let coding = options.dropLast() + ["-flags", "+ilme+ildct"]
        try ffmpeg("testsrc2=s=128x96:r=25:d=0.4", Array(coding), name)
        try ffmpeg("testsrc2=s=128x96:r=25:d=0.4", Array(options.dropLast()), "p" + name)
        #expect(try compose(name, "--plan", "--json").outputText.contains("interlaced"))
        #expect(
            !(try compose("p" + name, "--plan", "--json")).outputText.contains("interlaced"))
    }

    @Test(
        "a film of a clip that lost frames has the rate of those it has",
        arguments: ["mp4", "mkv"])
    func variableRate(ending: String) throws {
        let losses = ["-vf", "select='mod(n,37)*mod(n+3,50)'", "-vsync", "vfr"]
        try ffmpeg("testsrc2=s=64x36:r=30:d=8", losses + GeneratedClip.h264, "v.\(ending)")
        let plan = try compose("v.\(ending)", "--plan")
        #expect(plan.outputText.contains("30 fps"), "\(plan.outputText)")
    }

    @Test("after AAC a film is as loud as wanted to 0.1 LU, and its peaks stay below -1 dBTP")
    func loudness() throws {
        let click = "(random(0)-0.5)*(0.05+0.6*lt(mod(t,0.2),0.002))"
        try ffmpeg("aevalsrc='\(click)|\(click)':s=48000:d=8", [], "clicks.wav")
        for target in [-23.0, -14.0] {
            let result = try compose(
                "clicks.wav", "--preset", "audio", "--loudness", "\(target)", "-y", "-o", "l.m4a")
            #expect(result.status == 0, "\(result.errorText)")
            let meter = try #require(Program.tool("ffmpeg")).run([
                "-hide_banner", "-nostats", "-i", folder.file("l.m4a"), "-af",
                "ebur128=peak=true:framelog=verbose", "-f", "null", "-",
            ])
            let words = meter.errorText.split(whereSeparator: \.isWhitespace)
            func number(_ label: String) throws -> Double {
                let place = try #require(words.lastIndex { $0 == label })
                return try #require(Double(words[place + 1]))
            }
            #expect(abs(try number("I:") - target) <= 0.1)
            #expect(try number("Peak:") <= -1)
        }
    }
}
