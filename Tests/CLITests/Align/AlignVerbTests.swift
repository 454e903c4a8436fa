import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import vcap

private let ffmpeg = Program.tool("ffmpeg")

@Suite("vcap align", .enabled(if: ffmpeg != nil, "ffmpeg is not installed"), .serialized)
struct AlignVerbTests {
    private let folder: TemporaryFolder
    private static let scene = SoundScene(.speech, seconds: 50, seed: 40)

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func run(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, in: folder.path)
    }

    private func json(_ result: Program.Result) throws -> JSONValue {
        let json = try JSONParser.parse(result.output, as: .json)
        #expect(json["schema"]?.text == "vcap.align/1")
        return json
    }

    private func microphone(_ start: Double) -> Microphone {
        var microphone = Microphone()
        microphone.start = start
        return microphone
    }

    private func wave(_ name: String, _ device: Microphone, of scene: SoundScene? = nil) throws {
        try WaveFile.write(
            [device.recording(of: scene ?? Self.scene)], rate: device.rate, to: folder.file(name))
    }

    /// A movie with what a device hears.
    private func movie(
        _ name: String, _ device: Microphone, audio: [String], picture: String = "testsrc2=r=25"
    ) throws {
        try wave("sound.wav", device)
        let made = try #require(ffmpeg).run(
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", picture + ":s=160x120", "-i",
                "sound.wav", "-shortest", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25",
            ] + audio + [name], in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
        try FileManager.default.removeItem(atPath: folder.file("sound.wav"))
    }

    @Test("with --layout the video of all files is in the project, in one frame and in step")
    func layout() throws {
        let pcm = ["-c:a", "pcm_s16le"]
        try movie("a.mkv", microphone(10), audio: pcm, picture: "color=red:r=25")
        try movie("b.mkv", microphone(13), audio: pcm, picture: "color=blue:r=25")
        let made = try run("align", "a.mkv", "b.mkv", "--layout", "side", "-o", "p.vcap.json5")
        #expect(made.status == 0, "\(made.errorText)")
        let film = try run(
            "export", "p.vcap.json5", "--range", "0s..5s", "--codec", "ffv1", "-o", "film.mkv")
        #expect(film.status == 0, "\(film.errorText)")
        let cut = try #require(ffmpeg).run(
            [
                "-v", "error", "-i", "film.mkv", "-an", "-vf", "crop=80:60:80:30", "-c:v", "ffv1",
                "right.mkv",
            ], in: folder.path)
        #expect(cut.status == 0, "\(cut.errorText)")
        let isBlue = try MovieOracle(folder.file("right.mkv")).middleColors().map { $0.blue > 150 }
        #expect(isBlue.count == 125)
        #expect(abs((isBlue.firstIndex(of: true) ?? 0) - 75) <= 1)
        #expect(isBlue.suffix(48).allSatisfy { $0 })
        let left = try run("align", "a.mkv", "b.mkv", "-o", "plain.vcap.json5")
        #expect(left.status == 0)
        let plain = try String(contentsOfFile: folder.file("plain.vcap.json5"), encoding: .utf8)
        #expect(!plain.contains("overlays"))
        for (words, sentence) in [
            (["--layout", "side"], "--layout is for a project"),
            (["--layout", "side", "-o", "folder/"], "--layout is for a project"),
            (["--layout", "speaker", "-o", "q.vcap.json5"], "take pip, side or grid"),
        ] {
            let refused = try Program.vcap.run(
                ["align", "a.mkv", "b.mkv"] + words, in: folder.path)
            #expect(
                refused.status == 64 && refused.errorText.contains(sentence), "\(refused.errorText)"
            )
        }
    }

    /// Where two files' audio lies to each other as ffmpeg decodes it (seconds), by the highest of all sums of
    /// products within a tenth of a second.
    private func lateness(_ one: String, _ other: String) throws -> Double {
        let decoded = try [one, other].map { name in
            let result = try #require(ffmpeg).run(
                [
                    "-v", "error", "-i", name, "-t", "4", "-ac", "1", "-ar", "8000", "-f", "f32le",
                    "-",
                ],
                in: folder.path)
            #expect(result.status == 0, "\(result.errorText)")
            return result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
        let reach = 800
        func product(_ lag: Int) -> Float {
            (reach..<decoded[0].count - reach).reduce(0) {
                $0 + decoded[0][$1] * ($1 + lag < decoded[1].count ? decoded[1][$1 + lag] : 0)
            }
        }
        let best = try #require((-reach...reach).max { product($0) < product($1) })
        return Double(best) / 8000
    }

    @Test("movies of three containers are aligned with a recorder's file, for people and programs")
    func movies() throws {
        try wave("a.wav", microphone(10))
        try movie("b.mp4", microphone(13.5), audio: ["-c:a", "aac", "-b:a", "128k"])
        try movie("c.mkv", microphone(6.25), audio: ["-c:a", "libopus", "-b:a", "96k"])
        var fast = microphone(11)
        fast.drift = 120
        fast.isInverted = true
        try movie("d.mov", fast, audio: ["-c:a", "pcm_s16le"])
        let text = try run("align", "a.wav", "b.mp4", "c.mkv", "d.mov")
        #expect(text.status == 0, "\(text.errorText)")
        let lines = text.outputText.split(separator: "\n")
        #expect(lines.count == 5 && lines[1].contains("reference"), "\(text.outputText)")
        #expect(lines[4].contains("polarity inverted") && lines[4].contains("+120."))
        let json = try json(run("align", "a.wav", "b.mp4", "c.mkv", "d.mov", "--json"))
        let files = try #require(json["files"]?.elements)
        #expect(json["reference"]?.text == "a.wav")
        for (file, offset) in zip(files, [0, 3.5, -3.75, 1]) {
            let found = try #require(file["offset_seconds"]?.number)
            #expect(abs(found - offset) < 0.001, "\(file.compact)")
            #expect(try #require(file["confidence"]?.number) > 0.9)
        }
        #expect(abs((files[3]["drift_ppm"]?.number ?? 0) - 120) < 2)
    }

    @Test("a project has the camera's frames and the reference's audio where it belongs")
    func project() throws {
        try wave("a.wav", microphone(10))
        try movie("b.mp4", microphone(12), audio: ["-c:a", "aac"])
        let made = try run("align", "a.wav", "b.mp4", "-o", "film.vcap.json5")
        #expect(
            made.status == 0 && made.outputText.hasSuffix("film.vcap.json5\n"), "\(made.errorText)")
        let film = try run("export", "film.vcap.json5", "-o", "film.mov", "-q")
        #expect(film.status == 0, "\(film.errorText)")
        // the film is the camera's, and so is the time of what is heard
        #expect(try abs(lateness("b.mp4", "film.mov")) <= 1.0 / 8000)
        let again = try run("align", "a.wav", "b.mp4", "-o", "film.vcap.json5")
        #expect(again.status == 73 && again.errorText.contains("exists"), "\(again.errorText)")
        let forced = try run("align", "a.wav", "b.mp4", "-o", "film.vcap.json5", "-y", "--json")
        #expect(forced.status == 0)
        #expect(try json(forced)["written"]?.elements?.count == 1)
    }

    @Test("copies begin at the same moment: mp4 copied, Matroska and WAV encoded")
    func copies() throws {
        try wave("a.wav", microphone(10))
        try movie("b.mp4", microphone(13.5), audio: ["-c:a", "aac", "-b:a", "160k"])
        try movie("c.mkv", microphone(11.25), audio: ["-c:a", "flac"])
        try movie("d.mp4", microphone(12.3), audio: ["-c:a", "aac", "-b:a", "160k"])
        let made = try run("align", "a.wav", "b.mp4", "c.mkv", "d.mp4", "-o", "out/")
        #expect(made.status == 0, "\(made.errorText)")
        let names = ["out/a.wav", "out/b.mp4", "out/c.mkv", "out/d.mp4"]
        #expect(made.outputText.split(separator: "\n").suffix(4).map(String.init) == names)
        #expect(made.errorText.contains("out/d.mp4: h264 copied, aac copied"), "\(made.errorText)")
        #expect(made.errorText.contains("out/c.mkv: h264, "), "\(made.errorText)")
        #expect(made.errorText.contains("frames copied, flac encoded"), "\(made.errorText)")
        for name in names.dropFirst() {
            #expect(try abs(lateness(names[0], name)) <= 1.0 / 8000, "\(name)")
        }
        let aligned = try json(
            run("align", "out/a.wav", "out/b.mp4", "out/c.mkv", "out/d.mp4", "--json"))
        for file in aligned["files"]?.elements ?? [] {
            #expect(abs(file["offset_seconds"]?.number ?? 1) < 0.0005, "\(file.compact)")
        }
        let again = try run("align", "a.wav", "b.mp4", "-o", "out")
        #expect(again.status == 73 && again.errorText.contains("out/a.wav exists"))
    }

    @Test("AAC that is cut into Matroska, and a WebM that is, begin exactly there too, as what can")
    func recoded() throws {
        try wave("a.wav", microphone(14))
        try movie("b.mkv", microphone(11.25), audio: ["-c:a", "aac", "-b:a", "160k"])
        try movie("c.mkv", microphone(12), audio: ["-c:a", "libopus"])
        let vp8 = try #require(ffmpeg).run(
            ["-v", "error", "-i", "c.mkv", "-c:v", "libvpx", "-c:a", "copy", "c.webm"],
            in: folder.path)
        #expect(vp8.status == 0, "\(vp8.errorText)")
        let made = try run("align", "a.wav", "b.mkv", "c.webm", "-o", "out/")
        #expect(made.status == 0, "\(made.errorText)")
        #expect(made.errorText.contains("out/c.mkv is no .webm"), "\(made.errorText)")
        for name in ["out/b.mkv", "out/c.mkv"] {
            #expect(try abs(lateness("out/a.wav", name)) <= 1.0 / 8000, "\(name)")
        }
    }

    @Test("what was found, and copies that were made, are not lost with the copy that fails")
    func halfMade() throws {
        try movie("a.mp4", microphone(10), audio: ["-c:a", "aac", "-b:a", "64k"])
        try wave("b.wav", microphone(12))
        let result = try Program(path: "/bin/sh").run(
            // blocks of 512 bytes, which the second copy needs more of
            ["-c", "ulimit -f 3000; '\(Program.vcap.path)' align a.mp4 b.wav -o out/ --json"],
            in: folder.path)
        #expect(result.status == ExitCode.ioError.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("out/a.mp4 is made and stays"), "\(result.errorText)")
        let alignment = try JSONParser.parse(result.output, as: .json)["alignment"]
        #expect(alignment?["written"]?.elements?.first?.text == "out/a.mp4")
        #expect(alignment?["files"]?.elements?.count == 2)
        #expect(folder.contents.contains("out"))
    }

    @Test("what cannot be aligned has its own exit code, and nothing is written then")
    func notAligned() throws {
        try wave("a.wav", microphone(10))
        try wave("b.wav", microphone(10), of: SoundScene(.music, seconds: 45, seed: 2))
        try wave("c.wav", microphone(12))
        let result = try run("align", "a.wav", "b.wav", "c.wav", "-o", "out/", "--json")
        #expect(result.status == ExitCode.notAligned.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("nothing of one is heard in the other"))
        #expect(result.errorText.contains("nothing is written"))
        #expect(!folder.contents.contains("out"))
        let files = try #require(try json(result)["files"]?.elements)
        #expect(files[1]["exit_code"]?.wholeNumber == 4 && files[1]["error"]?.text != nil)
        #expect(abs((files[2]["offset_seconds"]?.number ?? 0) - 2) < 0.0001)
    }

    @Test("two metronomes are refused, not guessed")
    func metronomes() throws {
        for (name, seed) in [("a.wav", UInt64(2)), ("b.wav", 9)] {
            try wave(name, microphone(1), of: SoundScene(.metronome, seconds: 40, seed: seed))
        }
        #expect(try run("align", "a.wav", "b.wav").status == ExitCode.notAligned.rawValue)
    }

    @Test("files without audio, damaged, missing and given twice each have a sentence and a code")
    func files() throws {
        try wave("a.wav", microphone(10))
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: folder.file("bad.mp4")))
        let made = try #require(ffmpeg).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=5", "mute.mp4"],
            in: folder.path)
        #expect(made.status == 0)
        let cases: [([String], ExitCode, String)] = [
            (["a.wav", "mute.mp4"], .badData, "it has no audio"),
            (["mute.mp4", "a.wav"], .badData, "it has no audio"),
            (["a.wav", "bad.mp4"], .badData, "bad.mp4"),
            (["a.wav", "none.mp4"], .noInput, "none.mp4"),
            (["none.mp4", "a.wav"], .noInput, "none.mp4"),
            (["a.wav", "./a.wav"], .usage, "one file"),
            (["a.wav"], .usage, "FILE"),
            (["a.wav", "b.wav", "-o", "x.mp4"], .usage, ".vcap.json5"),
            (["a.wav", "b.wav", "-y"], .usage, "nothing to act on"),
            (["a.wav", "x/a.wav", "-o", "out/"], .usage, "would both become"),
        ]
        for (words, code, sentence) in cases {
            let result = try Program.vcap.run(["align"] + words, in: folder.path)
            #expect(result.status == code.rawValue, "\(words): \(result.errorText)")
            #expect(result.errorText.contains(sentence), "\(words): \(result.errorText)")
        }
    }

    @Test("progress ends with a last report, and is not mixed with the result")
    func progress() throws {
        try wave("a.wav", microphone(10))
        try wave("b.wav", microphone(12))
        let mixed = try run("align", "a.wav", "b.wav", "--progress", "-")
        #expect(mixed.status == 64 && mixed.errorText.contains("mixed with the result"))
        let result = try run("align", "a.wav", "b.wav", "--progress", "progress.txt")
        #expect(result.status == 0, "\(result.errorText)")
        let text = try String(contentsOfFile: folder.file("progress.txt"), encoding: .utf8)
        #expect(text.hasSuffix("progress=end\n") && text.contains("state=finished"), "\(text)")
    }

    @Test(
        "a take that is being recorded is aligned as far as it goes, and that is said",
        .tags(.realTime))
    func growing() async throws {
        let device = microphone(10)
        try movie("a.mov", device, audio: ["-c:a", "pcm_s16le"])
        let take = try Program.vcap.start(
            ["record", "-c", "none", "-a", "file:a.mov", "-o", "take.mov", "-t", "20s"],
            in: folder.path)
        defer { take.end() }
        try await Task.sleep(for: .seconds(14))
        let result = try run("align", "a.mov", "take.mov", "--json")
        #expect(result.errorText.contains("take.mov is being written by"), "\(result.errorText)")
        #expect(result.status == 0, "\(result.errorText)")
    }
}
