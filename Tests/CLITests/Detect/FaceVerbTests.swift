import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

private let ffmpeg = Program.tool("ffmpeg")

@Suite(
    "vcap detect and record --detect for faces, bodies and cats",
    .enabled(if: ffmpeg != nil, "ffmpeg is not installed"), .tags(.realTime))
struct FaceVerbTests {
    private let folder: TemporaryFolder

    /// Two seconds: a face moves to the right, and below it another to the left. In the second one a cat stands between.
    init() throws {
        folder = try TemporaryFolder()
        for (name, figure, tone) in [
            ("one", DrawnFigure.face, 1.0), ("other", .face, 0.75), ("cat", .cat, 1),
        ] {
            var canvas = LumaCanvas(width: 120, height: 130)
            canvas.draw(figure, x: 60, y: 66, width: 80, tone: tone)
            try Data(canvas.pgm).write(to: URL(fileURLWithPath: folder.file("\(name).pgm")))
        }
        let made = try #require(ffmpeg).run(
            [
                "-v", "error", "-f", "lavfi", "-i", "color=0x808080:640x360:rate=30:duration=2",
                "-i", "one.pgm", "-i", "other.pgm", "-i", "cat.pgm", "-filter_complex",
                "[0][1]overlay=x='20+t*100':y=20[a];[a][2]overlay=x='380-t*100':y=200[b];"
                    + "[b][3]overlay=500:100:enable='gte(t,1)'",
                "-pix_fmt", "yuv420p", "-g", "15", "-crf", "18", "c.mp4",
            ], in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func run(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, in: folder.path)
    }

    /// Of each line of `--json` what it shows.
    private func lines(_ result: Program.Result) throws -> [(seconds: Double, objects: [JSONValue])]
    {
        #expect(result.status == 0, "\(result.errorText)")
        return try result.outputText.split(separator: "\n").map { text in
            let json = try JSONParser.parse(Array(text.utf8), as: .json)
            #expect(json["schema"]?.text == "vcap.detect/1" && json["codes"] == nil)
            return (
                try #require(json["seconds"]?.number), try #require(json["objects"]?.elements)
            )
        }
    }

    /// Whether the upper face is one throughout, and the lower one another.
    private func expectTwoFaces(
        _ lines: [(seconds: Double, objects: [JSONValue])], _ comment: Comment
    ) {
        var numbers: [Bool: Set<Int64>] = [:]
        for object in lines.flatMap(\.objects) where object["type"]?.text == "face" {
            let bounds = object["bounds"]?.elements?.compactMap(\.number) ?? []
            guard bounds.count == 4, let id = object["id"]?.wholeNumber else {
                Issue.record("\(object.compact)")
                return
            }
            numbers[bounds[1] < 0.4, default: []].insert(id)
        }
        #expect(numbers.count == 2 && numbers.values.allSatisfy { $0.count == 1 }, comment)
        #expect(Set(numbers.values).count == 2, comment)
    }

    @Test("of a movie each frame with faces is a line: where each is, and which one it is")
    func movie() throws {
        let lines = try lines(run("detect", "c.mp4", "--kinds", "faces", "--json", "--rate", "10"))
        #expect(lines.count == 20)
        #expect(lines.filter { $0.objects.count == 2 }.count >= 19)
        expectTwoFaces(lines, "faces")
        for (seconds, objects) in lines {
            for object in objects {
                let bounds = object["bounds"]?.elements?.compactMap(\.number) ?? []
                let isUpper = bounds[1] < 0.4
                let middle = (x: bounds[0] + bounds[2] / 2, y: bounds[1] + bounds[3] / 2)
                let real = isUpper ? (80 + seconds * 100, 86.0) : (440 - seconds * 100, 266.0)
                #expect(abs(middle.x * 640 - real.0) < 12 && abs(middle.y * 360 - real.1) < 14)
                #expect(object["roll"] == nil && (object["confidence"]?.number ?? 0) > 0.3)
            }
        }
    }

    @Test("for people each is printed once, when it comes into view, and kinds may be mixed")
    func people() throws {
        let faces = try run("detect", "c.mp4", "--kinds", "faces", "--rate", "5")
        let printed = faces.outputText.split(separator: "\n")
        #expect(printed.count == 2, "\(faces.outputText)")
        #expect(printed.allSatisfy { $0.hasPrefix("00:00:00.000  face  ") })
        #expect(Set(printed.map { $0.suffix(2) }) == ["#1", "#2"])
        #expect(faces.errorText.contains("10 frames looked at, 10 with faces"))
        let all = try run("detect", "c.mp4", "--kinds", "cats,faces,qr", "--rate", "5")
        let cat = try #require(all.outputText.split(separator: "\n").first { $0.contains("cat") })
        #expect(cat.hasPrefix("00:00:01.0") || cat.hasPrefix("00:00:01.2"), "\(cat)")
        #expect(all.errorText.contains("with codes, faces or cats"), "\(all.errorText)")
    }

