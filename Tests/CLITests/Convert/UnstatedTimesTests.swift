import Foundation
import Media
import TestSupport
import Testing

@Suite(
    "Pictures and sound whose times the file does not state", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct UnstatedTimesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func convert(_ words: String...) throws -> String {
        let result = try run(["convert"] + words)
        #expect(result.status == 0, "\(result.errorText)")
        return result.errorText
    }

    private func ffmpeg(_ words: [String]) throws {
        let made = try #require(Program.tool("ffmpeg")).run(["-v", "error", "-y"] + words)
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func oracle(_ name: String) -> MovieOracle { MovieOracle(folder.file(name)) }

    // MARK: Pictures of AVI

    private func expectAll(_ name: String, _ count: Int, tick: Double) throws {
        let movie = oracle(name)
        #expect(try movie.frameNumbers() == Array(0..<count), "\(name)")
        let times = try movie.presentationTimes()
        for (number, time) in times.enumerated() {
            let wanted = Double(number) / 25 + (times.first ?? 0)
            #expect(abs(time - wanted) <= tick, "\(name), picture \(number) at \(time)")
        }
    }

    private static let mpeg4 = ["-c:v", "mpeg4", "-q:v", "2"]

    @Test(
        "AVI with B-frames is copied and encoded picture for picture, each at its time",
        arguments: [
            mpeg4 + ["-bf", "2", "-sc_threshold", "1000000000"],
            ["-c:v", "libx264", "-bf", "3", "-g", "20"],
            [
                "-c:v", "libx264", "-bf", "16", "-b_strategy", "0", "-x264-params",
                "b-pyramid=normal",
            ],
            ["-c:v", "mpeg2video", "-bf", "2", "-q:v", "2"],
        ])
    func pictures(coding: [String]) throws {
        var clip = GeneratedClip()
        clip.frames = 75
        clip.rate = "25"
        clip.coding = coding
        clip.options = ["-c:a", "mp3"]
        try clip.write(to: folder.file("in.avi"))
        let copied = try convert("in.avi", "-o", "copied.mkv", "-y")
        #expect(copied.contains("copied, mp3 copied"), "\(copied)")
        try expectAll("copied.mkv", 75, tick: 1.1e-3)
        _ = try convert("in.avi", "-o", "small.mp4", "-s", "384x216", "-y")
        try expectAll("small.mp4", 75, tick: 2e-5)
        _ = try convert("in.avi", "-o", "out.mp4", "-y")
        try expectAll("out.mp4", 75, tick: 2e-5)
        // from the middle on
        _ = try convert("in.avi", "-o", "part.mp4", "-s", "384x216", "--range", "1s..2s", "-y")
        #expect(try oracle("part.mp4").frameNumbers() == Array(25..<50))
    }

    @Test(
        "where an AVI shows its first picture twice, as ffmpeg makes them beside MP3, flash and beep stay together"
    )
    func firstFrameTwice() throws {
        let flash = "color=black:s=160x96:r=25:d=3,drawbox=c=white:t=fill:enable='eq(n,50)'"
        let beep = "aevalsrc='if(between(t,2,2.04),0.8*sin(2*PI*1000*t),0)':s=48000:d=3"
        try ffmpeg(
            ["-f", "lavfi", "-i", flash, "-f", "lavfi", "-i", beep, "-c:v", "mpeg4", "-bf", "0"]
                + ["-c:a", "libmp3lame", folder.file("in.avi")])
        // an empty chunk lies behind the first picture: the sound's priming has moved the others by one
        #expect(try oracle("in.avi").presentationTimes().prefix(3) == [0, 0.08, 0.12])
        let truth = try flashAndBeep("in.avi")
        #expect(truth.flash == 2.04)
        for name in ["out.mp4", "out.mov", "out.mkv"] {
            _ = try convert("in.avi", "-o", name)
            let found = try flashAndBeep(name)
            #expect(abs(found.flash - truth.flash) < 1.1e-3, "\(name): \(found)")
            #expect(abs(found.beep - truth.beep) < 1.1e-3, "\(name): \(found)")
        }
    }

    /// When the picture is white, and when the beep begins (seconds of the movie), by ffmpeg.
    private func flashAndBeep(_ name: String) throws -> (flash: Double, beep: Double) {
        let movie = oracle(name)
        let white = try #require(try movie.middleColors().firstIndex { $0.luma > 180 })
        let times = try movie.presentationTimes()
        let sound = try movie.sound()
        let loud = try #require(sound.firstIndex { abs($0) > 0.1 })
        return (times[white], Double(loud) / 48_000)
    }

    @Test("an AVI with B-frames is recorded without a loss", .tags(.realTime))
    func recorded() throws {
        var clip = GeneratedClip()
        clip.frames = 75
        clip.rate = "25"
        clip.coding = ["-c:v", "libx264", "-bf", "3"]
        clip.tone = nil
        try clip.write(to: folder.file("in.avi"))
        let result = try run([
            "record", "-q", "-c", "file:in.avi", "-a", "none", "-t", "2s", "--keys", "none", "-o",
            "take.mp4",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        let numbers = try oracle("take.mp4").frameNumbers()
        #expect(numbers.count == 50)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { ($0 + 1) % 75 == $1 }, "\(numbers)")
        let report = try String(contentsOfFile: folder.file("take.vcap.json"), encoding: .utf8)
        #expect(!report.contains("out-of-order"), "\(report)")
    }

    @Test(
        "a file whose pictures are reordered is not recorded as it is coded, and that is said first"
    )
    func refusedCopy() throws {
        var clip = GeneratedClip()
        clip.frames = 30
        clip.tone = nil
        clip.coding = ["-c:v", "libx264", "-bf", "2"]
        for name in ["in.mp4", "in.avi"] {
            try clip.write(to: folder.file(name))
            let result = try run([
                "record", "-c", "file:\(name)", "--codec", "copy", "-a", "none", "-t", "1s",
                "--keys", "none", "-o", "take.mkv",
            ])
            #expect(result.status == 64, "\(result.errorText)")
            #expect(result.errorText.contains("B-frames"), "\(result.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("take.mkv")))
        }
    }

    // MARK: Sound of Matroska

    private func noise(_ coding: [String], _ name: String, rate: Int, seconds: Double) throws {
        let source = "anoisesrc=a=0.3:seed=7:r=\(rate):d=\(seconds)"
        try ffmpeg(["-f", "lavfi", "-i", source, "-strict", "-2"] + coding + [folder.file(name)])
    }

    @Test(
        "sound of ffmpeg's mkv is copied packet for packet, and decodes to the same frames",
        arguments: [
            ("ac3", 44_100), ("ac3", 48_000), ("eac3", 48_000), ("libvorbis", 44_100),
            ("flac", 44_100), ("pcm_s16le", 44_100), ("pcm_s24le", 48_000), ("libopus", 48_000),
            ("dca", 48_000), ("mp2", 48_000),
        ])
    func audioOfMatroska(codec: String, rate: Int) throws {
        try noise(["-c:a", codec], "in.mkv", rate: rate, seconds: 2.3457)
        let reported = try convert("in.mkv", "-o", "out.mkv", "-y")
        #expect(reported.contains("copied") && !reported.contains("encoded"), "\(reported)")
        let wanted = try oracle("in.mkv").sound(sampleRate: rate)
        #expect(try oracle("out.mkv").sound(sampleRate: rate) == wanted)
        guard ["flac", "pcm_s16le", "pcm_s24le", "libopus"].contains(codec) else { return }
        let kept = try convert("in.mkv", "-o", "out.mp4", "-y")
        #expect(kept.contains("copied") && !kept.contains("encoded"), "\(kept)")
        let found = try oracle("out.mp4").sound(sampleRate: rate)
        // libavformat 59 does not cut the end of Opus by MP4's edit list
        #expect(found.count == wanted.count || codec == "libopus", "\(found.count)")
        #expect(zip(found, wanted).allSatisfy { $0 == $1 })
        // a part is counted from the beginning, whatever the stamp is where it begins
        _ = try convert("in.mkv", "-o", "part.mp4", "--range", "1s..2s", "-y")
        let part = try oracle("part.mp4").sound(sampleRate: rate)
        if codec != "libopus" {
            #expect(part.count >= rate)
            #expect(zip(part, wanted[rate...]).allSatisfy { $0 == $1 })
        }
        // what is stated is exact too
        let times = try oracle("out.mp4").presentationTimes(stream: "a:0")
        #expect(times.allSatisfy { abs(($0 * Double(rate)).rounded() - $0 * Double(rate)) < 0.06 })
    }

    @Test("WebM's sound is copied into WebM", arguments: ["libopus", "libvorbis"])
    func audioOfWebM(codec: String) throws {
        var clip = GeneratedClip()
        clip.frames = 30
        clip.coding = ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"]
        clip.options = ["-c:a", codec]
        try clip.write(to: folder.file("in.webm"))
        let reported = try convert("in.webm", "-o", "out.webm")
        #expect(reported.contains("copied") && !reported.contains("encoded"), "\(reported)")
        #expect(try oracle("out.webm").sound() == oracle("in.webm").sound())
        #expect(try oracle("out.webm").frameNumbers() == Array(0..<30))
    }

    // MARK: Sound that an edit list hides

    @Test(
        "sound before an edit list's beginning is not heard where there are no edit lists",
        arguments: ["mkv", "ts", "mka"])
    func hiddenAudio(container: String) throws {
        let beep = "aevalsrc='0.8*sin(6283*t)*between(t,1.00,1.12)':d=3:s=48000"
        try ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=3", "-f", "lavfi", "-i", beep,
            "-c:v", "libx264", "-g", "75", "-c:a", "aac", folder.file("full.mp4"),
        ])
        try ffmpeg([
            "-ss", "1.13", "-i", folder.file("full.mp4"), "-c", "copy", folder.file("in.mp4"),
        ])
        let plan = try run(["convert", "--plan", "in.mp4", "-o", "out.\(container)"])
        #expect(plan.outputText.contains("audio before its beginning is hidden"))
        let reported = try convert("in.mp4", "-o", "out.\(container)")
        #expect(reported.contains("aac encoded"), "\(reported)")
        let sound = try oracle("out.\(container)").sound()
        #expect(sound.allSatisfy { abs($0) < 0.02 })
        #expect(abs(Double(sound.count) / 48_000 - 1.87) < 0.05, "\(sound.count)")
        // a coder's own priming is no reason
        _ = try convert("full.mp4", "-o", "whole.\(container)")
        let whole = try run(["convert", "--plan", "full.mp4", "-o", "whole2.\(container)"])
        #expect(!whole.outputText.contains("hidden"), "\(whole.outputText)")
    }
}
