import Foundation
import TestSupport
import Testing

@Suite(
    "Pictures of unusual sizes", .serialized,
    .enabled(
        if: SmallFiles.isPossible && Program.tool("time") != nil,
        "needs ffmpeg, ImageMagick, the tools of WebP, AVIF, HEIC and animated PNG, and time"))
struct LargePictureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func make(_ tool: String, _ words: [String]) throws {
        let made = try #require(Program.tool(tool)).run(words, in: folder.path)
        try #require(made.status == 0, "\(made.errorText)")
    }

    private func convert(_ words: String...) throws -> MeasuredRun {
        try MeasuredRun.vcap(["convert", "-y"] + words, in: folder)
    }

    private func size(_ name: String) throws -> String {
        try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0",
            folder.file(name),
        ]).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A sum over all of them.
    private func pixels(_ name: String) throws -> String {
        let words = ["-v", "error", "-i", name, "-pix_fmt", "rgb24", "-f", "md5", "-"]
        let sum = try #require(Program.tool("ffmpeg")).run(words, in: folder.path)
        try #require(sum.status == 0, "\(sum.errorText)")
        return sum.outputText
    }

    private static let large: [(String, String, [String], String)] = [
        ("a.jpg", "6000x4000", [], "1620,1080"), ("b.jpg", "9248x6936", [], "1440,1080"),
        ("c.jpg", "9248x6936", ["-interlace", "Plane"], "1440,1080"),
        ("d.png", "8000x8000", ["-depth", "8", "-alpha", "off", "-quality", "1"], "1080,1080"),
        ("e.png", "8000x8000", ["-depth", "8", "-alpha", "on", "-quality", "1"], "1080,1080"),
        ("f.png", "8000x8000", ["-depth", "16", "-alpha", "off", "-quality", "1"], "1080,1080"),
        ("g.png", "8000x8000", ["-depth", "16", "-alpha", "on", "-quality", "1"], "1080,1080"),
    ]

    @Test(
        "photographs of 24 and 64 megapixels become clips for less than 600 MB",
        arguments: Sweep.part(4, of: large))
    func photographs(_ name: String, _ pixels: String, _ options: [String], _ frame: String) throws
    {
        let words = ["-size", pixels, "gradient:red-blue"]
        try make("convert-im6.q16", words + options + [name])
        let run = try convert(name, "-t", "2s", "-o", "x.mp4")
        #expect(run.result.status == 0, "\(run.description)")
        #expect(run.peakMemory < 600_000_000, "\(run.description)")
        #expect(try size("x.mp4") == frame)
    }

    @Test("a panorama is made smaller for a movie, and as a picture only where a size is asked for")
    func panorama() throws {
        let bytes = Bombs.png(20_000, 1000, packedZeros: 20_001 * 1000)
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("wide.png")))
        let movie = try convert("wide.png", "-t", "200ms", "-o", "x.mp4")
        #expect(movie.result.status == 0, "\(movie.description)")
        #expect(try size("x.mp4") == "1920,96")
        let whole = try convert("wide.png", "-o", "whole.png")
        #expect(whole.result.status == 65, "\(whole.description)")
        #expect(whole.lines.count == 1 && whole.lines[0].contains("ask for a smaller size"))
        let smaller = try convert("wide.png", "-o", "smaller.png", "-s", "4000x200")
        #expect(smaller.result.status == 0, "\(smaller.description)")
        #expect(try size("smaller.png") == "4000,200")
        let film = try MeasuredRun.vcap(
            ["compose", "wide.png", "--still-duration", "200ms", "-o", "film.mp4"], in: folder)
        #expect(film.result.status == 0, "\(film.description)")
    }

    @Test("pictures above 33 megapixels go into FFV1 and come back as they were")
    func archive() throws {
        try make("convert-im6.q16", ["-size", "6144x6144", "gradient:red-blue", "PNG24:1.png"])
        try make("cp", ["1.png", "2.png"])
        let movie = try convert("1.png", "2.png", "--fps", "1", "--codec", "ffv1", "-o", "x.mkv")
        #expect(movie.result.status == 0, "\(movie.description)")
        #expect(try size("x.mkv") == "6144,6144")
        let back = try convert("x.mkv", "-o", "back-%02d.png")
        #expect(back.result.status == 0, "\(back.description)")
        #expect(try pixels("1.png") == pixels("back-01.png"))
        // other codecs keep many pictures
        try make(
            "ffmpeg", ["-v", "error", "-i", "1.png", "-c:v", "mjpeg", "-q:v", "31", "jpeg.mkv"])
        let refused = try convert("jpeg.mkv", "-o", "no.mp4")
        #expect(refused.lines.contains { $0.contains("33 megapixels") }, "\(refused.description)")
    }

    @Test("sides that are odd are reported, and the report has the sizes that were written")
    func odd() throws {
        try make("convert-im6.q16", ["-size", "33x25", "gradient:red-blue", "odd.png"])
        for (name, output, reported) in [("odd.png", "x.mp4", true), ("odd.png", "x.png", false)] {
            let run = try convert(name, "-t", "200ms", "-o", output, "--json")
            #expect(run.result.status == 0, "\(run.description)")
            #expect(run.lines.contains { $0.contains("33x25") } == reported, "\(run.description)")
            let written = try size(output).split(separator: ",")
            #expect(run.result.outputText.contains("\"width\": \(written[0])"))
            #expect(run.result.outputText.contains("\"height\": \(written[1])"))
        }
    }

    @Test("a GIF of one picture among pictures is one of them; one of many is not")
    func stillGIF() throws {
        for (name, color) in [("1.png", "red"), ("2.gif", "blue"), ("3.jpg", "lime")] {
            try make("convert-im6.q16", ["-size", "64x36", "xc:\(color)", name])
        }
        let run = try convert("1.png", "2.gif", "3.jpg", "--fps", "25", "-o", "x.mp4")
        #expect(run.result.status == 0, "\(run.description)")
        #expect(try MovieOracle(folder.file("x.mp4")).presentationTimes().count == 3)
        try Data(PlainGIF.bytes(delays: [5, 5], width: 64, height: 36))
            .write(to: URL(fileURLWithPath: folder.file("2.gif")))
        let refused = try convert("1.png", "2.gif", "3.jpg", "--fps", "25", "-o", "x.mp4")
        #expect(refused.result.status == 64, "\(refused.description)")
    }

    @Test("a GIF that ends without its last byte is shown, and that is reported")
    func withoutEnd() throws {
        let bytes = PlainGIF.bytes(delays: [7, 5, 9])
        try Data(bytes.dropLast()).write(to: URL(fileURLWithPath: folder.file("a.gif")))
        for output in ["x.mp4", "x.gif"] {
            let run = try convert("a.gif", "-o", output)
            #expect(run.result.status == 0, "\(run.description)")
            #expect(run.lines.contains { $0.contains("does not end as it should") }, "\(output)")
        }
        #expect(try MovieOracle(folder.file("x.mp4")).presentationTimes().count == 3)
    }
}
