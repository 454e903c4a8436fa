import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite(
    "Pictures of films with the program", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct FilmPictureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        try clip("a.mp4", "aevalsrc='0.5*sin(2*PI*440*t)':d=2")
        try clip("mute.mp4", nil)
    }

    private func clip(_ name: String, _ audio: String?, seconds: Int = 2) throws {
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=192x108:r=25:d=\(seconds)"]
                + (audio.map { ["-f", "lavfi", "-i", $0, "-c:a", "aac"] } ?? [])
                + ["-pix_fmt", "yuv420p", "-c:v", "libx264", folder.file(name)])
        try #require(made.status == 0, "\(made.errorText)")
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(
            words, environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path],
            in: folder.path)
    }

    /// Width, height and count of frames, as ffprobe counts them.
    private func measures(_ name: String) throws -> [Int] {
        let result = try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
            "stream=width,height,nb_read_frames", "-of", "csv=p=0", folder.file(name),
        ])
        return result.outputText.split { $0 == "," || $0.isNewline }.compactMap { Int($0) }
    }

    private func names(_ pattern: String = "") -> [String] {
        folder.contents.filter { $0.hasPrefix(pattern) }.sorted()
    }

    @Test("frames at several times are numbered in order, each byte for byte the one alone")
    func several() throws {
        let made = try run([
            "compose", "a.mp4", "--still", "1.5s", "--still", "0.2s", "--still", "1s", "--still",
            "1s", "-o", "s-%02d.png", "--json",
        ])
        #expect(made.status == 0, "\(made.errorText)")
        #expect(names("s-") == ["s-01.png", "s-02.png", "s-03.png"])
        for (name, time) in [("s-01.png", "0.2s"), ("s-02.png", "1s"), ("s-03.png", "1.5s")] {
            let alone = try run(["compose", "a.mp4", "--still", time, "-y", "-o", "one.png"])
            #expect(alone.status == 0)
            #expect(
                FileManager.default.contents(atPath: folder.file(name))
                    == FileManager.default.contents(atPath: folder.file("one.png")), "\(name)")
        }
        #expect(made.outputText.contains("\"time\": \"3/2\""))
    }

    @Test("one name for several frames, taken names and times behind the end are refused")
    func refusals() throws {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.file("t-02.png")))
        let before = names()
        let cases: [(words: [String], code: ExitCode, says: String)] = [
            (["--still", "1s", "--still", "0s", "-o", "x.png"], .usage, "%02d"),
            (["--still", "1s", "--still", "0s", "-o", "t-%02d.png"], .cannotCreate, "-y"),
            (["--still", "1s", "--still", "9s", "-o", "n-%02d.png"], .usage, "9 s"),
            (["--waveform", "w.bmp"], .usage, "w.bmp"),
            (["--waveform", "t-02.png"], .cannotCreate, "t-02.png"),
            (["--fast", "--copy", "only", "-o", "f.mp4"], .usage, "--fast"),
            (["--fast", "--encoder-preset", "slow", "-o", "f.mp4"], .usage, "--encoder-preset"),
            (["--fast", "-o", "f.vcap.json5"], .usage, "--fast"),
        ]
        for (words, code, says) in cases {
            let result = try run(["compose", "a.mp4"] + words)
            #expect(result.status == code.rawValue, "\(words): \(result.errorText)")
            #expect(result.errorText.contains(says), "\(words): \(result.errorText)")
        }
        #expect(names() == before)
    }

    @Test(
        "numbered frames are never written over what the film is made of, nor under names without a number"
    )
    func inputs() throws {
        let mark = try run(["compose", "a.mp4", "--still", "1s", "-o", "wm-02.png"])
        #expect(mark.status == 0, "\(mark.errorText)")
        let before = FileManager.default.contents(atPath: folder.file("wm-02.png"))
        let cases: [([String], ExitCode, String)] = [
            (
                [
                    "compose", "a.mp4", "--watermark", "wm-02.png", "--still", "0s", "--still",
                    "1s", "-y", "-o", "wm-%02d.png",
                ], .cannotCreate, "wm-02.png: it is one of the inputs"
            ),
            (
                ["thumbs", "wm-02.png", "--at", "0s", "--at", "1s", "-y", "-o", "wm-%02d.png"],
                .cannotCreate, "wm-02.png: it is one of the inputs"
            ),
            (
                ["compose", "a.mp4", "--still", "0s", "--still", "1s", "-o", "100%-%02d.png"],
                .usage, "%%"
            ),
            (
                ["compose", "a.mp4", "--contact-sheet", "c.png", "--waveform", "c.png"], .usage,
                "two names"
            ),
        ]
        for (words, code, says) in cases {
            let result = try run(words)
            #expect(result.status == code.rawValue, "\(words): \(result.errorText)")
            #expect(result.errorText.contains(says), "\(words): \(result.errorText)")
        }
        #expect(FileManager.default.contents(atPath: folder.file("wm-02.png")) == before)
        #expect(names() == ["a.mp4", "mute.mp4", "wm-02.png"])
    }

    @Test("sheets alone need no output, and are made beside a movie")
    func sheets() throws {
        let alone = try run([
            "compose", "a.mp4", "--contact-sheet", "c.jpg", "--waveform", "w.png", "--json",
        ])
        #expect(alone.status == 0, "\(alone.errorText)")
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(alone.output)) as? [String: Any])
        let sheets = try #require(document["pictures"] as? [[String: Any]])
        #expect(sheets.map { $0["kind"] as? String } == ["contact-sheet", "waveform"])
        let loudness = try #require(sheets[1]["loudness_lufs"] as? Double)
        let peak = try #require(sheets[1]["true_peak_dbtp"] as? Double)
        #expect(sheets[0]["loudness_lufs"] == nil)
        #expect(names() == ["a.mp4", "c.jpg", "mute.mp4", "w.png"])
        #expect(try measures("w.png") == [1600, 360, 1])
        let both = try run(["compose", "a.mp4", "-o", "f.mp4", "--waveform", "w2.jpg"])
        #expect(both.status == 0, "\(both.errorText)")
        #expect(names().contains("f.mp4") && names().contains("w2.jpg"))
        // a film says for machines how its target was reached, from what the waveform shows
        let louder = try run(["compose", "a.mp4", "-o", "l.mp4", "--loudness", "-20", "--json"])
        let film = try #require(
            JSONSerialization.jsonObject(with: Data(louder.output)) as? [String: Any])
        let reached = try #require(film["loudness"] as? [String: Double])
        #expect(reached["target_lufs"] == -20)
        #expect(abs(try #require(reached["before_lufs"]) - loudness) < 0.11)
        #expect(abs(try #require(reached["after_lufs"]) + 20) < 0.21)
        // beside a film they are named, too
        let beside = try run([
            "compose", "a.mp4", "-o", "n.mp4", "--contact-sheet", "n-%v.jpg", "--waveform", "n.png",
            "--json",
        ])
        let named = try #require(
            JSONSerialization.jsonObject(with: Data(beside.output)) as? [String: Any])
        let pictures = try #require(named["pictures"] as? [[String: Any]])
        #expect(pictures.map { $0["path"] as? String } == ["n-001.jpg", "n.png"])
        #expect(pictures[1]["loudness_lufs"] is Double)
        let idle = try run(["compose", "a.mp4", "--waveform", "i.png", "--crf", "20"])
        #expect(idle.errorText.contains("--crf does nothing"), "\(idle.errorText)")
        let gain = try #require(reached["gain_db"])
        #expect(abs(try #require(reached["true_peak_dbtp"]) - peak - gain) < 0.3)
    }

    @Test("a film without audio has no waveform: a warning beside a movie, else a refusal")
    func mute() throws {
        let beside = try run(["compose", "mute.mp4", "-o", "f.mp4", "--waveform", "w.png"])
        #expect(beside.status == 0, "\(beside.errorText)")
        #expect(beside.errorText.contains("--waveform does nothing: the film has no audio"))
        #expect(!names().contains("w.png") && names().contains("f.mp4"))
        let alone = try run(["compose", "mute.mp4", "--waveform", "w.png"])
        #expect(alone.status == ExitCode.usage.rawValue)
        #expect(alone.errorText.contains("no audio that --waveform could show"))
        #expect(!alone.errorText.contains("does nothing"), "\(alone.errorText)")
    }

    @Test("messages name what was typed and what helps")
    func messages() throws {
        let movie = try run(["export", "a.mp4", "-o", "f.mp4"])
        #expect(movie.status == 65)
        #expect(movie.errorText.contains("a.mp4 is a clip and no project: vcap compose a.mp4"))
        let still = try run(["compose", "a.mp4", "--still", "1s", "--plan", "-o", "s.png"])
        #expect(still.status == 64 && still.errorText.contains("--still makes none"))
        let copy = try run(["compose", "a.mp4", "--copy", "only", "--title", "T", "-o", "f.mp4"])
        #expect(copy.status == 64 && copy.errorText.contains("--copy only"), "\(copy.errorText)")
        #expect(!names().contains("f.mp4") && !names().contains("s.png"))
    }

    @Test(
        "an animation whose frames last whole numbers of the film's is not said to be shown at another rate"
    )
    func animation() throws {
        for (name, delays) in [("even.gif", [8, 8, 8, 8]), ("odd.gif", [7, 7, 7, 7])] {
            try Data(PlainGIF.bytes(delays: delays, width: 32, height: 20)).write(
                to: URL(fileURLWithPath: folder.file(name)))
            let result = try run(["compose", "a.mp4", name, "-o", "f.mp4", "-y", "-v"])
            #expect(result.status == 0, "\(result.errorText)")
            #expect(
                result.errorText.contains("frames a second are shown at the film's 25")
                    == (name == "odd.gif"), "\(result.errorText)")
        }
    }

    /// The picture of the guide. Made anew with VCAP_UPDATE_GOLDEN=1.
    @Test("the guide's waveform is what the program makes today")
    func guidePicture() throws {
        // words in the left channel, a chord in both that fades out
        let words =
            "0.5*sin(2*PI*(140+30*sin(9*t))*t)*(0.55+0.45*sin(23*t))*gt(sin(1.1*t)+sin(0.37*t),0)"
        let chord = "0.12*(sin(2*PI*220*t)+sin(2*PI*277*t)+sin(2*PI*330*t))*min(1,(60-t)/20)"
        let left = "\(words)*0.9+\(chord)".replacing(",", with: "\\,")
        let right = chord.replacing(",", with: "\\,")
        try clip("talk.mp4", "aevalsrc='\(left)|\(right)':s=48000:d=60", seconds: 60)
        let made = try run([
            "compose", "talk.mp4", "--chapter", "Welcome@0s", "--chapter", "Questions@38s",
            "--waveform", "waveform.png",
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let known = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/images/waveform.png").standardized
        if ProcessInfo.processInfo.environment["VCAP_UPDATE_GOLDEN"] == "1" {
            try? FileManager.default.removeItem(at: known)
            try FileManager.default.copyItem(
                atPath: folder.file("waveform.png"), toPath: known.path)
        }
        let pictures = try [folder.file("waveform.png"), known.path].map { path in
            try #require(Program.tool("ffmpeg")).run([
                "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-",
            ]).output
        }
        try #require(pictures[0].count == 1600 * 360 && pictures[1].count == 1600 * 360)
        let off = zip(pictures[0], pictures[1]).count { abs(Int($0) - Int($1)) > 40 }
        #expect(off < pictures[0].count / 100, "\(off)")
    }

    @Test("a draft has all frames, half as wide and high, and so do its pictures")
    func fast() throws {
        let made = try run(["compose", "a.mp4", "--fast", "-o", "d.mp4"])
        #expect(made.status == 0, "\(made.errorText)")
        #expect(try measures("d.mp4") == [96, 54, 50])
        #expect(!made.errorText.contains("copied"))
        let large = try run([
            "compose", "a.mp4", "-s", "1280x720", "--preset", "540p", "--fast", "-o", "p.mp4",
        ])
        #expect(large.status == 0, "\(large.errorText)")
        #expect(try measures("p.mp4") == [480, 270, 50])
        let still = try run(["compose", "a.mp4", "--fast", "--still", "1s", "-o", "h.png"])
        #expect(still.status == 0)
        #expect(try measures("h.png") == [96, 54, 1])
        let web = try run(["compose", "a.mp4", "--fast", "-o", "d.webm"])
        #expect(web.status == 0, "\(web.errorText)")
    }

    @Test("an audio cut of the program is heard where it says")
    func audioCuts() throws {
        try clip("tone.mp4", "aevalsrc='0.5*sin(2*PI*1760*t)':d=2")
        let made = try run([
            "compose", "a.mp4@..1s", "tone.mp4@1s..2s", "--audio-cut", "j:500ms", "-o", "j.mka",
            "--preset", "audio", "--audio-codec", "flac",
        ])
        #expect(made.status == 0, "\(made.errorText)")
        // 440 Hz until 0.5 s, 1760 Hz from there on
        let audio = try MovieOracle(folder.file("j.mka")).sound()
        let change = (0..<96_000).first { start in
            start % 480 == 0 && power(1760, audio, start) > 4 * power(440, audio, start)
        }
        #expect((try #require(change) - 24_000).magnitude <= 480)
        for (words, says) in [
            (["a.mp4", "--audio-cut", "j:1s"], "two clips or more"),
            (["a.mp4", "mute.mp4", "--audio-cut", "j:1s,clip=3"], "clip 3"),
            (["a.mp4", "tone.mp4", "--audio-cut", "j:1s,clip=1"], "none before it"),
            (["a.mp4", "tone.mp4", "--audio-cut", "k:1s"], "audio cut such as"),
            (["a.mp4", "tone.mp4", "--audio-cut", "j:1s", "--audio-cut", "l:1s"], "twice"),
            (["a.mp4", "tone.mp4", "--audio-cut", "j:1s"], "too little audio before its part"),
        ] {
            let result = try run(["compose"] + words + ["-o", "x.mp4"])
            #expect(result.status == ExitCode.usage.rawValue, "\(words): \(result.errorText)")
            #expect(result.errorText.contains(says), "\(words): \(result.errorText)")
        }
    }

    /// Of a frequency in a hundredth of a second.
    private func power(_ frequency: Double, _ audio: [Float], _ start: Int) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for index in start..<min(audio.count, start + 480) {
            let angle = 2 * Double.pi * frequency * Double(index) / 48_000
            real += Double(audio[index]) * cos(angle)
            imaginary += Double(audio[index]) * sin(angle)
        }
        return real * real + imaginary * imaginary
    }
}
