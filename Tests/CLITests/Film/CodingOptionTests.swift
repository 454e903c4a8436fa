import Foundation
import Glibc
import Media
import TestSupport
import Testing

@testable import vcap

@Suite(
    "How a film is coded", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct CodingOptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-f", "lavfi", "-i",
            "sine=440:d=4:r=48000", "-c:v", "libx264", "-crf", "10", "-c:a", "aac", "clip.mp4")
    }

    @discardableResult
    private func ffmpeg(_ words: String...) throws -> String {
        let tool = try #require(Program.tool("ffmpeg"))
        let made = try tool.run(["-v", "info", "-y"] + words, in: folder.path)
        try #require(made.status == 0, "\(made.errorText)")
        return made.errorText
    }

    private func compose(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(
            ["compose", "clip.mp4", "-y"] + words, environment: ["HOME": folder.path],
            in: folder.path)
    }

    private func probe(_ name: String, _ entries: String, _ words: String...) throws -> [String] {
        let read = try #require(Program.tool("ffprobe")).run(
            ["-v", "error", "-of", "csv=p=0", "-show_entries", entries] + words
                + [folder.file(name)])
        #expect(read.status == 0, "\(read.errorText)")
        return read.outputText.split(separator: "\n").map(String.init)
    }

    /// Against the clip (dB).
    private func likeness(_ name: String) throws -> Double {
        let said = try ffmpeg(
            "-i", name, "-i", "clip.mp4", "-lavfi",
            "[0:v]format=yuv420p[a];[1:v]format=yuv420p[b];[a][b]psnr", "-f", "null", "-")
        let average = try #require(said.range(of: "average:"))
        let number = said[average.upperBound...].prefix { !$0.isWhitespace }
        return number == "inf" ? .infinity : Double(number) ?? 0
    }

    @Test(
        "each codec is what others find in the file, with every frame of the film",
        arguments: [
            ("h.mp4", ["--codec", "hevc", "--audio-codec", "opus"], ["hevc", "opus"]),
            ("p.mov", ["--codec", "prores", "--audio-codec", "pcm"], ["prores", "pcm_s16le"]),
            ("f.mkv", ["--codec", "ffv1", "--audio-codec", "flac"], ["ffv1", "flac"]),
            ("m.mov", ["--codec", "mjpeg", "--audio-codec", "alac"], ["mjpeg", "alac"]),
            ("x.mkv", ["--codec", "h264", "--audio-codec", "mp3"], ["h264", "mp3"]),
            ("a.mp4", ["--codec", "av1"], ["av1", "aac"]),
            ("a.mkv", ["--codec", "av1", "--encoder-preset", "fast"], ["av1", "aac"]),
            ("v.mp4", ["--codec", "vp9", "--audio-codec", "opus"], ["vp9", "opus"]),
            ("v.webm", [], ["vp9", "opus"]),
            ("a.webm", ["--codec", "av1", "--crf", "25"], ["av1", "opus"]),
        ])
    func codecs(_ name: String, _ words: [String], _ wanted: [String]) throws {
        let made = try compose(words + ["-o", name])
        #expect(made.status == 0 && !made.errorText.contains("warning"), "\(made.errorText)")
        #expect(try probe(name, "stream=codec_name") == wanted)
        let count = try probe(
            name, "stream=nb_read_frames", "-count_frames", "-select_streams", "v")
        #expect(count == ["100"])
        let likeness = try likeness(name)
        #expect(wanted[0] == "ffv1" ? likeness > 100 : likeness > 30, "\(likeness)")
        #expect(try probe(name, "format=duration").first.flatMap(Double.init) ?? 0 > 3.99)
    }

    @Test("bit rates, quality, presets and sync samples are as asked for")
    func amounts() throws {
        #expect(
            try compose(["-b", "400k", "--audio-bitrate", "64k", "-g", "10", "-o", "b.mp4"]).status
                == 0)
        let rates = try probe("b.mp4", "stream=bit_rate").compactMap(Double.init)
        try #require(rates.count == 2)
        #expect(abs(rates[0] / 400_000 - 1) < 0.25 && abs(rates[1] / 64_000 - 1) < 0.25, "\(rates)")
        let flags = try probe("b.mp4", "packet=pts,flags", "-select_streams", "v")
        let keys = flags.filter { $0.contains("K") }.compactMap { Int($0.prefix { $0 != "," }) }
        #expect(keys.count == 10 && flags.count == 100)
        let step = (keys.last ?? 0) / 9
        #expect(keys == (0..<10).map { $0 * step }, "\(keys)")

        var sizes: [Int] = []
        for words in [
            ["--crf", "16"], ["--crf", "38"], ["--crf", "38", "--encoder-preset", "slow"],
        ] {
            #expect(try compose(words + ["--audio-bitrate", "32k", "-o", "q.mp4"]).status == 0)
            sizes.append(
                try FileManager.default.attributesOfItem(atPath: folder.file("q.mp4"))[.size]
                    as? Int ?? 0)
        }
        #expect(sizes[0] > sizes[1] * 2 && sizes[1] != sizes[2], "\(sizes)")
    }

    @Test("a plan says how it would be coded, and another coding is another film")
    func plan() throws {
        func digest(_ words: [String]) throws -> String {
            let plan = try compose(
                ["--plan", "--json", "--copy", "never", "-o", "film.mp4"] + words)
            #expect(plan.status == 0, "\(plan.errorText)")
            let document = try JSONSerialization.jsonObject(with: Data(plan.output))
            let facts = try #require(document as? [String: Any])
            #expect(facts["video_codec"] as? String == (words.contains("hevc") ? "hevc" : "h264"))
            #expect(facts["audio_codec"] as? String == "aac")
            return try #require(facts["digest"] as? String)
        }
        let digests = try [
            [], ["--crf", "18"], ["--crf", "19"], ["--codec", "hevc"], ["-g", "1s"],
        ]
        .map(digest)
        // 18 is what the preset says
        #expect(digests[0] == digests[1] && Set(digests).count == 4)
        let text = try compose(["--plan", "-b", "1M", "-o", "film.mp4"]).outputText
        #expect(text.contains("coding    h264 1000 kbit/s veryfast, aac 256 kbit/s"), "\(text)")
        let other = try compose(["--plan", "--codec", "hevc", "-o", "film.mp4"]).outputText
        #expect(other.contains("preset    highest with --codec hevc\ncoding    hevc CRF 23"))
        let copied = try compose(["--plan", "--codec", "copy", "-o", "film.mp4"]).outputText
        #expect(copied.contains("preset    passthrough") && !copied.contains("coding"), "\(copied)")
    }

    @Test(
        "what cannot be coded is refused in a sentence, and nothing is written",
        arguments: [
            (["-o", "x.mp4", "--codec", "prores"], "cannot hold prores"),
            (["-o", "x.mov", "--audio-codec", "opus"], "cannot hold opus"),
            (["-o", "x.mp4", "--crf", "20", "-b", "1M"], "exclude each other"),
            (["-o", "x.mp4", "--preset", "passthrough", "--crf", "20"], "nothing to encode"),
            (["-o", "x.mp4", "--codec", "copy", "--preset", "720p"], "give one of the two"),
            (["-o", "x.mp4", "--codec", "copy", "--crf", "20"], "nothing to encode"),
            (["-o", "x.mkv", "--codec", "ffv1", "-g", "5"], "is a sync sample"),
            (["-o", "x.mkv", "--codec", "ffv1", "--crf", "5"], "keeps every frame exactly"),
            (
                ["-o", "x.mkv", "--audio-codec", "flac", "--audio-bitrate", "64k"],
                "keeps every sample"
            ),
            (["-o", "x.mov", "--codec", "mjpeg", "--crf", "45"], "has 1 to 31"),
            (["-o", "x.mp4", "--crf", "55"], "has 0 to 51"),
            (["-o", "x.mp4", "--codec", "av1", "--crf", "0"], "has 1 to 63"),
            (["-o", "x.mov", "--codec", "av1"], "cannot hold av1"),
            (["-o", "x.webm", "--codec", "h264"], "it holds av1, vp9"),
            (["-o", "x.mp4", "--encoder-profile", "main10"], "which has baseline, main, high"),
            (["-o", "x.webm", "--encoder-profile", "main"], "none of vp9: leave it out"),
            (["-o", "x.mp4", "--codec", "vp9", "--encoder-level", "4"], "none of vp9"),
            (["-o", "x.mp4", "--encoder-level", "1"], "does not hold 320x180"),
            (["-o", "x.mp4", "--encoder-level", "1", "--plan"], "does not hold 320x180"),
            (["-o", "x.mp4", "--encoder-level", "2", "-b", "8M"], "does not hold 8000 kbit/s"),
            (["-o", "x.mp4", "--encoder-level", "9"], "which has 1, 1.1"),
            (["-o", "x.mp4", "--codec", "av1", "-s", "32x32", "--plan"], "64x64 and more"),
            (["-o", "x.webm", "--network-ready", "--plan"], "leave network-ready out"),
            (["-o", "x.mp4", "--passes", "2"], "none is given: give --bitrate"),
            (["-o", "x.mp4", "--passes", "2", "--codec", "av1", "-b", "1M"], "not av1"),
            (["-o", "x.mp4", "--passes", "2", "--preset", "passthrough"], "nothing to encode"),
            (["-o", "x.gif", "--crf", "20"], "is an animation: leave it out"),
            (["-o", "x.gif", "--loudness", "-16"], "is an animation: leave it out"),
            (["-o", "x.gif", "--preset", "audio"], "leave the preset audio out"),
            (["-o", "x.mov", "--codec", "mjpeg", "--encoder-preset", "slow"], "has no presets"),
            (["-o", "x.mp4", "--audio-bitrate", "1M"], "outside 6,000 to 512,000"),
            (["-o", "x.vcap.json5", "--codec", "hevc"], "is a project"),
        ])
    func refused(_ words: [String], _ sentence: String) throws {
        let result = try compose(words)
        #expect(result.status == ExitCode.usage.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(there == ["clip.mp4"])
    }

    /// Bytes of a second of the film's frames, each.
    private func seconds(_ name: String) throws -> [Int] {
        var bytes = [0, 0, 0, 0]
        for line in try probe(name, "packet=pts_time,size", "-select_streams", "v") {
            let parts = line.split(separator: ",").compactMap { Double($0) }
            try #require(parts.count >= 2)
            bytes[min(3, Int(parts[0] + 1e-6))] += Int(parts[1])
        }
        return bytes
    }

    @Test(
        "two passes spend the bit rate where it is needed, and leave nothing behind",
        arguments: [
            ("t.mp4", ["--codec", "h264"]), ("t.mkv", ["--codec", "hevc"]),
            ("t.webm", ["--codec", "vp9"]),
        ])
    func passes(_ name: String, _ codec: [String]) throws {
        // two seconds of grey, two of noise
        try ffmpeg(
            "-f", "lavfi", "-i", "color=gray:s=320x180:r=25:d=2", "-f", "lavfi", "-i",
            "testsrc2=s=320x180:r=25:d=2,noise=alls=40:allf=t", "-lavfi", "[0:v][1:v]concat",
            "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "8", "clip.mp4")
        let scratch = folder.file("scratch")
        try FileManager.default.createDirectory(
            atPath: scratch, withIntermediateDirectories: false)
        var hard: [Int] = []
        for passes in ["1", "2"] {
            let made = try Program.vcap.run(
                ["compose", "clip.mp4", "-y", "-b", "600k", "--passes", passes, "-o", name] + codec,
                environment: ["HOME": folder.path, "TMPDIR": scratch], in: folder.path)
            #expect(made.status == 0, "\(made.errorText)")
            let bytes = try seconds(name)
            let total = bytes.reduce(0, +)
            hard.append(bytes[2] + bytes[3])
            if passes == "2" {
                #expect(abs(Double(total) * 8 / 4 / 600_000 - 1) < 0.3, "\(total)")
            }
            #expect(
                try probe(name, "stream=nb_read_frames", "-count_frames", "-select_streams", "v")
                    == ["100"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
        }
        // one pass keeps below the rate all along
        #expect(hard[1] * 10 > hard[0] * 11, "\(hard)")
    }

    /// Starts a film of two passes that takes a while, and waits until it looks at frames.
    private func startPasses(_ words: String...) throws -> RunningProgram {
        unlink(folder.file("p.txt"))
        let running = try Program.vcap.start(
            [
                "compose", "clip.mp4", "clip.mp4", "-s", "1280x720", "-b", "4M", "--passes", "2",
                "-y", "--progress", "p.txt",
            ] + words, environment: ["HOME": folder.path, "TMPDIR": folder.path], in: folder.path)
        waitUntil {
            let report = try? String(contentsOfFile: folder.file("p.txt"), encoding: .utf8)
            return report?.contains("frame=") ?? false
        }
        return running
    }

    @Test("a clip that is changed during the first pass is named, and no film is made of two")
    func passesChanged() throws {
        try ffmpeg("-i", "clip.mp4", "-vf", "negate", "-c:a", "copy", "other.mp4")
        let running = try startPasses("-o", "long.mp4", "--encoder-preset", "slow")
        try #require(rename(folder.file("other.mp4"), folder.file("clip.mp4")) == 0)
        let ended = running.wait()
        #expect(ended.status == ExitCode.badData.rawValue, "\(ended.errorText)")
        #expect(ended.errorText.contains("clip.mp4 was changed while the film was made"))
        #expect(folder.contents.sorted() == ["clip.mp4", "p.txt"])
    }

    @Test("what a killed film of two passes left goes with the next one, and no other's does")
    func passesKilled() throws {
        let running = try startPasses("-o", "long.mp4")
        running.signal(SIGKILL)
        _ = running.wait()
        let left = folder.contents.filter { $0.hasPrefix("vcap-passes-") }
        try #require(left.count == 1)
        // what is young may be somebody's who has no lock yet
        let long = Date(timeIntervalSinceNow: -120)
        try FileManager.default.setAttributes(
            [.modificationDate: long], ofItemAtPath: folder.file(left[0]))
        let other = try startPasses("-o", "other.mp4")
        defer { _ = other.wait() }
        let theirs = folder.contents.filter { $0.hasPrefix("vcap-passes-") }
        #expect(theirs.count == 1 && theirs != left, "\(theirs)")
        try FileManager.default.setAttributes(
            [.modificationDate: long], ofItemAtPath: folder.file(theirs[0]))
        let third = try Program.vcap.run(
            ["compose", "clip.mp4", "-b", "1M", "--passes", "2", "-o", "third.mp4"],
            environment: ["HOME": folder.path, "TMPDIR": folder.path], in: folder.path)
        #expect(third.status == 0, "\(third.errorText)")
        #expect(!other.isRunning || folder.contents.contains(theirs[0]))
    }

    @Test(
        "a cancelled film of each codec is resumed, with every frame, where it is said to be",
        arguments: [("r.mp4", "vp9"), ("r.mov", "prores"), ("r.mp4", "av1"), ("r.mkv", "h264")])
    func resumed(_ name: String, _ codec: String) throws {
        let words =
            ["compose", "clip.mp4", "clip.mp4", "--codec", codec, "-s", "640x360", "-o", name]
            + (codec == "prores" ? [] : ["-g", "10"])
        let running = try Program.vcap.start(
            words + ["--progress", "p.txt"], environment: ["HOME": folder.path], in: folder.path)
        waitUntil {
            let report = (try? String(contentsOfFile: folder.file("p.txt"), encoding: .utf8)) ?? ""
            let frames = report.split(separator: "\n").last { $0.hasPrefix("frame=") }
            return frames.flatMap { Int($0.dropFirst(6)) } ?? 0 >= 90
        }
        running.signal(SIGINT)
        let ended = running.wait()
        try #require(ended.status == ExitCode.failedRunning.rawValue, "\(ended.errorText)")
        let isKept = ended.errorText.contains("continues from where it was")
        #expect(isKept == !name.hasSuffix("mkv"), "\(ended.errorText)")
        #expect(folder.contents.contains { $0.hasPrefix(".r.vcap-part") } == isKept)
        let made = try Program.vcap.run(
            words, environment: ["HOME": folder.path], in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
        #expect(made.errorText.contains("continued from an earlier export") == isKept)
        #expect(
            try probe(name, "stream=nb_read_frames", "-count_frames", "-select_streams", "v")
                == ["200"])
        let said = try ffmpeg(
            "-i", name, "-stream_loop", "1", "-i", "clip.mp4", "-lavfi",
            "[0:v]format=yuv420p,scale=320:180[a];[1:v]format=yuv420p[b];[a][b]psnr=stats_file=psnr.txt",
            "-f", "null", "-")
        #expect(said.contains("average:"))
        let lines = try String(contentsOfFile: folder.file("psnr.txt"), encoding: .utf8)
            .split(separator: "\n")
        let least = lines.compactMap { line -> Double? in
            guard let place = line.range(of: "psnr_avg:") else { return nil }
            return Double(line[place.upperBound...].prefix { $0 != " " })
        }.min()
        #expect(lines.count == 200 && least ?? 0 > 25, "\(least ?? 0)")
    }

    @Test("VP9 of WebM keeps its ten bits in a film, and is copied into mp4")
    func tenBits() throws {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=1", "-pix_fmt", "yuv420p10le", "-c:v",
            "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "clip.webm")
        func make(_ words: String...) throws -> Program.Result {
            try Program.vcap.run(
                ["compose", "clip.webm", "-y"] + words, environment: ["HOME": folder.path],
                in: folder.path)
        }
        #expect(try make("--codec", "vp9", "-o", "ten.mkv").status == 0)
        #expect(try probe("ten.mkv", "stream=pix_fmt") == ["yuv420p10le"])
        #expect(try make("--codec", "copy", "-o", "ten.mp4").status == 0)
        #expect(
            try probe("ten.mp4", "stream=pix_fmt,nb_read_frames", "-count_frames")
                == ["yuv420p10le,25"])
        let low = try make("--codec", "hevc", "--encoder-profile", "main", "-o", "low.mp4")
        #expect(low.errorText.contains("its 10 bits are brought to 8"), "\(low.errorText)")
        let plan = try make("--codec", "copy", "--plan", "-o", "ten.mov")
        #expect(plan.status != 0 && plan.errorText.contains("cannot hold vp9"), "\(plan.errorText)")
    }

    @Test("a film that is ended in its first pass leaves nothing, and progress counts both passes")
    func passesEnded() throws {
        let running = try Program.vcap.start(
            [
                "compose", "clip.mp4", "clip.mp4", "clip.mp4", "-s", "1920x1080", "-b", "4M",
                "--passes", "2", "--encoder-preset", "slow", "-o", "long.mp4", "--progress",
                "p.txt",
            ], environment: ["HOME": folder.path, "TMPDIR": folder.path], in: folder.path)
        waitUntil {
            let report = try? String(contentsOfFile: folder.file("p.txt"), encoding: .utf8)
            return report?.contains("frame=") ?? false
        }
        running.signal(SIGINT)
        let ended = running.wait()
        #expect(ended.status == ExitCode.failedRunning.rawValue, "\(ended.errorText)")
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(there == ["clip.mp4", "p.txt"])
    }

    @Test("a GIF has the film's frames, and says that its audio is left out")
    func animation() throws {
        let made = try compose(["--title", "Hello", "-r", "10", "-s", "160x90", "-o", "f.gif"])
        #expect(made.status == 0, "\(made.errorText)")
        #expect(made.errorText.contains("The audio of the film is left out"), "\(made.errorText)")
        let plan = try compose(["--plan", "-r", "10", "-s", "160x90", "-o", "f.gif"]).outputText
        #expect(plan.contains("coding    gif") && !plan.contains("audio "), "\(plan)")
        #expect(
            try probe("f.gif", "stream=codec_name,width,height,nb_read_frames", "-count_frames")
                == ["gif,160,90,40"])
        let length = try probe("f.gif", "format=duration").first.flatMap(Double.init) ?? 0
        #expect(abs(length - 4) < 0.02, "\(length)")
    }

    /// Writes the configuration.
    private func configure(_ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.file(".config/vcap"), withIntermediateDirectories: true)
        try text.write(
            toFile: folder.file(".config/vcap/config.json5"), atomically: true, encoding: .utf8)
    }

    @Test("a preset of one's own codes as it says, and gives way to what is typed")
    func ownPreset() throws {
        try configure(
            """
            { presets: { web: { preset: "540p", codec: "vp9", crf: 40, "audio-codec": "opus" },
              raw: { codec: "copy" }, wrong: { codec: "mjpeg", crf: 45 } } }
            """)
        func plan(_ words: String...) throws -> String {
            let result = try compose(["--plan"] + words)
            return result.status == 0 ? result.outputText : "\(result.status) \(result.errorText)"
        }
        let web = try plan("--preset", "web", "-o", "x.mp4")
        #expect(
            web.contains("preset    web\ncoding    vp9 CRF 40 veryfast, opus 192 kbit/s"), "\(web)")
        let rate = try plan("--preset", "web", "-b", "1M", "-o", "x.webm")
        #expect(rate.contains("coding    vp9 1000 kbit/s veryfast, opus"), "\(rate)")
        let codec = try plan("--preset", "web", "--codec", "hevc", "-o", "x.mp4")
        #expect(codec.contains("coding    hevc CRF 23 veryfast, opus"), "\(codec)")
        #expect(try plan("--preset", "raw", "-o", "x.mp4").contains("preset    passthrough"))
        let wrong = try plan("--preset", "wrong", "-o", "x.mov")
        #expect(wrong.hasPrefix("64") && wrong.contains("--crf 45 is none of mjpeg"), "\(wrong)")
        let unknown = try plan("--preset", "wep", "-o", "x.mp4")
        #expect(unknown.hasPrefix("64") && unknown.contains("did you mean web?"), "\(unknown)")
        let project = try plan("--preset", "web", "-o", "x.vcap.json5")
        #expect(
            project.hasPrefix("64") && project.contains("--preset is for a movie"), "\(project)")
        // two passes that are configured are no reason to refuse what has none
        try configure("{ compose: { passes: 2, bitrate: \"1M\", codec: \"h264\" } }")
        #expect(try compose(["-r", "5", "-s", "64x36", "-o", "own.gif"]).status == 0)
        #expect(try compose(["--codec", "av1", "--crf", "50", "-o", "own.mp4"]).status == 0)
        try configure("{ compose: { codec: \"av1\", crf: 0 } }")
        #expect(try plan("-o", "x.mp4").contains("--crf 0 is none of av1"))
        #expect(try plan("--codec", "vp9", "-o", "x.mp4").contains("vp9 CRF 31"))
        try configure(
            "{ presets: { web: { preset: \"540p\", codec: \"vp9\", crf: 40, \"audio-codec\": \"opus\" } } }"
        )
        #expect(try compose(["--preset", "web", "-o", "own.webm"]).status == 0)
        #expect(try probe("own.webm", "stream=codec_name") == ["vp9", "opus"])
    }

    @Test(
        "a configured preset that cannot be is refused with its key",
        arguments: [
            ("{ presets: { highest: {} } }", "has the name of a preset of vcap's"),
            ("{ presets: { \"a b\": {} } }", "is no name"),
            ("{ presets: { web: { crf: 99 } } }", "presets.web.crf takes"),
            ("{ presets: { web: { title: \"x\" } } }", "unknown key presets.web.title"),
            ("{ presets: { web: { preset: \"other\" } } }", "presets.web.preset takes one of"),
            ("{ presets: [] }", "must be an object of presets"),
        ])
    func wrongPreset(_ text: String, _ sentence: String) throws {
        try configure(text)
        let result = try compose(["-o", "x.mp4"])
        #expect(result.status == ExitCode.configuration.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
    }

    @Test("what does nothing is said, and a value of the configuration is no reason to refuse")
    func idle() throws {
        let audio = try compose(["-o", "x.m4a", "--preset", "audio", "--codec", "hevc"])
        #expect(audio.status == 0 && audio.errorText.contains("--codec does nothing"))
        let still = try compose(["--still", "1s", "-o", "x.png", "--crf", "30"])
        #expect(still.status == 0 && still.errorText.contains("--crf does nothing"))
        try configure("{ compose: { codec: \"hevc\", crf: 40 } }")
        #expect(try compose(["-o", "c.mp4"]).status == 0)
        #expect(try probe("c.mp4", "stream=codec_name", "-select_streams", "v") == ["hevc"])
        // what is typed wins over what is configured and does not go with it
        for (name, words, codec) in [
            ("e.mkv", ["--codec", "ffv1"], "ffv1"), ("f.mp4", ["-b", "300k"], "hevc"),
            ("g.mov", ["--codec", "mjpeg"], "mjpeg"),
        ] {
            let made = try compose(words + ["-o", name])
            #expect(made.status == 0, "\(made.errorText)")
            #expect(try probe(name, "stream=codec_name", "-select_streams", "v") == [codec])
        }
        let copied = try compose(["-o", "d.mp4", "--preset", "passthrough"])
        #expect(copied.status == 0, "\(copied.errorText)")
        #expect(try probe("d.mp4", "stream=codec_name", "-select_streams", "v") == ["h264"])
    }
}
