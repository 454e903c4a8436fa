import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

private let ffmpeg = Program.tool("ffmpeg")

@Suite(
    "vcap record and convert --filter", .enabled(if: ffmpeg != nil, "ffmpeg is not installed"),
    .tags(.realTime))
struct FilterVerbTests {
    private let folder: TemporaryFolder
    private static let (width, height) = (480, 270)

    /// A second and a half: a face moves to the right over grey.
    init() throws {
        folder = try TemporaryFolder()
        var canvas = LumaCanvas(width: 120, height: 130)
        canvas.draw(.face, x: 60, y: 66, width: 80)
        try Data(canvas.pgm).write(to: URL(fileURLWithPath: folder.file("one.pgm")))
        try tool(
            "-f", "lavfi", "-i", "color=0x808080:480x270:rate=30:duration=1.5", "-i", "one.pgm",
            "-filter_complex", "[0][1]overlay=x='20+t*140':y=60", "-pix_fmt", "yuv420p", "-g", "15",
            "-crf", "12", "c.mp4")
        try tool("-f", "lavfi", "-i", "color=red:64x64", "-frames:v", "1", "mask.png")
    }

    private func tool(_ words: String...) throws {
        let made = try #require(ffmpeg).run(["-v", "error"] + words, in: folder.path)
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func run(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, in: folder.path)
    }