    @Test("a thorough look says how far a face is tilted")
    func roll() throws {
        let turned = try #require(ffmpeg).run(
            [
                "-v", "error", "-i", "one.pgm", "-vf",
                "pad=320:240:100:60:0x808080,rotate=PI/6:c=0x808080", "t.png",
            ], in: folder.path)
        #expect(turned.status == 0, "\(turned.errorText)")
        let lines = try lines(run("detect", "t.png", "--kinds", "faces", "--thorough", "--json"))
        #expect(lines.first?.objects.first?["roll"]?.number == 30, "\(lines)")
    }

    @Test("a camera's frames are looked at while it runs")
    func camera() throws {
        let lines = try lines(
            run("detect", "-c", "file:c.mp4", "-t", "900ms", "--kinds", "faces", "--json"))
        #expect((2...6).contains(lines.count), "\(lines.count)")
        expectTwoFaces(lines, "camera")
    }

    @Test(
        "what is found while recording is in the movie, which loses nothing, and comes back from it",
        arguments: ["mov", "mp4"])
    func recorded(ending: String) throws {
        let take = try run(
            "record", "-c", "file:c.mp4", "-a", "none", "-t", "2s", "--detect", "faces,cats,codes",
            "--detect-rate", "4", "--pressure", "off", "-o", "take.\(ending)")
        #expect(take.status == 0, "\(take.errorText)")
        let report = try JSONParser.parse(
            Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json")))),
            as: .json)
        #expect(report["verdict"]?.text == "good", "\(take.errorText)")
        let played = try #require(Program.tool("ffprobe")).run(
            ["-v", "error", "-show_entries", "stream=nb_frames", "take.\(ending)"],
            in: folder.path)
        #expect(played.outputText.contains("nb_frames=60"), "\(played.outputText)")
        let probe = try run("probe", "take.\(ending)")
        for key in ["code", "face", "cat"] {
            #expect(probe.outputText.contains("org.vcap.detected-\(key)"), "\(probe.outputText)")
        }
        let found = try run("detect", "take.\(ending)", "--recorded", "--json")
        let all = try lines(found)
        #expect(all.count >= 4)
        expectTwoFaces(all, "recorded")
        let cats = try lines(
            run("detect", "take.\(ending)", "--recorded", "--json", "--kinds", "cats"))
        #expect(!cats.isEmpty && cats.allSatisfy { $0.seconds > 0.9 })
        let codes = try run("detect", "take.\(ending)", "--recorded", "--kinds", "codes")
        #expect(codes.status == 0 && codes.outputText.isEmpty)
        let converted = try run("convert", "take.\(ending)", "-o", "again.mov", "-y")
        #expect(converted.status == 0, "\(converted.errorText)")
        let again = try lines(run("detect", "again.mov", "--recorded", "--json"))
        #expect(again.map { $0.objects.map(\.compact) } == all.map { $0.objects.map(\.compact) })
    }

    @Test(
        "what cannot be looked for is refused by name, with what can be",
        arguments: ["dogs", "face", "faces,", "faces,qrr", ""])
    func refused(_ kinds: String) throws {
        let result = try run("detect", "c.mp4", "--kinds", kinds)
        #expect(result.status == ExitCode.usage.rawValue)
        #expect(
            result.errorText.contains("codes, faces, bodies, cats"), "\(result.errorText)")
    }

    @Test("without its library everything else works, and one sentence names what is missing")
    func missing() throws {
        let program = Program(path: folder.file("vcap"))
        try FileManager.default.copyItem(atPath: Program.vcap.path, toPath: program.path)
        let faces = try program.run(["detect", "c.mp4", "--kinds", "faces"], in: folder.path)
        #expect(faces.status == ExitCode.failedRunning.rawValue)
        #expect(faces.errorText.contains("libopencv-objdetect406"), "\(faces.errorText)")
        let refused = try program.run(
            [
                "record", "-c", "test:", "-a", "none", "-t", "1s", "--detect", "faces", "-o",
                "x.mov",
            ],
            in: folder.path)
        #expect(refused.status == ExitCode.failedRunning.rawValue)
        #expect(!FileManager.default.fileExists(atPath: folder.file("x.mov")))
        let take = try program.run(
            ["record", "-c", "test:", "-a", "none", "-t", "1s", "-o", "x.mov"], in: folder.path)
        #expect(take.status == 0, "\(take.errorText)")
    }
}
