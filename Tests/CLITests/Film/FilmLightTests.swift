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
}
