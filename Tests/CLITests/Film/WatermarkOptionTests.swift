import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Where compose puts a watermark", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct WatermarkOptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames, clip.tone) = (160, 120, 30, nil)
        try clip.write(to: folder.file("a.mp4"))
        let tool = try #require(Program.tool("ffmpeg"))
        let words = ["-v", "error", "-f", "lavfi", "-i", "color=c=white:s=16x16", "-frames:v", "1"]
        #expect(try tool.run(words + [folder.file("white.png")]).status == 0)
    }

    private func compose(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(
            ["compose", "a.mp4"] + words, environment: ["HOME": folder.path], in: folder.path)
    }

    /// Luma of a place in the frame at a second of the movie.
    private func luma(_ name: String, _ x: Int, _ y: Int, at second: String) throws -> Int {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-ss", second, "-i", folder.file(name), "-frames:v", "1", "-vf",
            "crop=2:2:\(x):\(y)", "-f", "rawvideo", "-pix_fmt", "gray", "-",
        ])
        return Int(try #require(result.output.first))
    }

    @Test("an image is at the place asked for, as strong, large and long as asked for")
    func places() throws {
        let mark = ["--watermark", "white.png", "--watermark-size", "0.2", "--watermark-opacity"]
        let exact = try compose(
            mark + [
                "1", "--watermark-at", "40,60", "--watermark-start", "0.3s",
                "--watermark-duration", "0.4s", "-o", "x.mp4",
            ])
        #expect(exact.status == 0, "\(exact.errorText)")
        // 24 pixels from 40, 60 on
        #expect(try luma("x.mp4", 50, 70, at: "0.5") > 220)
        #expect(try luma("x.mp4", 30, 70, at: "0.5") < 140)
        #expect(try luma("x.mp4", 70, 70, at: "0.5") < 140)
        #expect(try luma("x.mp4", 50, 70, at: "0.1") < 140)
        #expect(try luma("x.mp4", 50, 70, at: "0.8") < 140)
        let middle = try compose(mark + ["0.5", "--watermark-at", "center", "-o", "y.mp4"])
        #expect(middle.status == 0, "\(middle.errorText)")
        #expect((150...205).contains(try luma("y.mp4", 80, 60, at: "0.5")))
        let edge = try compose(
            mark + ["1", "--watermark-at", "left", "--watermark-margin", "0", "-o", "z.mp4"])
        #expect(edge.status == 0, "\(edge.errorText)")
        #expect(try luma("z.mp4", 2, 60, at: "0.5") > 220)
    }

    @Test("a watermark that would never be seen is refused or reported")
    func unseen() throws {
        let late = try compose(["--watermark", "W", "--watermark-start", "10", "-o", "l.mp4"])
        #expect(late.status != 0 && late.errorText.contains("the watermark comes at"))
        for (words, part) in [
            (["--watermark-opacity", "0"], "opacity is 0"),
            (["--watermark-opacity", "0.001"], "opacity, 0.001"),
            (["--watermark-at", "5000,20"], "5000,20, nothing of it is inside"),
            (["--watermark-at", "-40,10"], "-40,10, nothing of it is inside"),
            (["--watermark-margin", "1"], "its margin leaves no room"),
            (
                ["--watermark-start", "0.34", "--watermark-duration", "0.01"],
                "the film has no frame"
            ),
        ] {
            let result = try compose(["--watermark", "W", "-o", "u.mp4", "-y"] + words)
            #expect(result.status == 0, "\(words): \(result.errorText)")
            #expect(result.errorText.contains(part), "\(result.errorText)")
        }
        for blank in ["", " ", "\u{3000}\n"] {
            let result = try compose(["--watermark", blank, "-o", "b.mp4"])
            #expect(result.status != 0, "\(result.errorText)")
            #expect(result.errorText.contains("watermark"), "\(result.errorText)")
            #expect(!folder.contents.contains("b.mp4"))
        }
        // controls: faint, at the edge and short, but seen
        for words in [
            ["--watermark-opacity", "0.01"],
            ["--watermark-at", "-4,-4", "--watermark-size", "0.5"],
            ["--watermark-margin", "0.2"],
            ["--watermark-start", "0.33", "--watermark-duration", "0.01"],
        ] {
            let result = try compose(["--watermark", "W", "-o", "u.mp4", "-y"] + words)
            #expect(result.status == 0, "\(words): \(result.errorText)")
            #expect(!result.errorText.contains("not seen"), "\(result.errorText)")
        }
        let first = try compose(["--watermark", "W", "--watermark-start", "0", "-o", "f.mp4"])
        #expect(first.status == 0 && !first.errorText.contains("watermark"), "\(first.errorText)")
    }

    @Test("an option about a watermark that is not there, and a place that is none, are refused")
    func refusals() throws {
        for (words, part) in [
            (["--watermark-at", "left"], "--watermark TEXT"),
            (["--watermark", "W", "--watermark-at", "middle"], "--watermark-at"),
            (["--watermark", "W", "--watermark-size", "2"], "--watermark-size"),
            (
                ["--watermark", "W", "--watermark-at", "1,2", "--watermark-margin", "0.1"],
                "--watermark-margin"
            ),
            (
                ["--watermark", "W", "--watermark-at", "center", "--watermark-margin", "0.1"],
                "--watermark-margin"
            ),
        ] {
            let result = try compose(words + ["-o", "x.mp4"])
            #expect(result.status == ExitCode.usage.rawValue, "\(words): \(result.errorText)")
            #expect(result.errorText.contains(part), "\(result.errorText)")
        }
    }
}
