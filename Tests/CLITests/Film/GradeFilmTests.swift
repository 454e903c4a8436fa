import Compose
import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

/// Films with a grade, compared with what ffmpeg makes of the same.
@Suite("Graded films", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct GradeFilmTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        try Data(Self.look.utf8).write(to: URL(fileURLWithPath: folder.file("look.cube")))
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func ffmpeg(_ words: [String]) throws {
        let result = try #require(Program.tool("ffmpeg")).run(["-v", "error", "-y"] + words)
        try #require(result.status == 0, "\(result.errorText)")
    }

    /// A look that bends each colour otherwise and mixes some of them.
    private static let look: String = {
        var lines = ["TITLE \"Bent\"", "LUT_3D_SIZE 17"]
        for blue in 0..<17 {
            for green in 0..<17 {
                for red in 0..<17 {
                    let (r, g, b) = (Double(red) / 16, Double(green) / 16, Double(blue) / 16)
                    lines.append(
                        "\(r * r * (3 - 2 * r)) \(0.9 * g + 0.1 * r * b) \(0.1 + 0.8 * b * (1 - 0.3 * r))"
                    )
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    /// Blocks of 16x16 pixels of random colours, so that in the middle of one nothing of another is seen.
    private func makeBlocks(_ pixels: String) throws {
        var random = SplitMix(seed: 11)
        var bytes: [UInt8] = []
        for _ in 0..<20 * 15 * 3 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("small.rgb")))
        try ffmpeg([
            "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "20x15", "-i", folder.file("small.rgb"),
            "-vf",
            "scale=320:240:flags=neighbor,format=gbrp,zscale=matrixin=gbr:rangein=full:matrix=709:range=limited,"
                + "format=\(pixels),setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv",
            "-c:v", "ffv1", folder.file("blocks.mkv"),
        ])
    }

    /// Codes in the middle of each block, plane by plane.
    private func middles(_ words: [String], isDeep: Bool) throws -> [[Int]] {
        let pixels = isDeep ? "yuv444p10le" : "yuv444p"
        // chroma in the middle of a block is that of all its samples
        try ffmpeg(
            words + [
                "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", pixels, folder.file("raw"),
            ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("raw"))))
        let size = isDeep ? 2 : 1
        try #require(bytes.count == 320 * 240 * 3 * size)
        return (0..<3).map { plane in
            (0..<20 * 15).map { block in
                let (x, y) = (block % 20 * 16 + 8, block / 20 * 16 + 8)
                let place = (plane * 320 * 240 + y * 320 + x) * size
                return isDeep ? Int(bytes[place]) | Int(bytes[place + 1]) << 8 : Int(bytes[place])
            }
        }
    }

    @Test("a look is that of ffmpeg's lut3d to one code", arguments: [false, true])
    func lookup(isDeep: Bool) throws {
        try makeBlocks(isDeep ? "yuv420p10le" : "yuv420p")
        let made = try run([
            "compose", "blocks.mkv", "--lut", "look.cube", "--codec", "ffv1", "-o", "film.mkv",
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let own = try middles(["-i", folder.file("film.mkv")], isDeep: isDeep)
        let theirs = try middles(
            [
                "-i", folder.file("blocks.mkv"), "-vf",
                "zscale=matrixin=709:rangein=limited:matrix=gbr:range=full,format=gbrpf32le,"
                    + "lut3d=\(folder.file("look.cube")):interp=tetrahedral,"
                    + "zscale=matrixin=gbr:matrix=709:range=limited",
            ], isDeep: isDeep)
        let source = try middles(["-i", folder.file("blocks.mkv")], isDeep: isDeep)
        var worst = 0
        var total = 0
        for plane in 0..<3 {
            for (code, other) in zip(own[plane], theirs[plane]) {
                worst = max(worst, abs(code - other))
                total += abs(code - other)
            }
        }
        // 10 bits are interpolated: less than half a code of 8 bits off on average
        #expect(isDeep ? worst <= 8 && total < 300 * 3 * 2 : worst <= 1, "\(worst), \(total)")
        // the control: it is another frame than the source
        let change = zip(own[0], source[0]).reduce(0) { $0 + abs($1.0 - $1.1) }
        #expect(change > 300 * 4)
    }

    @Test(
        "exposure doubles the light, saturation 0 leaves no colour, in the film that others decode")
    func values() throws {
        try makeBlocks("yuv420p")
        _ = try run([
            "compose", "blocks.mkv", "--grade", "saturation=0", "--codec", "ffv1", "-o", "gray.mkv",
        ])
        let gray = try middles(["-i", folder.file("gray.mkv")], isDeep: false)
        #expect(Set(gray[1] + gray[2]) == [128])
        _ = try run([
            "compose", "blocks.mkv", "--grade", "saturation=0,exposure=-1", "--codec", "ffv1", "-o",
            "dark.mkv",
        ])
        let dark = try middles(["-i", folder.file("dark.mkv")], isDeep: false)
        for (one, two) in zip(gray[0], dark[0]) where one > 60 && one < 235 {
            let light = pow(Double(one - 16) / 219, 2.4) / pow(Double(two - 16) / 219, 2.4)
            #expect((light - 2).magnitude < 0.25, "\(one) \(two)")
        }
    }

    @Test("key frames of a project fade a look in, frame by frame")
    func fading() throws {
        try ffmpeg([
            "-f", "lavfi", "-i", "color=0x808080:s=64x64:r=25:d=2", "-pix_fmt", "yuv420p", "-c:v",
            "ffv1", folder.file("gray.mkv"),
        ])
        let project = """
            { videos: [ { file: "gray.mkv", keyframes: [
              { time: 1, grade: { gain: 0.5 } } ] } ] }
            """
        try Data(project.utf8).write(to: URL(fileURLWithPath: folder.file("f.vcap.json5")))
        let made = try run(["export", "f.vcap.json5", "--codec", "ffv1", "-o", "film.mkv"])
        #expect(made.status == 0, "\(made.errorText)")
        try ffmpeg([
            "-i", folder.file("film.mkv"), "-f", "rawvideo", "-pix_fmt", "yuv420p",
            folder.file("raw"),
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("raw"))))
        try #require(bytes.count == 50 * 64 * 96)
        let first = Double(bytes[0]) - 16
        for frame in 0..<50 {
            let gain = 1 - 0.5 * min(1, Double(frame) / 25)
            let luma = Double(bytes[frame * 64 * 96])
            #expect((luma - 16 - first * gain).magnitude <= 0.75, "frame \(frame): \(luma)")
        }
    }

    @Test("what is not right is said in one sentence")
    func refusals() throws {
        try makeBlocks("yuv420p")
        try Data("<html>".utf8).write(to: URL(fileURLWithPath: folder.file("page.cube")))
        for (words, status, sentence) in [
            (
                ["--grade", "exposur=1"], Int32(64),
                "--grade: it has no key \"exposur\"; did you mean \"exposure\"?"
            ),
            (
                ["--grade", "exposure=9"], 64,
                "--grade: exposure must be a number from -8 to 8, not \"9\""
            ),
            (["--grade", "exposure"], 64, "--grade"),
            (["--grade", "tint=1,tint=2"], 64, "--grade: tint is there twice"),
            (["--grade", "gain=1/2"], 64, "or three for red/green/blue, not \"1/2\""),
            (
                ["--grade", "lut-strength=0.5"], 64,
                "lut-strength is for the table of --lut, and there is none"
            ),
            (["--lut", "none.cube"], 66, "none.cube cannot be read: No such file or directory"),
            (
                ["--lut", "page.cube"], 65,
                "page.cube cannot be used: line 1 begins with \"<html>\""
            ),
            (
                ["--grade", "tint=1", "--preset", "passthrough"], 64,
                "graded, which has to be rendered"
            ),
        ] {
            let made = try run(["compose", "blocks.mkv", "-o", "x.mp4"] + words)
            #expect(made.status == status, "\(words): \(made.errorText)")
            #expect(made.errorText.contains(sentence), "\(words): \(made.errorText)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("x.mp4")))
    }

    @Test("a table that is not there is said before the take, not after it")
    func beforeTheTake() throws {
        for words in [["--lut", "none.cube"], ["--grade", "exposur=1"]] {
            let made = try run(
                ["record", "-c", "test:", "-t", "1s", "-s", "320x240", "-o", "take.mp4", "--then"]
                    + ["compose"] + words)
            #expect(made.status == (words[0] == "--lut" ? 66 : 64), "\(made.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("take.mp4")))
        }
    }

    @Test("neither a take nor its film is written over what the film is made of")
    func overInputs() throws {
        try ffmpeg([
            "-f", "lavfi", "-i", "gradients=s=64x48", "-frames:v", "1", "-f", "image2", "-c:v",
            "png",
            folder.file("wipe.png"),
        ])
        for (name, option) in [
            ("look.cube", ["--lut", "in.mp4"]), ("wipe.png", ["--transition", "luma-in.mp4:1s"]),
            ("wipe.png", ["--watermark", "in.mp4"]),
        ] {
            let before = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
            try before.write(to: URL(fileURLWithPath: folder.file("in.mp4")))
            for (take, film) in [("in.mp4", "film.mp4"), ("take.mp4", "in.mp4")] {
                let made = try run(
                    ["record", "-c", "test:", "-t", "1s", "-s", "320x240", "-y", "-o", take]
                        + ["--then", "compose", "-y", "-o", film] + option)
                #expect(made.status == 73, "\(option) \(take): \(made.errorText)")
                #expect(made.errorText.contains("in.mp4"), "\(made.errorText)")
                let after = try Data(contentsOf: URL(fileURLWithPath: folder.file("in.mp4")))
                #expect(after == before)
                #expect(!FileManager.default.fileExists(atPath: folder.file("take.mp4")))
            }
        }
    }

    @Test("a project that is written keeps the grade and where its table lies")
    func saved() throws {
        try makeBlocks("yuv420p")
        let made = try run([
            "compose", "blocks.mkv", "--lut", "look.cube", "--grade",
            "lut-strength=0.5,gain=1/0.9/0.8,curve=0/0 0.5/0.6 1/1", "-o", "f.vcap.json5",
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let text = try String(contentsOfFile: folder.file("f.vcap.json5"), encoding: .utf8)
        #expect(text.contains("lut: \"look.cube\"") && text.contains("lutStrength: 0.5"), "\(text)")
        #expect(text.contains("curve: \"0/0 0.5/0.6 1/1\""), "\(text)")
        let film = try run(["export", "f.vcap.json5", "-o", "film.mp4"])
        #expect(film.status == 0, "\(film.errorText)")
    }

    @Test("a film whose table has changed is another one, so no unfinished part of it is continued")
    func digest() throws {
        try makeBlocks("yuv420p")
        func digest(_ words: [String] = []) throws -> String {
            let made = try run(
                ["compose", "blocks.mkv", "--lut", "look.cube", "--plan", "--json"] + words)
            #expect(made.status == 0, "\(made.errorText)")
            let plan = try JSONSerialization.jsonObject(with: Data(made.output)) as? [String: Any]
            return try #require(plan?["digest"] as? String)
        }
        let before = try digest()
        #expect(try digest() == before)
        #expect(try digest(["--grade", "lut-strength=0.5"]) != before)
        try Data((Self.look + "\n").utf8).write(
            to: URL(fileURLWithPath: folder.file("look.cube")))
        #expect(try digest() != before)
    }
}
