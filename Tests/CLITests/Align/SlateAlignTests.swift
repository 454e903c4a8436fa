import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

private let ffmpeg = Program.tool("ffmpeg")

@Suite(
    "vcap align by a running clock", .enabled(if: ffmpeg != nil, "ffmpeg is not installed"),
    .serialized)
struct SlateAlignTests {
    private let folder: TemporaryFolder

    /// A clock of 12 s: k.mp4.
    init() throws {
        folder = try TemporaryFolder()
        let made = try Program.vcap.run(
            ["slate", "--clock", "12s", "-o", "k.mp4"], in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func run(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, in: folder.path)
    }

    /// What a camera sees that begins `start` s after the clock (negative: before), at another size and rate.
    private func camera(
        _ name: String, start: Double, rate: Int, side: Int = 260, seconds: Double = 6,
        clock: String = "k.mp4", filter: String = "", audio: [String] = []
    ) throws {
        let place = start < 0 ? ["-itsoffset", "\(-start)"] : ["-ss", "\(start)"]
        let made = try #require(ffmpeg).run(
            [
                "-v", "error", "-y", "-f", "lavfi", "-i",
                "color=gray:480x360:rate=\(rate):duration=\(seconds)",
            ] + place + ["-i", clock] + audio + [
                "-filter_complex",
                "[1]scale=\(side):\(side)[k];[0][k]overlay=90:40:eof_action=pass\(filter)",
                "-pix_fmt", "yuv420p", "-g", "15", "-t", "\(seconds)", name,
            ], in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func file(_ result: Program.Result, _ index: Int = 1) throws -> JSONValue {
        let json = try JSONParser.parse(result.output, as: .json)
        let files = try #require(json["files"]?.elements)
        return try #require(files.indices.contains(index) ? files[index] : nil)
    }

    @Test(
        "cameras of other rates without audio are aligned within a frame, and the document has the method"
    )
    func silent() throws {
        try camera("a.mp4", start: -1, rate: 30)
        for (name, start, rate) in [
            ("b.mp4", 2.217, 25), ("c.mp4", -0.361, 50), ("d.mp4", 3.005, 24),
        ] {
            try camera(name, start: start, rate: rate)
            let result = try run("align", "a.mp4", name, "--json")
            #expect(result.status == 0, "\(result.errorText)")
            let found = try file(result)
            let offset = try #require(found["offset_seconds"]?.number)
            let spread = try #require(found["spread_ms"]?.number)
            #expect(abs(offset - (1 + start)) < 0.034, "\(name): \(offset)")
            #expect(abs(offset - (1 + start)) * 1000 <= spread + 0.1, "\(name): \(spread)")
            #expect(found["method"]?.text == "slate" && found["drift_ppm"] == nil)
        }
        let table = try run("align", "a.mp4", "b.mp4")
        #expect(table.outputText.contains("100 %, by slate"), "\(table.outputText)")
    }

    @Test("copies of cameras without audio begin at the same time of the clock")
    func copies() throws {
        try camera("a.mp4", start: -1, rate: 30)
        try camera("b.mp4", start: 1.5, rate: 30)
        let made = try run("align", "a.mp4", "b.mp4", "-o", "out/")
        #expect(made.status == 0, "\(made.errorText)")
        let shown = try ["a.mp4", "b.mp4"].map { name in
            let line = try run("detect", "out/\(name)", "--json").outputText
                .split(separator: "\n").first
            let json = try JSONParser.parse(Array((line ?? "").utf8), as: .json)
            return try #require(json["codes"]?.elements?.first?["text"]?.text)
        }
        #expect(shown[0] == shown[1])
    }

    @Test("sound counts before a clock, and a clock where there is silence")
    func soundFirst() throws {
        let scene = SoundScene(.speech, seconds: 20, seed: 40)
        for (name, start) in [("a", 0.0), ("b", 2.0)] {
            var device = Microphone()
            (device.start, device.seconds) = (5 + start, 12)
            try WaveFile.write(
                [device.recording(of: scene)], rate: device.rate, to: folder.file("\(name).wav"))
            // by the clock they would lie 1 s apart
            try camera(
                "\(name).mp4", start: start / 2, rate: 30, seconds: 10,
                audio: ["-i", "\(name).wav"])
        }
        func offset(_ words: String...) throws -> (Double?, String?) {
            let found = try file(
                try Program.vcap.run(["align"] + words + ["--json"], in: folder.path))
            return (found["offset_seconds"]?.number, found["method"]?.text)
        }
        let heard = try offset("a.mp4", "b.mp4")
        #expect(abs((heard.0 ?? 0) - 2) < 0.001 && heard.1 == "sound")
        let seen = try offset("a.mp4", "b.mp4", "--by", "slate")
        #expect(abs((seen.0 ?? 0) - 1) < 0.034 && seen.1 == "slate")
        try camera(
            "mute.mp4", start: 1, rate: 30, audio: ["-f", "lavfi", "-i", "anullsrc=r=48000"])
        let mute = try offset("a.mp4", "mute.mp4")
        #expect(abs((mute.0 ?? 0) - 1) < 0.034 && mute.1 == "slate")
    }

    @Test("a cut recording, another clock and none are refused with their sentences and 4")
    func refused() throws {
        try camera("a.mp4", start: 0, rate: 30)
        try camera(
            "cut.mp4", start: 0, rate: 30,
            filter: ",select='not(between(t,2,3))',setpts=N/30/TB")
        #expect(try run("slate", "--clock", "8s", "-o", "other.mp4").status == 0)
        try camera("other-seen.mp4", start: 0, rate: 30, clock: "other.mp4")
        try camera("none.mp4", start: 20, rate: 30)
        for (name, sentence) in [
            ("cut.mp4", "contradicts itself from about 2.0 s on"),
            ("other-seen.mp4", "have not seen the same running clock"),
            ("none.mp4", "no running clock was seen in none.mp4"),
        ] {
            let result = try run("align", "a.mp4", name, "--by", "slate")
            #expect(result.status == ExitCode.notAligned.rawValue, "\(name)")
            #expect(result.errorText.contains(sentence), "\(result.errorText)")
        }
        let silent = try run("align", "none.mp4", "a.mp4")
        #expect(silent.status == ExitCode.badData.rawValue)
        #expect(silent.errorText.contains("it has no audio"), "\(silent.errorText)")
        #expect(try run("align", "a.mp4", "cut.mp4", "--by", "sound").status != 0)
        #expect(try run("align", "a.mp4", "cut.mp4", "--by", "smell").status == 64)
    }

    @Test("a movie without audio is left out of a project, and that is said as it is")
    func project() throws {
        try camera("a.mp4", start: 0, rate: 30)
        try camera("b.mp4", start: 1, rate: 30)
        let made = try run("align", "a.mp4", "b.mp4", "-o", "p.vcap.json5")
        #expect(made.status == 0)
        #expect(made.errorText.contains("b.mp4 is left out of the project: it has no audio"))
    }

    @Test(
        "a clock that record --slate was shown is listed once, and the take is aligned by it",
        .tags(.realTime))
    func recorded() throws {
        // the clock comes into view after 2.5 s
        try camera("a.mp4", start: -2.5, rate: 30, seconds: 6)
        let take = try run(
            "record", "-c", "file:a.mp4", "-a", "none", "-t", "5s", "--slate", "--pressure", "off",
            "-o", "take.mp4")
        #expect(take.status == 0, "\(take.errorText)")
        #expect(take.errorText.components(separatedBy: "running clock").count == 2)
        let listed = try run("detect", "take.mp4", "--recorded")
        #expect(listed.outputText.contains("vcap-slate:1?clock="))
        let found = try file(try run("align", "a.mp4", "take.mp4", "--json"))
        #expect(abs(found["offset_seconds"]?.number ?? 1) < 0.034, "\(found.compact)")
    }
}
