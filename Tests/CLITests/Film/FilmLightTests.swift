import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

/// Frames of a high dynamic range where there is none: reported wherever one looks.
@Suite(
    "HDR in films and pictures", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct FilmLightTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        try make("sdr.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    }

    private func make(_ name: String, _ options: [String]) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let words = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.4"]
        let result = try tool.run(words + options + [folder.file(name)])
        try #require(result.status == 0, "\(result.errorText)")
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    @Test(
        "is reported by films, their plans and frames, and by conversions into pictures",
        arguments: [("smpte2084", "PQ (HDR)"), ("arib-std-b67", "HLG (HDR)")])
    func reported(_ transfer: String, _ name: String) throws {
        let colors = "colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc:log-level=none"
        try make(
            "hdr.mp4", ["-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params", colors])
        let film = ["compose", "sdr.mp4", "hdr.mp4"]
        let runs: [[String]] = [
            film + ["-o", "a.mp4", "--json"], film + ["--plan", "--json"],
            film + ["--still", "0.5s", "-o", "a.png", "--json"],
            ["compose", "hdr.mp4", "--still", "0.1s", "-o", "b.png", "--json"],
            ["convert", "--plan", "--json", "hdr.mp4", "-o", "a.gif"],
            ["convert", "--json", "hdr.mp4", "-o", "a.gif"],
            ["convert", "--json", "hdr.mp4", "-o", "c%02d.jpg", "--fps", "5"],
        ]
        for words in runs {
            let result = try run(words)
            #expect(result.status == 0, "\(words): \(result.errorText)")
            #expect(result.outputText.contains("are \(name)"), "\(words): \(result.outputText)")
            let isPlan = words.contains("--plan") && words[0] == "convert"
            #expect(isPlan || result.errorText.contains("are \(name)"), "\(words)")
        }
        // the control: a film that is HDR itself reports nothing
        let own = try run([
            "compose", "hdr.mp4", "--preset", "hevc-1080p", "-s", "1920x1080", "--plan",
        ])
        #expect(own.status == 0 && !own.errorText.contains("HDR"), "\(own.errorText)")
    }

    /// Two greys of ten bits, side by side (codes 573 and 400).
    private func makeGreys(_ name: String, _ transfer: String) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let greys = "format=yuv420p10le,geq=lum='if(lt(X,64),573,400)':cb=512:cr=512"
        let colors =
            "lossless=1:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc:log-level=none"
        let result = try tool.run([
            "-v", "error", "-f", "lavfi", "-i", "color=black:s=128x64:r=25:d=0.4,\(greys)",
            "-c:v", "libx265", "-x265-params", colors, folder.file(name),
        ])
        try #require(result.status == 0, "\(result.errorText)")
    }

    /// The middles of both halves of the first frame.
    /// - Parameter filter: what makes one byte a pixel of it.
    private func halves(_ name: String, _ filter: String) throws -> [Int] {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-i", folder.file(name), "-frames:v", "1", "-vf", filter, "-f",
            "rawvideo", "-y", folder.file("raw"),
        ])
        try #require(result.status == 0, "\(result.errorText)")
        let bytes = try Data(contentsOf: URL(filePath: folder.file("raw")))
        let width = bytes.count / 64
        return [bytes[32 * width + width / 4], bytes[32 * width + width * 3 / 4]].map(Int.init)
    }

    /// Diffuse white of PQ (203 cd/m²) is 159 of 203 by BT.2390's curve; HLG's code is 77 cd/m², which stays.
    @Test(
        "is toned in films, their frames, pictures and GIFs alike",
        arguments: [("smpte2084", 214, 230), ("arib-std-b67", 162, 170)])
    func toned(_ transfer: String, film: Int, picture: Int) throws {
        try makeGreys("greys.mp4", transfer)
        let tool = try #require(Program.tool("ffmpeg"))
        let sdr = try tool.run([
            "-v", "error", "-f", "lavfi", "-i", "color=gray:s=128x64:r=25:d=0.4", "-c:v", "libx264",
            "-pix_fmt", "yuv420p", folder.file("grey.mp4"),
        ])
        try #require(sdr.status == 0, "\(sdr.errorText)")
        func near(_ name: String, _ filter: String, _ wanted: [Int], _ most: Int) throws {
            let found = try halves(name, filter)
            #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= most }, "\(name): \(found)")
        }
        for words in [
            ["compose", "grey.mp4", "greys.mp4", "-o", "film.mp4", "--crf", "1"],
            ["compose", "greys.mp4", "--still", "0.1s", "-o", "still.png"],
            ["convert", "greys.mp4", "-o", "one-%02d.png", "--fps", "5"],
            ["convert", "greys.mp4", "-o", "moving.gif"],
            ["compose", "greys.mp4", "-o", "film.gif"],
            ["thumbs", "greys.mp4", "--every", "0.2s", "-o", "thumb-%02d.png"],
        ] {
            let result = try run(words)
            #expect(result.status == 0, "\(words): \(result.errorText)")
        }
        try near("film.mp4", "select=gte(n\\,11),extractplanes=y", [film, 110], 1)
        for name in ["still.png", "one-01.png", "thumb-01.png"] {
            try near(name, "format=rgb24,extractplanes=r", [picture, 110], 1)
        }
        for name in ["moving.gif", "film.gif"] {
            try near(name, "format=rgb24,extractplanes=r", [picture, 110], 4)
        }
        // the control: a film that stays HDR keeps its codes
        let own = try run([
            "compose", "greys.mp4", "-o", "hdr.mp4", "--preset", "hevc-1080p", "--crf", "1",
        ])
        #expect(own.status == 0, "\(own.errorText)")
        try near("hdr.mp4", "extractplanes=y,format=gray", [573 / 4, 100], 1)
    }

    private func convert(_ words: [String], _ name: String) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run(["-v", "error"] + words + [folder.file(name)])
        try #require(result.status == 0, "\(name): \(result.errorText)")
    }

    @Test(
        "white of pictures is diffuse white in HDR films, as clips and over them",
        arguments: [("smpte2084", 573), ("arib-std-b67", 721)])
    func pictures(_ transfer: String, white: Int) throws {
        try makeGreys("greys.mp4", transfer)
        let source = ["-f", "lavfi", "-i", "color=white:s=128x64", "-frames:v", "1"]
        try convert(source + ["-pix_fmt", "rgb24"], "w.png")
        try convert(source + ["-vf", "format=rgba,colorchannelmixer=aa=0.5"], "half.png")
        try convert(source + ["-pix_fmt", "yuvj444p"], "w.jpg")
        try convert(source, "w.gif")
        for name in ["w.png", "w.jpg", "w.gif"] {
            let result = try run([
                "compose", "greys.mp4", "\(name)@..0.4s", "-o", "film.mkv", "--codec", "ffv1", "-y",
            ])
            try #require(result.status == 0, "\(result.errorText)")
            let found = try halves(
                "film.mkv",
                "select=gte(n\\,12),extractplanes=y,format=gray10le,lut=y=val,format=gray")
            // no grey of the palette that ffmpeg makes for a GIF is brighter than 252
            let most = name == "w.gif" ? 3 : 1
            #expect(found.allSatisfy { abs($0 - white / 4) <= most }, "\(name): \(found)")
        }
        // half of white over the code 573 is half of both codes
        let over = try run([
            "compose", "greys.mp4", "--overlay", "half.png@..0.4s,left=0,top=0,width=1", "-o",
            "over.mkv", "--codec", "ffv1",
        ])
        try #require(over.status == 0, "\(over.errorText)")
        let found = try halves("over.mkv", "extractplanes=y,format=gray")
        #expect(abs(found[0] - (573 + white) / 8) <= 1, "\(found)")
    }

    @Test("clips with opacity are toned as others are")
    func opacity() throws {
        try makeGreys("greys.mp4", "smpte2084")
        try convert(
            [
                "-f", "lavfi", "-i", "color=gray:s=128x64:r=25:d=0.4", "-c:v", "libx264",
                "-pix_fmt", "yuv420p",
            ], "grey.mp4")
        try convert(
            [
                "-i", folder.file("greys.mp4"), "-c:v", "prores_ks", "-profile:v", "4444",
                "-pix_fmt",
                "yuva444p10le", "-alpha_bits", "16",
            ], "greys.mov")
        let result = try run(["compose", "grey.mp4", "greys.mov", "-o", "film.mp4", "--crf", "1"])
        try #require(result.status == 0, "\(result.errorText)")
        let found = try halves("film.mp4", "select=gte(n\\,11),extractplanes=y")
        #expect(abs(found[0] - 214) <= 1 && abs(found[1] - 110) <= 1, "\(found)")
    }

    private func video(_ name: String) throws -> String {
        let tool = try #require(Program.tool("ffprobe"))
        return try tool.run([
            "-v", "error", "-select_streams", "v", "-show_entries",
            "stream=codec_name,pix_fmt,color_transfer", "-of", "csv=p=0", folder.file(name),
        ]).outputText
    }

    @Test("an HDR film is HEVC of 10 bits unless something else is asked for, an SDR film is not")
    func usualCodec() throws {
        try makeGreys("greys.mp4", "smpte2084")
        for (words, wanted) in [
            (["-o", "a.mp4"], "hevc,yuv420p10le,smpte2084"),
            (["-o", "b.mkv", "--crf", "12"], "hevc,yuv420p10le,smpte2084"),
            (["-o", "c.webm"], "vp9,yuv420p10le,smpte2084"),
            (["-o", "d.mp4", "--codec", "h264"], "h264,yuv420p,smpte2084"),
            (["-o", "e.mp4", "--encoder-profile", "high"], "h264,yuv420p,smpte2084"),
        ] {
            let result = try run(["compose", "greys.mp4"] + words)
            try #require(result.status == 0, "\(words): \(result.errorText)")
            #expect(try video(words[1]).hasPrefix(wanted), "\(words)")
            let isLess = wanted.hasPrefix("h264")
            #expect(result.errorText.contains("8 bits") == isLess, "\(result.errorText)")
        }
        try #require(try run(["compose", "sdr.mp4", "-o", "s.mp4"]).status == 0)
        #expect(try video("s.mp4").hasPrefix("h264,yuv420p,"))
        // what a conversion has to encode
        let words = ["convert", "greys.mp4", "-o", "small.mp4", "-s", "64x32"]
        try #require(try run(words).status == 0)
        #expect(try video("small.mp4").hasPrefix("hevc,yuv420p10le,smpte2084"))
    }

    /// The first pixels of both halves of a PNG of 16 bits, as ffmpeg reads it.
    private func codes(_ name: String) throws -> [Double] {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-i", folder.file(name), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
            "rgb48le", "-y", folder.file("raw"),
        ])
        try #require(result.status == 0, "\(result.errorText)")
        let bytes = try Data(contentsOf: URL(filePath: folder.file("raw")))
        return [0, 127].map { pixel in
            Double(Int(bytes[pixel * 6]) | Int(bytes[pixel * 6 + 1]) << 8)
        }
    }

    @Test("--hdr-png keeps the light and states it, and such a picture is read as it says")
    func litPicture() throws {
        try makeGreys("greys.mp4", "smpte2084")
        let result = try run([
            "compose", "greys.mp4", "--still", "0.1s", "--hdr-png", "-o", "s.png",
        ])
        try #require(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.isEmpty, "\(result.errorText)")
        let wanted = [573, 400].map { (Double($0) - 64) / 876 * 65_535 }
        #expect(zip(try codes("s.png"), wanted).allSatisfy { abs($0 - $1) < 2 })
        if let tool = Program.tool("exiftool") {
            let tags = try tool.run([folder.file("s.png")]).outputText
            #expect(tags.contains("BT.2020") && tags.contains("ST 2084"), "\(tags)")
        }
        // in an SDR film, in an HDR film, and as the first clip
        try convert(
            [
                "-f", "lavfi", "-i", "color=gray:s=128x64:r=25:d=0.4", "-c:v", "libx264",
                "-pix_fmt", "yuv420p",
            ], "grey.mp4")
        for (first, codes) in [("grey.mp4", [214, 110]), ("greys.mp4", [573 / 4, 100])] {
            let result = try run([
                "compose", first, "s.png@..0.4s", "-o", "f.mkv", "--codec", "ffv1", "-y",
            ])
            try #require(result.status == 0, "\(result.errorText)")
            let found = try halves("f.mkv", "select=gte(n\\,12),extractplanes=y,format=gray")
            #expect(zip(found, codes).allSatisfy { abs($0 - $1) <= 1 }, "\(first): \(found)")
        }
        try #require(try run(["compose", "s.png@..0.4s", "-o", "own.mp4"]).status == 0)
        #expect(try video("own.mp4").hasPrefix("hevc,yuv420p10le,smpte2084"))
        // what it cannot do is said
        let jpeg = ["compose", "greys.mp4", "--still", "0.1s", "--hdr-png", "-o", "s.jpg"]
        #expect(try run(jpeg).status == ExitCode.usage.rawValue)
        for (words, reason) in [
            (["compose", "greys.mp4", "--hdr-png", "-o", "m.mp4"], "no picture is asked for"),
            (
                ["compose", "sdr.mp4", "--still", "0s", "--hdr-png", "-o", "n.png"],
                "the film is SDR"
            ),
        ] {
            let result = try run(words)
            #expect(result.status == 0 && result.errorText.contains(reason), "\(result.errorText)")
        }
    }
}