    /// Decoded luma of each frame.
    private func frames(_ name: String) throws -> [[UInt8]] {
        let result = try #require(ffmpeg).run(
            [
                "-v", "error", "-i", name, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt",
                "gray", "-",
            ], in: folder.path)
        let size = Self.width * Self.height
        let bytes = Array(result.output)
        return stride(from: 0, to: bytes.count - size + 1, by: size).map {
            Array(bytes[$0..<$0 + size])
        }
    }

    /// How many neighbours differ within the face of a frame (0 to 1), by more than coding makes of what is even.
    private func detail(_ frame: [UInt8], at left: Int) -> Double {
        let (columns, rows) = (left + 28..<left + 92, 94..<158)
        var sum = 0
        for row in rows {
            for column in columns where column + 1 < Self.width {
                let base = row * Self.width + column
                sum += abs(Int(frame[base]) - Int(frame[base + 1])) > 4 ? 1 : 0
            }
        }
        return Double(sum) / Double(columns.count * rows.count)
    }

    /// Whether the face shows nothing of itself in any frame.
    private func expectCovered(_ name: String, _ count: Int, _ share: Double = 0.5) throws {
        let (made, own) = (try frames(name), try frames("c.mp4"))
        #expect(made.count == count)
        for (number, frame) in made.enumerated() where number < own.count {
            let left = 20 + number * 140 / 30
            #expect(
                detail(frame, at: left) < detail(own[number], at: left) * share, "frame \(number)")
        }
    }

    @Test("a recorded movie has the faces of every frame covered, and is the same elsewhere")
    func convert() throws {
        let made = try run(
            "convert", "c.mp4", "--filter", "mosaic-faces", "-o", "m.mp4", "--crf", "12", "--json")
        #expect(made.status == 0, "\(made.errorText)")
        try expectCovered("m.mp4", 45)
        let json = try JSONParser.parse(Array(made.output), as: .json)
        let filter = try #require(
            json["outputs"]?.elements?.first?["filters"]?.elements?.first
                ?? json["files"]?.elements?.first?["filters"]?.elements?.first, "\(made.outputText)"
        )
        #expect(filter["name"]?.text == "mosaic-faces" && filter["processed"]?.wholeNumber == 45)
        #expect((filter["covered"]?.wholeNumber ?? 0) >= 45 && filter["failed"]?.wholeNumber == 0)
        let (filtered, own) = (try frames("m.mp4"), try frames("c.mp4"))
        for (one, other) in zip(filtered, own) {
            // far below the face
            let differences = zip(one.suffix(480 * 30), other.suffix(480 * 30)).map {
                abs(Int($0) - Int($1))
            }
            #expect((differences.max() ?? 0) <= 3)
        }
        // control: what is converted without the filter shows the face
        #expect(
            try run(
                "convert", "c.mp4", "-o", "plain.mp4", "--crf", "12", "-s", "480x270", "--codec",
                "hevc"
            ).status == 0)
        let plain = try frames("plain.mp4")
        #expect(detail(plain[10], at: 66) > detail(filtered[10], at: 66) * 2)
    }

    @Test(
        "a take has the faces of every frame covered, says so, and takes no photo that would show them"
    )
    func record() throws {
        let take = try run(
            "record", "-c", "file:c.mp4", "-a", "none", "-t", "1s", "--filter", "mosaic-faces",
            "--pressure", "off", "--crf", "12", "-o", "take.mp4")
        #expect(take.status == 0, "\(take.errorText)")
        #expect(take.errorText.contains("mosaic-faces: "), "\(take.errorText)")
        let report = try JSONParser.parse(
            Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json")))),
            as: .json)
        let track = try #require(report["tracks"]?.elements?.first)
        let filter = try #require(track["filters"]?.elements?.first)
        #expect(track["frames"]?.wholeNumber == 30 && filter["name"]?.text == "mosaic-faces")
        #expect(filter["fallback"]?.text == "black" && (filter["covered"]?.wholeNumber ?? 0) > 0)
        let late = try #require(filter["late"]?.wholeNumber)
        let failed = try #require(filter["failed"]?.wholeNumber)
        // a busy machine may be late with some
        #expect(late + failed <= 10, "\(take.errorText)")
        try expectCovered("take.mp4", 30)
        // black frames would hide faces as well: far from the face the grey is there
        let grey = try frames("take.mp4").filter { frame in
            let corner = frame.suffix(Self.width * 30)
            return corner.reduce(0) { $0 + Int($1) } / corner.count > 100
        }
        #expect(grey.count >= 20, "\(grey.count)")
    }

    @Test("a sticker lies over the face of every frame")
    func sticker() throws {
        let made = try run(
            "convert", "c.mp4", "--filter", "sticker=mask.png", "-o", "s.mp4", "--crf", "12")
        #expect(made.status == 0, "\(made.errorText)")
        try expectCovered("s.mp4", 45, 0.25)
        #expect(!made.errorText.contains("does not move"))
        try tool("-i", "c.mp4", "-frames:v", "3", "moving.gif")
        let moving = try run(
            "convert", "c.mp4", "--filter", "sticker=moving.gif", "-o", "g.mp4", "--crf", "12")
        #expect(
            moving.status == 0 && moving.errorText.contains("a sticker does not move"),
            "\(moving.errorText)")
        let missing = try run("convert", "c.mp4", "--filter", "sticker=none.png", "-o", "x.mp4")
        #expect(
            missing.status == ExitCode.noInput.rawValue && missing.errorText.contains("none.png"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("x.mp4")))
    }

    @Test("a title lies behind what moves: the same title before it would hide it")
    func title() throws {
        try tool(
            "-f", "lavfi", "-i", "color=0x404040:160x90:rate=10:duration=2", "-f", "lavfi", "-i",
            "color=0xa0a0a0:40x60:rate=10:duration=2", "-filter_complex",
            "[0][1]overlay=x='60':y=15:enable='gte(t,1)'", "-pix_fmt", "yuv420p", "-crf", "12",
            "b.mp4")
        let made = try run(
            "convert", "b.mp4", "--filter", "matte=motion", "--behind", "title:WWW", "-o", "t.mp4",
            "--crf", "12")
        #expect(made.status == 0, "\(made.errorText)")
        let result = try #require(ffmpeg).run(
            ["-v", "error", "-i", "t.mp4", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
            in: folder.path)
        let bytes = Array(result.output)
        #expect(bytes.count == 160 * 90 * 20)
        /// The brightest of a part of a row of cells.
        func brightest(_ frame: Int, _ columns: Range<Int>) -> UInt8 {
            (35..<55).flatMap { row in columns.map { bytes[frame * 14_400 + row * 160 + $0] } }
                .max() ?? 0
        }
        // before the box comes the title is in the middle, and then behind it
        #expect(brightest(5, 64..<96) > 200, "\(brightest(5, 64..<96))")
        #expect(brightest(15, 66..<94) < 180, "\(brightest(15, 66..<94))")
    }

    @Test(
        "what cannot be is refused in a sentence, before anything is opened",
        arguments: [
            (["record", "-c", "test:", "-a", "none", "--filter", "mosaic"], "mosaic-faces"),
            (["record", "-c", "none", "-a", "test:", "--filter", "mosaic-faces"], "-c none"),
            (
                ["record", "-c", "test:", "--codec", "copy", "--filter", "mosaic-faces"],
                "--codec copy"
            ),
            (["record", "-c", "test:", "--live", "--filter", "mosaic-faces"], "--live"),
            (["record", "-c", "test:", "--filter", "matte=motion"], "--behind"),
            (["record", "-c", "test:", "--behind", "blur"], "--filter"),
            (
                ["record", "-c", "test:", "--filter", "matte=depth:2m..1m", "--behind", "blur"],
                "NEAR..FAR"
            ),
            (
                ["record", "-c", "test:", "--filter", "matte=depth:1m..2m", "--behind", "blur"],
                "depth camera"
            ),
            (
                ["convert", "c.mp4", "--filter", "matte=depth:1m..2m", "--behind", "blur"],
                "vcap record"
            ),
            (["convert", "c.mp4", "--codec", "copy", "--filter", "mosaic-faces"], "filter"),
            (["convert", "c.mp4", "--no-video", "--filter", "mosaic-faces"], "--filter"),
            (
                [
                    "convert", "c.mp4", "--filter", "matte=model:x.onnx,class=0,class=1",
                    "--behind",
                    "blur",
                ], "matte=model:FILE.onnx"
            ),
            (
                [
                    "convert", "c.mp4", "--filter", "matte=motion", "--behind",
                    "title:a\u{1B}[31mb",
                ], "control character"
            ),
            (
                [
                    "record", "-c", "test:format=z16,size=64x48,fps=10", "-a", "none", "--filter",
                    "mosaic-faces",
                ], "all that is recorded is depth"
            ),
        ])
    func refused(_ words: [String], _ expected: String) throws {
        let result = try Program.vcap.run(words + ["-o", "x.mp4"], in: folder.path)
        #expect(result.status != 0, "\(result.errorText)")
        #expect(result.errorText.contains(expected), "\(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("x.mp4")))
    }

    @Test(
        "without its library everything else works, a matte by motion too, and a sentence names what is missing"
    )
    func missing() throws {
        let program = Program(path: folder.file("vcap"))
        try FileManager.default.copyItem(atPath: Program.vcap.path, toPath: program.path)
        for words in [
            ["record", "-c", "test:", "-a", "none", "-t", "1s"], ["convert", "c.mp4"],
        ] {
            for filter in ["mosaic-faces", "sticker=mask.png"] {
                let result = try program.run(
                    words + ["--filter", filter, "-o", "x.mp4"], in: folder.path)
                #expect(result.status == ExitCode.failedRunning.rawValue, "\(result.errorText)")
                #expect(
                    result.errorText.contains("libopencv-objdetect406"), "\(result.errorText)")
                #expect(!FileManager.default.fileExists(atPath: folder.file("x.mp4")))
            }
        }
        let matte = try program.run(
            [
                "record", "-c", "test:size=64x48,fps=10", "-a", "none", "-t", "1s", "--filter",
                "matte=motion", "--behind", "white", "-o", "x.mp4",
            ], in: folder.path)
        #expect(
            matte.status == 0 && matte.errorText.contains("verdict: good"), "\(matte.errorText)")
    }

    @Test("a depth camera says what is foreground: the wall behind the box is gone")
    func depth() throws {
        let take = try run(
            "record", "-c", "test:size=64x48,fps=10", "-c", "test:format=z16,size=64x48,fps=10",
            "-a",
            "none", "-t", "1s", "--filter", "matte=depth:0.1m..1.5m", "--behind", "white", "-o",
            "d.mkv")
        #expect(take.status == 0, "\(take.errorText)")
        #expect(take.errorText.contains("depth is not filtered"), "\(take.errorText)")
        let result = try #require(ffmpeg).run(
            [
                "-v", "error", "-i", "d.mkv", "-map", "0:v:0", "-f", "rawvideo", "-pix_fmt", "gray",
                "-",
            ],
            in: folder.path)
        let bytes = Array(result.output)
        let size = 64 * 48
        let frames = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<$0 + size] }
        let white = frames.map { frame in frame.count { $0 > 245 } }
        #expect(white.contains { $0 > size / 4 && $0 < size }, "\(white)")
        // a frame whose depth came too late is black, and none shows the wall
        for (frame, white) in zip(frames, white) where white <= size / 4 {
            #expect(frame.allSatisfy { $0 < 32 }, "\(white)")
        }
    }
}
