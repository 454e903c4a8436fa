import Foundation
import TestSupport
import Testing

@testable import vcap

/// What HDR10 states of light, read back by ffprobe.
@Suite("What HDR states of light", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct FilmMasteringTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// Flat light of a code of ten bits, mastered on P3 of 1000 cd/m².
    private func make(
        _ name: String, code: Int = 573, light: String? = "max-cll=800,300", seconds: String = "0.4"
    ) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        var words = [
            "colorprim=bt2020", "transfer=smpte2084", "colormatrix=bt2020nc", "log-level=none",
            "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)",
        ]
        if let light { words.append(light) }
        let grey = "format=yuv420p10le,geq=lum=\(code):cb=512:cr=512"
        let result = try tool.run([
            "-v", "error", "-f", "lavfi", "-i", "color=black:s=128x64:r=25:d=\(seconds),\(grey)",
            "-c:v", "libx265", "-x265-params", words.joined(separator: ":"), folder.file(name),
        ])
        try #require(result.status == 0, "\(result.errorText)")
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func made(_ words: [String]) throws {
        let result = try run(words)
        try #require(result.status == 0, "\(words): \(result.errorText)")
    }

    /// ffprobe's lines of a kind of side data.
    private func stated(_ name: String, frames: Bool) throws -> Set<String> {
        let tool = try #require(Program.tool("ffprobe"))
        let what =
            frames
            ? ["-show_frames", "-read_intervals", "%+#1", "-show_entries", "frame=side_data_list"]
            : ["-show_streams"]
        let result = try tool.run(
            ["-v", "error", "-select_streams", "v:0"] + what + [folder.file(name)])
        try #require(result.status == 0, "\(result.errorText)")
        return Set(result.outputText.split(separator: "\n").map(String.init))
    }

    private static let display = [
        "max_luminance=10000000/10000", "min_luminance=50/10000", "red_x=34000/50000",
        "green_y=34500/50000", "white_point_x=15635/50000",
    ]

    @Test("is kept by copies and new codings, in every container")
    func conversions() throws {
        try make("a.mp4")
        // libavcodec puts it into its frames alone, whose first bytes the record of MP4 has
        for (words, name) in [
            (["--codec", "copy"], "copied.mp4"), (["--codec", "copy"], "copied.mkv"),
            (["--codec", "copy"], "copied.mov"), (["--codec", "hevc"], "hevc.mkv"),
            (["--codec", "hevc"], "hevc.mp4"), (["--codec", "ffv1"], "ffv1.mkv"),
        ] {
            try made(["convert", "a.mp4", "-o", name] + words)
            let lines = try stated(name, frames: false)
            // Matroska has floating point numbers
            if name.hasSuffix(".mkv") {
                #expect(lines.contains("side_data_type=Mastering display metadata"), "\(name)")
            } else {
                for line in Self.display { #expect(lines.contains(line), "\(name): \(line)") }
            }
            #expect(lines.isSuperset(of: ["max_content=800", "max_average=300"]), "\(name)")
        }
        let coded = try stated("hevc.mp4", frames: true)
        for line in Self.display { #expect(coded.contains(line), "\(line): \(coded)") }
        #expect(coded.isSuperset(of: ["max_content=800", "max_average=300"]))
        let listing = try run(["probe", "hevc.mkv"])
        #expect(
            listing.outputText.contains("PQ (HDR), mastered at 1000 cd/m², up to 800 cd/m²"),
            "\(listing.outputText)")
        let json = try run(["probe", "--json", "hevc.mkv"])
        #expect(json.outputText.contains("\"maximum_luminance\""), "\(json.outputText)")
        #expect(json.outputText.contains("\"maximum_frame_average\""))
    }

    @Test("a film has the display of its first clip and the brightest of all")
    func films() throws {
        try make("a.mp4")
        try make("b.mp4", light: "max-cll=950,120")
        try make("unknown.mp4", light: nil)
        try made(["compose", "a.mp4", "b.mp4", "-o", "both.mp4", "--preset", "hevc-1080p"])
        for frames in [false, true] {
            let lines = try stated("both.mp4", frames: frames)
            for line in Self.display { #expect(lines.contains(line), "\(line)") }
            #expect(lines.isSuperset(of: ["max_content=950", "max_average=300"]))
        }
        // copies of clips that differ in nothing else are joined
        let lone = try run(["compose", "a.mp4", "a.mp4", "-o", "copies.mp4", "--codec", "copy"])
        #expect(lone.status == 0, "\(lone.errorText)")
        let copies = try stated("copies.mp4", frames: false)
        #expect(copies.isSuperset(of: ["max_content=800", "max_average=300"]))
        // one that does not say how bright it becomes leaves the film without
        try made(["compose", "a.mp4", "unknown.mp4", "-o", "some.mp4", "--preset", "hevc-1080p"])
        let some = try stated("some.mp4", frames: false)
        #expect(some.contains(Self.display[0]))
        #expect(!some.contains { $0.hasPrefix("max_content") })
        // and an SDR film states nothing
        let tool = try #require(Program.tool("ffmpeg"))
        let grey = try tool.run([
            "-v", "error", "-f", "lavfi", "-i", "color=gray:s=128x64:r=25:d=0.4", "-c:v", "libx264",
            "-pix_fmt", "yuv420p", folder.file("grey.mp4"),
        ])
        try #require(grey.status == 0)
        try made(["compose", "grey.mp4", "a.mp4", "-o", "sdr.mp4"])
        let plain = try stated("sdr.mp4", frames: false)
        #expect(!plain.contains { $0.hasPrefix("max_content") || $0.hasPrefix("max_luminance") })
    }

    @Test("absurd values are read, listed and toned without harm")
    func absurd() throws {
        try make("a.mp4")
        try made(["convert", "a.mp4", "-o", "b.mp4", "--codec", "copy"])
        let path = URL(filePath: folder.file("b.mp4"))
        var bytes = try Data(contentsOf: path)
        // the beginning of the file has a first index, which the last one replaced
        for (name, place, value) in [("mdcv", 16, [255, 255, 255, 255]), ("clli", 0, [255, 255])] {
            var rest = bytes.startIndex
            while let box = bytes.range(of: Data(name.utf8), in: rest..<bytes.endIndex) {
                let start = box.upperBound + place
                bytes.replaceSubrange(start..<start + value.count, with: value.map(UInt8.init))
                rest = box.upperBound
            }
            try #require(rest > bytes.startIndex)
        }
        try bytes.write(to: path)
        let listing = try run(["probe", "b.mp4"])
        #expect(listing.status == 0 && listing.outputText.contains("429497 cd/m²"))
        try made(["compose", "b.mp4", "--still", "0.1s", "-o", "b.png"])
        try made(["convert", "b.mp4", "-o", "c.mp4", "--codec", "hevc"])
        try made(["convert", "b.mp4", "-o", "c.mkv", "--codec", "copy"])
    }
}
