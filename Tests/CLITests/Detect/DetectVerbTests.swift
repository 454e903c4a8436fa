import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

private let zint = Program.tool("zint")
private let ffmpeg = Program.tool("ffmpeg")

/// A line of `vcap detect --json`.
private struct Line {
    let seconds: Double
    let time: String
    let texts: [String]
    let corners: [[Double]]
    let json: JSONValue
}

@Suite(
    "vcap detect and record --detect",
    .enabled(if: zint != nil && ffmpeg != nil, "zint and ffmpeg are not installed"),
    .tags(.realTime))
struct DetectVerbTests {
    private let folder: TemporaryFolder
    private static let text = "https://example.org/a?b=1"

    /// A second with a code of three pixels a module at 100, 60, and a second without: c.mp4.
    init() throws {
        folder = try TemporaryFolder()
        let code = try #require(zint).run(
            [
                "--barcode=58", "--data=\(Self.text)", "--scale=1.5", "--vers=3", "-o", "q.png",
            ], in: folder.path)
        #expect(code.status == 0, "\(code.errorText)")
        let made = try #require(ffmpeg).run(
            [
                "-v", "error", "-f", "lavfi", "-i", "color=gray:320x240:rate=30:duration=2",
                "-i", "q.png", "-filter_complex", "overlay=100:60:enable='lt(t,1)'",
                "-pix_fmt", "yuv420p", "-g", "15", "c.mp4",
            ], in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func run(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, in: folder.path)
    }

    private func lines(_ result: Program.Result) throws -> [Line] {
        #expect(result.status == 0, "\(result.errorText)")
        return try result.outputText.split(separator: "\n").map { text in
            let json = try JSONParser.parse(Array(text.utf8), as: .json)
            #expect(json["schema"]?.text == "vcap.detect/1")
            let codes = json["codes"]?.elements ?? []
            return Line(
                seconds: try #require(json["seconds"]?.number),
                time: try #require(json["time"]?.text),
                texts: codes.compactMap { $0["text"]?.text },
                corners: codes.first?["corners"]?.elements?.map {
                    $0.elements?.compactMap(\.number) ?? []
                } ?? [], json: json)
        }
    }

    @Test("of a movie each frame with codes is a line, with its time, size and the code's corners")
    func movie() throws {
        let lines = try lines(run("detect", "c.mp4", "--json"))
        #expect(lines.count == 30)
        #expect(lines.allSatisfy { $0.texts == [Self.text] })
        #expect(lines.first?.seconds == 0)
        #expect(abs((lines.last?.seconds ?? 0) - 29.0 / 30) < 0.001)
        let first = try #require(lines.first)
        #expect(first.json["width"]?.wholeNumber == 320 && first.json["height"]?.wholeNumber == 240)
        let side = 29.0 * 3
        for (corner, real) in zip(
            first.corners,
            [[100, 60], [100 + side, 60], [100 + side, 60 + side], [100, 60 + side]])
        {
            #expect(abs(corner[0] * 320 - real[0]) <= 2 && abs(corner[1] * 240 - real[1]) <= 2)
        }
    }

    @Test(
        "for people a code is printed once, when it comes into view; a rate looks at fewer frames")
    func people() throws {
        let all = try run("detect", "c.mp4")
        #expect(all.outputText.split(separator: "\n").count == 1)
        #expect(all.outputText.hasSuffix("  \(Self.text)\n"), "\(all.outputText)")
        #expect(all.errorText.contains("60 frames looked at, 30 with codes"), "\(all.errorText)")
        let few = try run("detect", "c.mp4", "--rate", "5")
        #expect(few.errorText.contains("10 frames looked at, 5 with codes"), "\(few.errorText)")
        let picture = try run("detect", "q.png")
        #expect(
            picture.errorText.contains("1 frame looked at, 1 with codes"), "\(picture.errorText)")
    }

    @Test("other kinds and other places are not looked at")
    func narrowed() throws {
        for words in [["--kinds", "ean13,aztec"], ["--region", "0,0.8,1,0.2"]] {
            let result = try Program.vcap.run(["detect", "c.mp4"] + words, in: folder.path)
            #expect(result.status == 0 && result.outputText.isEmpty, "\(result.errorText)")
        }
    }

    @Test("a camera's frames are looked at at a rate, with times of the host clock")
    func camera() throws {
        let lines = try lines(run("detect", "-c", "file:c.mp4", "-t", "900ms", "--json"))
        #expect((2...6).contains(lines.count), "\(lines.count)")
        #expect(lines.allSatisfy { $0.texts == [Self.text] && $0.time.hasSuffix("/1000000000") })
    }

    @Test(
        "what cannot be is refused by name before anything is opened",
        arguments: [
            ([], "say what to look at"), (["c.mp4", "-c", "test:"], "exclude each other"),
            (["-c", "test:", "--recorded"], "--recorded is for a movie"),
            (["c.mp4", "-s", "720p"], "--size is for a camera"),
            (["c.mp4", "--recorded", "--rate", "3"], "leave out --rate"),
            (["c.mp4", "--kinds", "face"], "--kinds takes"),
            (["c.mp4", "--region", "0.5,0,0.6,1"], "--region takes"),
        ])
    func refused(_ words: [String], _ sentence: String) throws {
        let result = try Program.vcap.run(["detect"] + words, in: folder.path)
        #expect(result.status == ExitCode.usage.rawValue)
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
    }

    @Test(
        "a file that is missing is one line of JSON, and a movie without a track of codes a sentence"
    )
    func failures() throws {
        let missing = try run("detect", "none.mp4", "--json")
        #expect(missing.status == ExitCode.noInput.rawValue)
        #expect(missing.outputText.split(separator: "\n").count == 1)
        let unrecorded = try run("detect", "c.mp4", "--recorded")
        #expect(unrecorded.status == ExitCode.badData.rawValue)
        #expect(unrecorded.errorText.contains("leave out --recorded"), "\(unrecorded.errorText)")
    }

    @Test("a camera that is gone when the time is over is said at once, and 69", arguments: [0, 1])
    func goneCamera(after seconds: Int) throws {
        let result = try run(
            "detect", "-c", "test:unplug=\(seconds)+100", "-t", "2s", "--kinds", "qr")
        #expect(result.status == ExitCode.noDevice.rawValue)
        #expect(
            result.errorText.components(separatedBy: "was unplugged").count == 3,
            "the warning and the failure: \(result.errorText)")
    }

    @Test("a camera that comes back is looked at again, and that is said")
    func camerasReturn() throws {
        let result = try run("detect", "-c", "test:unplug=0.5+1", "-t", "4s", "--kinds", "qr")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("is back"), "\(result.errorText)")
    }

    @Test(
        "frames of a damaged movie that cannot be decoded are counted, and a movie cut off is said to be"
    )
    func damaged() throws {
        let made = try #require(ffmpeg).run(
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=320x240:rate=30:duration=8",
                "-pix_fmt", "yuv420p", "-g", "30", "long.mp4",
            ], in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
        let copied = try #require(ffmpeg).run(
            ["-v", "error", "-i", "long.mp4", "-c", "copy", "long.mkv"], in: folder.path)
        #expect(copied.status == 0, "\(copied.errorText)")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("long.mp4"))))
        for index in bytes.count / 3..<bytes.count / 2 { bytes[index] = UInt8(index * 77 & 0xFF) }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("long.mp4")))
        let hurt = try run("detect", "long.mp4", "--kinds", "qr")
        #expect(hurt.status == 0)
        #expect(hurt.errorText.contains("could not be decoded whole"), "\(hurt.errorText)")

        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("long.mkv")))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: folder.file("cut.mkv")))
        let cut = try run("detect", "cut.mkv", "--kinds", "qr")
        #expect(cut.errorText.contains("is cut off or damaged"), "\(cut.errorText)")
    }

    @Test("when its reader has gone nothing more is looked at")
    func readerGone() throws {
        let vcap = Program.vcap.path
        let piped = try Program(path: "/bin/sh").run(
            ["-c", "{ sleep 0.3; '\(vcap)' detect c.mp4 --json; echo $? >&2; } | true"],
            in: folder.path)
        #expect(piped.errorText.contains("1 frame looked at"), "\(piped.errorText)")
        #expect(piped.errorText.hasSuffix("\n0\n"), "\(piped.errorText)")
    }

    @Test(
        "what is found while recording is in the movie, and comes back from it and from what it is converted to",
        arguments: ["mov", "mp4"])
    func recorded(ending: String) throws {
        let take = try run(
            "record", "-c", "file:c.mp4", "-a", "none", "-t", "3s", "--detect", "codes",
            "--pressure", "off", "-o", "take.\(ending)")
        #expect(take.status == 0, "\(take.errorText)")
        let report = try JSONParser.parse(
            Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json")))),
            as: .json)
        let track = try #require(report["tracks"]?.elements?.last)
        #expect(track["mediaType"]?.text == "metadata")
        #expect((track["detections"]?["analyzed"]?.wholeNumber ?? 0) >= 8, "\(take.errorText)")
        #expect(report["verdict"]?.text == "good", "\(take.errorText)")
        let probe = try run("probe", "take.\(ending)")
        #expect(probe.outputText.contains("org.vcap.detected-code (json)"), "\(probe.outputText)")
        let found = try lines(run("detect", "take.\(ending)", "--recorded", "--json"))
        #expect(found.count >= 4 && found.allSatisfy { $0.texts == [Self.text] })
        // the movie shows the code for one second, and from two seconds on again
        let isShown = { (seconds: Double) in seconds < 1.05 || seconds > 1.95 }
        #expect(found.allSatisfy { isShown($0.seconds) }, "\(found.map(\.seconds))")
        for other in ["mov", "mp4"] {
            let converted = try run("convert", "take.\(ending)", "-o", "again.\(other)", "-y")
            #expect(converted.status == 0, "\(converted.errorText)")
            let again = try lines(run("detect", "again.\(other)", "--recorded", "--json"))
            #expect(
                again.map { $0.json["codes"]?.compact } == found.map { $0.json["codes"]?.compact })
            #expect(again.map(\.time) == found.map(\.time))
        }
        let played = try #require(Program.tool("ffprobe")).run(
            ["-v", "error", "-show_entries", "stream=codec_type,nb_frames", "take.\(ending)"],
            in: folder.path)
        #expect(
            played.status == 0 && played.outputText.contains("nb_frames=90"), "\(played.errorText)")
    }

    @Test(
        "a take that cannot have a track of codes is refused before a device is opened",
        arguments: [
            (["-c", "test:", "-o", "x.mkv"], "holds no metadata tracks"),
            (["-c", "none", "-a", "test:", "-o", "x.mov"], "no frames to look at"),
        ])
    func refusedTake(_ words: [String], _ sentence: String) throws {
        let result = try Program.vcap.run(
            ["record", "--detect", "codes", "-t", "1s"] + words, in: folder.path)
        #expect(result.status == ExitCode.usage.rawValue)
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("x.mkv")))
    }
}
