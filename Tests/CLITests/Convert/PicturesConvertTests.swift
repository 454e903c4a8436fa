import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite(
    "Movies that become pictures", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct PicturesConvertTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func convert(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(
            ["convert"] + words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func tool(_ name: String, _ words: String...) throws -> Program.Result {
        let result = try #require(Program.tool(name), "\(name) is not installed")
            .run(words, in: folder.path)
        try #require(result.status == 0, "\(name): \(result.errorText)")
        return result
    }

    private func clip(_ name: String) throws {
        var clip = GeneratedClip()
        clip.frames = 24
        clip.coding = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "8", "-bf", "2"]
        try clip.write(to: folder.file(name))
    }

    /// The delays of a GIF (1/100 s) as gifsicle reads them.
    private func delays(_ name: String) throws -> [Int] {
        String(decoding: try tool("gifsicle", "-I", name).output, as: UTF8.self)
            .split(separator: "\n").filter { $0.contains("delay") }.compactMap { line in
                line.split(separator: " ").last.flatMap { Double($0.dropLast()) }
                    .map { Int(($0 * 100).rounded()) }
            }
    }

    @Test("a movie becomes a GIF with rounded times that add up, and its sound's loss is reported")
    func animation() throws {
        try clip("in.mp4")
        let made = try convert("in.mp4", "-o", "out.gif", "-s", "160x90")
        #expect(made.status == 0, "\(made.errorText)")
        #expect(made.errorText.contains("audio of in.mp4 is left out"), "\(made.errorText)")
        let found = try delays("out.gif")
        #expect(found.reduce(0, +) == 80, "\(found)")
        #expect(found.allSatisfy { $0 == 3 || $0 == 4 || $0 == 7 || $0 == 6 }, "\(found)")
        // the numbers painted into the pictures are still there, in order
        let numbers = try MovieOracle(folder.file("in.mp4")).frameNumbers()
        #expect(numbers == Array(0..<24))
        _ = try convert("out.gif", "-o", "back.mp4", "--crf", "8")
        #expect(try MovieOracle(folder.file("back.mp4")).duration() == 0.8)
    }

    @Test("a movie becomes numbered pictures, each the frame it was")
    func numbered() throws {
        try clip("in.mp4")
        let made = try convert("in.mp4", "-o", "frames/%04d.png")
        #expect(made.status == 0, "\(made.errorText)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("frames"))
        #expect(names.sorted() == (1...24).map { String(format: "%04d.png", $0) })
        // FFV1 of the pictures is compared by libav's own conversion of the movie
        let ours = try tool(
            "ffmpeg", "-v", "error", "-i", "frames/%04d.png", "-pix_fmt", "rgb24", "-f", "rawvideo",
            "-"
        ).output
        let theirs = try tool(
            "ffmpeg", "-v", "error", "-i", "in.mp4", "-vf", "scale=flags=bicubic+accurate_rnd",
            "-pix_fmt", "rgb24", "-f", "rawvideo", "-"
        ).output
        #expect(ours.count == theirs.count)
        // the range is that of RGB, black 0 and white 255
        #expect(try #require(ours.min()) < 6 && #require(ours.max()) > 249)
        let error = zip(ours, theirs).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(error) / Double(max(1, ours.count)) < 2.1)
        // again: not over them without -y, and what is left of a longer run is reported
        let refused = try convert("in.mp4", "-o", "frames/%04d.png")
        #expect(refused.status == 73, "\(refused.errorText)")
        #expect(refused.errorText.contains("frames/0001.png exists"), "\(refused.errorText)")
        let shorter = try convert("in.mp4", "-o", "frames/%04d.png", "-y", "--range", "0..0.4s")
        #expect(shorter.status == 0, "\(shorter.errorText)")
        #expect(
            shorter.errorText.contains("frames/0013.png and 11 later ones are of an earlier"),
            "\(shorter.errorText)")
    }

    @Test(
        "a still becomes a picture of another kind, its opacity kept in PNG, over a colour in JPEG")
    func single() throws {
        _ = try tool(
            "convert-im6.q16", "-size", "33x21", "xc:none", "-fill", "#ff8000", "-draw",
            "rectangle 0,0 15,20", "in.webp")
        let png = try convert("in.webp", "-o", "out.png")
        #expect(png.status == 0, "\(png.errorText)")
        let pixels = try tool("convert-im6.q16", "out.png", "-depth", "8", "rgba:-").output
        #expect(pixels.count == 33 * 21 * 4)
        #expect(pixels[3] == 255 && pixels[4 * 30 + 3] == 0)
        let jpeg = try convert("in.webp", "-o", "out.jpg", "--background", "white")
        #expect(jpeg.status == 0, "\(jpeg.errorText)")
        let colors = try tool("convert-im6.q16", "out.jpg", "-depth", "8", "rgb:-").output
        #expect(colors.count == 33 * 21 * 3)
        #expect(colors[3 * 30] > 250 && colors[3 * 30 + 2] > 250)
        #expect(colors[0] > 240 && colors[2] < 20)
    }

    /// Samples a pixel of a picture file, by ImageMagick.
    private func channels(_ name: String) throws -> String {
        let found = try tool("identify-im6.q16", "-format", "%[channels]\n", name)
        return found.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("a PNG has opacity only where there is some; all pictures of a run are of one kind")
    func channels() throws {
        try clip("in.mp4")
        for (name, color) in [("in.jpg", "xc:red"), ("opaque.png", "xc:#00ff00ff")] {
            _ = try tool("convert-im6.q16", "-size", "33x21", color, name)
        }
        _ = try tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=0.5", "in.gif")
        // the second picture alone is transparent in part
        _ = try tool(
            "convert-im6.q16", "-size", "8x8", "-delay", "10", "-dispose", "Background", "xc:red",
            "(", "-size", "8x8", "xc:none", "-draw", "rectangle 0,0 3,7", ")", "holes.gif")
        for name in ["in.jpg", "opaque.png"] {
            let still = try convert(name, "-o", "still.png", "-y")
            #expect(still.status == 0, "\(still.errorText)")
            // a still picture has no time, and so no speed
            #expect(still.errorText.contains("still.png: png encoded, "), "\(still.errorText)")
            #expect(!still.errorText.contains("real time"), "\(still.errorText)")
            #expect(try channels("still.png") == "srgb", "\(name)")
        }
        for (name, wanted) in [("in.mp4", "srgb"), ("in.gif", "srgb"), ("holes.gif", "srgba")] {
            let made = try convert(name, "-o", "of/%02d.png", "-y", "--range", "0..0.2s")
            #expect(made.status == 0, "\(made.errorText)")
            #expect(made.errorText.contains("times real time"), "\(made.errorText)")
            for number in 1...2 {
                #expect(try channels("of/0\(number).png") == wanted, "\(name), \(number)")
            }
        }
    }

    @Test("a GIF is as long as its movie, to 1/100 s, at any rate")
    func length() throws {
        _ = try tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=1000/71:d=3.337",
            "-c:v", "ffv1", "in.mkv")
        let wanted = try MovieOracle(folder.file("in.mkv")).duration()
        for rate in ["7", "12", "15", "25", "30", "30000/1001", "50"] {
            let made = try convert("in.mkv", "-o", "out.gif", "-r", rate, "-y")
            #expect(made.status == 0, "\(made.errorText)")
            let found = try delays("out.gif").reduce(0, +)
            #expect(abs(Double(found) - 100 * wanted) <= 1, "\(rate): \(found), \(wanted)")
        }
    }

    @Test("what pictures cannot be is refused in a sentence")
    func refused() throws {
        try clip("in.mp4")
        for (words, part) in [
            (["in.mp4", "-o", "out.png"], "%06d"),
            (["in.mp4", "-o", "out.gif", "--crf", "20"], "leave"),
            (["in.mp4", "-o", "%02d-%02d.png"], "%06d"),
        ] {
            let result = try Program.vcap.run(
                ["convert"] + words, environment: ["HOME": folder.path], in: folder.path)
            #expect(result.status != 0 && result.errorText.contains(part), "\(result.errorText)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["in.mp4"])
    }

    @Test("the plan says what becomes pictures")
    func plan() throws {
        try clip("in.mp4")
        let made = try convert("in.mp4", "-o", "out.gif", "--plan")
        #expect(made.status == 0 && made.outputText.contains("gif"), "\(made.outputText)")
        let json = try convert("in.mp4", "-o", "f/%03d.jpg", "--plan", "--json")
        #expect(json.outputText.contains("\"codec\": \"jpeg\""), "\(json.outputText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["in.mp4"])
    }

    @Test("a still picture moves for as long as asked, and nothing else does")
    func motion() throws {
        // white on the left, black on the right
        _ = try tool(
            "convert-im6.q16", "-size", "200x100", "xc:black", "-fill", "white", "-draw",
            "rectangle 0,0 99,99", "in.png")
        let made = try convert(
            "in.png", "-t", "1s", "-s", "100x100", "--motion", "1@0,50:1@100,50", "-o", "out.mp4",
            "--crf", "8")
        #expect(made.status == 0, "\(made.errorText)")
        let movie = MovieOracle(folder.file("out.mp4"))
        #expect(try movie.duration() == 1)
        let lumas = try movie.middleColors().map(\.luma)
        #expect(lumas.count == 30)
        // the middle of the view wanders over the edge at half time
        #expect(lumas.prefix(10).allSatisfy { $0 > 220 } && lumas.suffix(10).allSatisfy { $0 < 30 })
        try clip("in.mp4")
        let refused = try convert("in.mp4", "-o", "moved.mp4", "--motion", "in")
        #expect(refused.status != 0, "\(refused.errorText)")
        #expect(refused.errorText.contains("still picture"), "\(refused.errorText)")
        let typo = try convert("in.png", "-t", "1s", "-o", "moved.mp4", "--motion", "0.5@1,1:1@0,0")
        #expect(typo.status == 64, "\(typo.errorText)")
    }
}
