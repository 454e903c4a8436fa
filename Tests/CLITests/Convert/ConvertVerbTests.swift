import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite(
    "Converting with the program", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ConvertVerbTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func convert(_ words: String...) throws -> Program.Result {
        let result = try run(["convert"] + words)
        #expect(result.status == 0, "\(result.errorText)")
        return result
    }

    private func oracle(_ name: String) -> MovieOracle { MovieOracle(folder.file(name)) }

    /// Pictures at uneven times, predicted from pictures behind them, with sound.
    private func clip(_ name: String, options: [String] = []) throws -> GeneratedClip {
        var clip = GeneratedClip()
        clip.frames = 24
        clip.filter = "settb=1/90000,setpts='N*3000+if(gt(mod(N,5),2),700,0)'"
        clip.coding = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "12", "-bf", "2"]
        clip.options = ["-c:a", "aac", "-enc_time_base", "1/90000"] + options
        try clip.write(to: folder.file(name))
        return clip
    }

    /// Whether two movies show the same pictures at the same times (one tick of the coarser apart).
    private func expectSameFrames(
        _ one: String, _ other: String, tick: Double, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let (a, b) = (oracle(one), oracle(other))
        #expect(try a.frameNumbers() == b.frameNumbers(), sourceLocation: place)
        let (first, second) = (try a.presentationTimes(), try b.presentationTimes())
        #expect(first.count == second.count, sourceLocation: place)
        let base = (first.first ?? 0, second.first ?? 0)
        for (x, y) in zip(first, second) {
            #expect(abs((x - base.0) - (y - base.1)) <= tick, sourceLocation: place)
        }
    }

    @Test("what an option has nothing to act on for this input or output is said")
    func idle() throws {
        _ = try clip("in.mp4")
        #expect(try run(["compose", "in.mp4", "--still", "0s", "-o", "p.png"]).status == 0)
        for (words, option, why) in [
            (["in.mp4", "-o", "a.mp4", "--loops", "2"], "loops", "in.mp4 is no animation"),
            (["in.mp4", "-o", "b.mp4", "--min-delay", "1s"], "min-delay", "is no animation"),
            (["in.mp4", "-o", "c.mp4", "--gaps", "hold"], "gaps", "no sequence"),
            (["in.mp4", "-o", "d.mp4", "--background", "red"], "background", "opaque"),
            (["in.mp4", "-o", "e.m4a", "-s", "64x48"], "size", "e.m4a holds audio only"),
            (["p.png", "-o", "f.png", "--fps", "3"], "fps", "f.png is one picture"),
            (["in.mp4", "-o", "g.mkv", "--codec", "ffv1", "-g", "2s"], "gop", "every frame"),
            (
                ["f.png", "-o", "h.mp4", "-t", "1s", "--audio-codec", "aac"], "audio-codec",
                "no audio"
            ),
            (["in.mp4", "-o", "j.mp3", "-b", "128k"], "bitrate", "j.mp3 holds audio only"),
            (["j.mp3", "-o", "k.mp4", "--crf", "20"], "crf", "j.mp3 has no video"),
            (
                ["in.mp4", "-o", "l.mp4", "--progress-format", "ndjson"], "progress-format",
                "no --progress"
            ),
            (
                ["in.mp4", "-o", "m.mp4", "--plan", "--progress", "p.txt"], "progress",
                "--plan says"
            ),
        ] {
            let result = try run(["convert"] + words)
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.errorText.contains("--\(option) does nothing"), "\(result.errorText)")
            #expect(result.errorText.contains(why), "\(result.errorText)")
        }
        let asked = try convert("in.mp4", "-o", "i.mp4", "-s", "64x64", "--background", "red")
        #expect(!asked.errorText.contains("does nothing"), "\(asked.errorText)")
    }

    @Test("a distance of sync samples is kept: what is copied has its own, so it is encoded")
    func keyFrames() throws {
        _ = try clip("in.mp4")
        let made = try convert("in.mp4", "-o", "g.mp4", "-g", "200ms")
        #expect(made.errorText.contains("h264 encoded"), "\(made.errorText)")
        let probe = try #require(Program.tool("ffprobe"))
        let flags = try probe.run([
            "-v", "error", "-select_streams", "v", "-show_entries", "packet=flags", "-of",
            "csv=p=0",
            folder.file("g.mp4"),
        ]).outputText
        #expect(flags.components(separatedBy: "K").count > 4, "\(flags)")
        for words in [
            ["in.mp4", "-o", "c.mp4", "-g", "1s", "--codec", "copy"],
            ["in.mp4", "-o", "x.gif", "-g", "1s"],
        ] {
            let refused = try run(["convert"] + words)
            #expect(refused.status == ExitCode.usage.rawValue, "\(words): \(refused.errorText)")
            #expect(refused.errorText.contains("sync samples"), "\(refused.errorText)")
        }
    }

    @Test("a movie is copied sample by sample into another container, its times with it")
    func copied() throws {
        _ = try clip("in.mp4")
        for (output, tick) in [("out.mov", 1e-6), ("out.mkv", 1.1e-3), ("out.ts", 2e-5)] {
            let result = try convert("in.mp4", "-o", output)
            #expect(result.errorText.contains("h264 copied, aac copied"), "\(result.errorText)")
            try expectSameFrames("in.mp4", output, tick: tick)
        }
        let sound = try oracle("in.mp4").sound()
        #expect(try oracle("out.mov").sound() == sound)
        // and back out of a container whose stamps are whole milliseconds
        _ = try convert("out.mkv", "-o", "back.mp4")
        try expectSameFrames("in.mp4", "back.mp4", tick: 1.1e-3)
        let times = try oracle("back.mp4").presentationTimes(stream: "a:0")
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { abs($0 - 1024.0 / 48_000) < 1e-6 }, "\(steps)")
    }

    @Test("pictures predicted from later ones have their true rate and length, copied or encoded")
    func rateAndLength() throws {
        var clip = GeneratedClip()
        clip.frames = 24
        clip.tone = nil
        clip.coding = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "2"]
        try clip.write(to: folder.file("in.mp4"))
        _ = try convert("in.mp4", "-o", "encoded.mp4", "--crf", "20")
        func reported(_ name: String, _ entry: String) throws -> String {
            try #require(Program.tool("ffprobe")).run([
                "-v", "error", "-select_streams", "v", "-show_entries", entry, "-of", "csv=p=0",
                folder.file(name),
            ]).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(try reported("encoded.mp4", "stream=avg_frame_rate,duration") == "30/1,0.800000")
        _ = try convert("encoded.mp4", "-o", "copied.mkv")
        #expect(try reported("copied.mkv", "format=duration") == "0.800000")
        _ = try self.clip("uneven.mp4", options: ["-an"])
        _ = try convert("uneven.mp4", "-o", "uneven-encoded.mp4", "--crf", "20")
        let length = try oracle("uneven.mp4").duration()
        let encoded = try oracle("uneven-encoded.mp4").duration()
        #expect(abs(encoded - length) < 1.1e-3, "\(encoded) of \(length)")
        _ = try convert("uneven-encoded.mp4", "-o", "uneven.mkv")
        let found = try #require(Double(try reported("uneven.mkv", "format=duration")))
        #expect(abs(found - length) < 1.1e-3, "\(found) of \(length)")
    }

    @Test("a part is copied to the picture and the sample by an edit list")
    func partCopied() throws {
        _ = try clip("in.mp4")
        let result = try convert("in.mp4", "-o", "part.mp4", "--range", "200ms..600ms")
        #expect(result.errorText.contains("h264 copied"))
        let numbers = try oracle("part.mp4").frameNumbers()
        #expect(numbers == Array(6...17), "\(numbers)")
        #expect(abs(try oracle("part.mp4").duration() - 0.4) < 0.001)
    }

    @Test("encoded pictures keep their uneven times, and the sound beside them is copied")
    func unevenTimes() throws {
        _ = try clip("in.mp4")
        let result = try convert("in.mp4", "-o", "small.mp4", "-s", "96x54")
        #expect(result.errorText.contains("h264 encoded, aac copied"), "\(result.errorText)")
        let (source, small) = (oracle("in.mp4"), oracle("small.mp4"))
        let times = try source.presentationTimes()
        for (a, b) in zip(times, try small.presentationTimes()) { #expect(abs(a - b) < 2e-5) }
        #expect(try small.presentationTimes().count == times.count)
        #expect(try small.sound() == source.sound())
    }

    @Test(
        "on a grid each picture of uneven ones is that on show in its middle, or half an average one on"
    )
    func grid() throws {
        _ = try clip("in.mp4")
        _ = try convert("in.mp4", "-o", "grid.mp4", "-r", "15", "--crf", "8")
        let times = try oracle("in.mp4").presentationTimes()
        let average = (times[times.count - 1] - times[0]) / Double(times.count - 1)
        let ahead = min(average, 1.0 / 15) / 2
        let shown = (0..<12).map { picture in
            (times.lastIndex { $0 <= Double(picture) / 15 + ahead } ?? 0)
        }
        #expect(Set(shown).count > 6)
        #expect(try oracle("grid.mp4").frameNumbers() == shown)
        #expect(
            try oracle("grid.mp4").presentationTimes()
                .enumerated().allSatisfy { abs($1 - Double($0) / 15) < 2e-5 })
    }

    @Test("an animation keeps every delay, the last one too")
    func animation() throws {
        try Self.write(
            PlainGIF.bytes(delays: [7, 3, 50, 13], width: 33, height: 20),
            to: folder.file("loop.gif"))
        _ = try convert("loop.gif", "-o", "clip.mp4")
        let times = try oracle("clip.mp4").presentationTimes()
        #expect(times.map { ($0 * 100).rounded() / 100 } == [0, 0.07, 0.1, 0.6])
        #expect(try oracle("clip.mp4").frameLength() == MediaTime(value: 73, timescale: 100))
    }

    @Test("an animation that is written several times is then shown once")
    func repeated() throws {
        try Self.write(
            PlainGIF.bytes(delays: [7, 3, 50, 13], width: 34, height: 20),
            to: folder.file("loop.gif"))
        _ = try convert("loop.gif", "-o", "twice.gif", "--loops", "2")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("twice.gif")))
        // the extension that makes players repeat it
        #expect(bytes.range(of: Data("NETSCAPE2.0".utf8)) == nil)
        #expect(try oracle("twice.gif").presentationTimes().count == 8)
    }

    @Test("transparency is kept where it is asked for and can be, and refused in words elsewhere")
    func transparency() throws {
        try Self.write(
            PlainGIF.bytes(delays: [7, 3], width: 33, height: 21, isHalfClear: true),
            to: folder.file("loop.gif"))
        for (output, codec) in [("a.mov", "prores"), ("a.mkv", "ffv1")] {
            let result = try convert("loop.gif", "-o", output, "--background", "none")
            #expect(result.errorText.contains("\(codec) encoded"))
        }
        let probe = try run(["probe", "a.mov"]).outputText
        #expect(probe.contains("prores") && probe.contains("33x21") && probe.contains("alpha"))
        let plan = try convert("loop.gif", "-o", "b.mov", "--codec", "prores", "--plan").outputText
        #expect(plan.contains("encode prores, transparency kept"))
        let plain = try convert(
            "loop.gif", "-o", "b.mov", "--codec", "prores", "--background", "white", "--plan")
        #expect(!plain.outputText.contains("kept"))
        let refused = try run(["convert", "loop.gif", "-o", "a.mp4", "--background", "none"])
        #expect(refused.status == 64 && refused.errorText.contains("write .mov (ProRes 4444)"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("a.mp4")))
    }

    @Test(
        "an animation is shown as often as is asked for, its short delays as long as is asked for")
    func loops() throws {
        try Self.write(PlainGIF.bytes(delays: [7, 1, 50]), to: folder.file("loop.gif"))
        _ = try convert("loop.gif", "-o", "clip.mp4", "--loops", "2", "--min-delay", "20ms")
        let times = try oracle("clip.mp4").presentationTimes()
        #expect(times.map { ($0 * 100).rounded() } == [0, 7, 9, 59, 66, 68])
        #expect(try oracle("clip.mp4").duration() == 1.18)
    }

    @Test("a still picture shows for as long as is said, and its length must be given")
    func still() throws {
        try Self.write(
            PlainGIF.bytes(delays: [0], width: 64, height: 36), to: folder.file("one.gif"))
        _ = try convert("one.gif", "-t", "400ms", "-o", "clip.mp4")
        #expect(try oracle("clip.mp4").presentationTimes().count == 12)
        let refused = try run(["convert", "one.gif", "-o", "other.mp4"])
        #expect(refused.status == 64 && refused.errorText.contains("how long"))
    }

    @Test("audio only, pictures alone, and another codec for one of them")
    func tracks() throws {
        _ = try clip("in.mp4")
        _ = try convert("in.mp4", "-o", "sound.m4a", "--no-video")
        #expect(try oracle("sound.m4a").sound() == oracle("in.mp4").sound())
        #expect(try oracle("sound.m4a").presentationTimes().isEmpty)
        _ = try convert("in.mp4", "-o", "silent.mp4", "--no-audio")
        #expect(try oracle("silent.mp4").presentationTimes(stream: "a:0").isEmpty)
        let result = try convert("in.mp4", "-o", "plain.mov", "--audio-codec", "pcm")
        #expect(result.errorText.contains("h264 copied, pcm_s16le encoded"))
        try expectSameFrames("in.mp4", "plain.mov", tick: 1e-6)
        let (pcm, aac) = (try oracle("plain.mov").sound(), try oracle("in.mp4").sound())
        // the tool decodes whole packets of AAC
        #expect(abs(pcm.count - aac.count) <= 1024)
        #expect(zip(pcm, aac).allSatisfy { abs($0 - $1) < 1e-3 })
    }

    @Test("the plan says what is copied, what is encoded and why, and writes nothing")
    func plan() throws {
        _ = try clip("in.mp4")
        let plan = try convert("in.mp4", "-o", "out.webm", "--plan", "--no-video").outputText
        #expect(plan.contains("encode opus: aac is not written into .webm"), "\(plan)")
        #expect(folder.contents == ["in.mp4"])
    }

    @Test("one that cannot be converted does not stop the others")
    func several() throws {
        for name in ["a2.mp4", "a10.mp4"] { _ = try clip(name) }
        try Self.write(Array("no movie".utf8), to: folder.file("a3.mp4"))
        let result = try run(["convert", "a*.mp4", "-o", "out/%n.mov"])
        #expect(result.status == 65, "\(result.errorText)")
        #expect(result.outputText == "out/a2.mov\nout/a10.mov\n")
        #expect(result.errorText.contains("2 of 3 converted, 1 failed"))
        // one that is not there, and a plan
        let missing = try run(["convert", "a2.mp4", "a4.mp4", "a10.mp4", "-o", "m/%n.mov"])
        #expect(missing.status == 66 && missing.outputText == "m/a2.mov\nm/a10.mov\n")
        let plan = try run(["convert", "a*.mp4", "-o", "p/%n.mov", "--plan", "--json"])
        #expect(plan.status == 65, "\(plan.errorText)")
        let document = try JSONSerialization.jsonObject(with: Data(plan.output)) as? [String: Any]
        let files = document?["files"] as? [[String: Any]] ?? []
        #expect(files.map { $0["input"] as? String } == ["a2.mp4", "a3.mp4", "a10.mp4"])
        #expect(files.map { $0["exit_code"] as? Int } == [nil, 65, nil])
    }

    @Test(
        "media of a folder that cannot be read are reported, and frames that cannot are no film of audio"
    )
    func unread() throws {
        _ = try clip("in.mp4")
        let tool = try #require(Program.tool("ffmpeg"))
        let made = try tool.run([
            "-v", "error", "-i", folder.file("in.mp4"), "-c:v", "qtrle", "-c:a", "pcm_s16le",
            folder.file("rle.mov"),
        ])
        try #require(made.status == 0, "\(made.errorText)")
        try Self.write(Array("no movie".utf8), to: folder.file("b.wmv"))
        let result = try run(["convert", ".", "-o", "out/%n.mkv"])
        #expect(result.status == 65 && result.outputText == "out/in.mkv\n", "\(result.errorText)")
        #expect(result.errorText.contains("1 file of other kinds (.wmv) left out"))
        #expect(result.errorText.contains("rle.mov"))
        #expect(result.errorText.contains("name a file of audio"))
        _ = try convert("rle.mov", "-o", "rle.wav")
        _ = try convert("in.mp4", "-o", "in.mka")
        #expect(try oracle("in.mka").presentationTimes().isEmpty)
        // without an edit list what the coder puts first is heard, and packets are whole
        let (own, all) = (try oracle("in.mp4").sound(), try oracle("in.mka").sound())
        #expect(abs(own.count - all.count) <= 2048)
        #expect(zip(own, all.dropFirst(1024)).allSatisfy { $0 == $1 })
    }

    @Test("what cannot be done is refused in one sentence, and nothing is left behind")
    func refusals() throws {
        _ = try clip("in.mp4")
        try Self.write([1], to: folder.file("there.mp4"))
        let cases: [(words: [String], code: Int32, says: String)] = [
            (["missing.mp4", "-o", "out.mp4"], 66, "missing.mp4"),
            (["there.mp4", "-o", "out.mp4"], 65, "there.mp4"),
            (["in.mp4"], 64, "-o"),
            (["in.mp4", "-o", "there.mp4"], 73, "exists"),
            (["in.mp4", "-o", "in.mp4", "-y"], 73, "inputs"),
            (["in.mp4", "-o", "out.webm", "--codec", "h264"], 64, "it holds av1, vp9"),
            (["in.mp4", "-o", "out.mp4", "--codec", "av1", "--crf", "0"], 64, "1 to 63"),
            (["in.mp4", "-o", "out.mkv", "--codec", "copy", "--range", "9s.."], 64, "after the"),
            (
                ["in.mp4", "-o", "out.mkv", "--codec", "copy", "--range", "200ms.."], 64,
                "cannot be cut"
            ),
            (["in.mp4", "in.mp4", "-o", "out.mp4"], 64, "%n"),
            (["in.mp4", "-o", "out.mp4", "--crf", "20", "-b", "1M"], 64, "exclude"),
            (
                ["in.mp4", "-o", "out.mkv", "--codec", "mjpeg", "-b", "5M"], 64,
                "mjpeg has no bit rate to choose: give --crf instead"
            ),
            (
                ["in.mp4", "-o", "out.mkv", "--codec", "ffv1", "-b", "5M"], 64,
                "leave --bitrate out"
            ),
            (["in.mp4", "-o", "out.mov", "--codec", "prores", "--crf", "5"], 64, "one quality"),
            (
                ["in.mp4", "-o", "out.mkv", "--codec", "ffv1", "--encoder-preset", "slow"], 64,
                "ffv1 has no presets: leave --encoder-preset out"
            ),
            (
                ["in.mp4", "-o", "out.m4a", "--no-video", "--crf", "20"], 64,
                "--crf has nothing to act on: --no-video leaves the video out"
            ),
            (
                ["in.mp4", "-o", "out.m4a", "--no-video", "--codec", "hevc"], 64,
                "--codec has nothing to act on"
            ),
            (
                ["in.mp4", "-o", "out.mkv", "--no-audio", "--audio-codec", "opus"], 64,
                "--audio-codec has nothing to act on: --no-audio leaves the audio out"
            ),
        ]
        for (words, code, says) in cases {
            let result = try run(["convert"] + words)
            #expect(result.status == code, "\(words): \(result.errorText)")
            #expect(result.errorText.contains(says), "\(words): \(result.errorText)")
        }
        #expect(folder.contents == ["in.mp4", "there.mp4"])
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
