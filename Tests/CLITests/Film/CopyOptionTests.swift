import Media
import TestSupport
import Testing

@testable import vcap

@Suite("What a film copies", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct CopyOptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let made = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-f", "lavfi",
                "-i", "sine=440:d=4:r=48000", "-c:v", "libx264", "-g", "25", "-c:a", "aac",
                "clip.mp4",
            ], in: folder.path)
        try #require(made.status == 0, "\(made.errorText)")
    }

    private func compose(_ words: String...) throws -> Program.Result {
        try compose(words: words)
    }

    private func compose(words: [String]) throws -> Program.Result {
        try Program.vcap.run(
            ["compose", "clip.mp4", "-y", "--title", "Hi", "--title-duration", "1s"] + words,
            environment: ["HOME": folder.path], in: folder.path)
    }

    /// Frames copied, by the report of a film that is made.
    private func copied(_ made: Program.Result) throws -> JSONValue? {
        try #require(made.status == 0, "\(made.errorText)")
        return try JSONParser.parse(made.output, as: .json)["copied_frames"]
    }

    @Test("frames behind a title are copied without being asked for, and all is encoded on request")
    func automatic() throws {
        let made = try compose("--json", "-o", "film.mp4")
        #expect(try copied(made) == .integer(75) && made.errorText.contains("75 of them copied"))
        #expect(try copied(compose("--json", "--copy", "never", "-o", "film.mp4")) == .integer(0))
        #expect(try copied(compose("--json", "-o", "film.mkv")) == .integer(75))
        #expect(try copied(compose("--json", "-o", "film.ts")) == .integer(0))
    }

    @Test("coding options are of all frames, and those of audio leave frames alone")
    func codingOptions() throws {
        let made = try compose("--json", "--crf", "30", "-o", "film.mp4")
        #expect(try copied(made) == .integer(0) && !made.errorText.contains("does nothing"))
        let asked = try compose("--json", "--crf", "30", "--copy", "auto", "-o", "film.mp4")
        #expect(
            asked.errorText.contains(
                "--copy does nothing: --crf says how all frames are coded"))
        #expect(
            try copied(compose("--json", "--audio-bitrate", "64k", "-o", "film.mp4"))
                == .integer(75))
        let named = try compose("--json", "--codec", "h264", "--copy", "auto", "-o", "film.mp4")
        #expect(try copied(named) == .integer(75) && !named.errorText.contains("does nothing"))
        let other = try compose("--plan", "--codec", "hevc", "-o", "film.mp4").outputText
        #expect(other.contains("because it is H.264, and the film is HEVC"))
    }

    @Test("the plan names what is copied and why the rest is not")
    func plan() throws {
        let text = try compose("--plan", "-o", "film.mp4").outputText
        #expect(text.contains("copied    75 of 100 frames (75.0 %)\n"))
        #expect(text.contains("audio     copied, track 2 of clip.mp4\n"))
        #expect(
            text.contains(
                "render    00:00:00.000000 to 00:00:01.000000, because a title or watermark is drawn\n"
            ))
        #expect(text.contains("coding    h264 CRF 18"))
        // what is asked for is named, too
        for (option, reason) in [
            (["--crf", "20"], "--crf says how all frames are coded"),
            (["--copy", "never"], "--copy never encodes all"),
        ] {
            let all = try compose(words: ["--plan", "-o", "film.mp4"] + option).outputText
            #expect(all.contains(", because \(reason)\n"), "\(all)")
        }
        let mixed = try compose("--plan", "--volume", "0.5", "-o", "film.mp4").outputText
        #expect(
            mixed.contains(
                "Hz, encoded because its volume, pan or effect has to be rendered\n"), "\(mixed)")
        let gated = try compose("--plan", "--gate", "-45", "--limiter", "-1dB", "-o", "film.mp4")
        #expect(
            gated.outputText.contains(
                "Hz, encoded because its gate and limiter cannot be copied\n"),
            "\(gated.outputText)")
        let whole = try Program.vcap.run(
            ["compose", "clip.mp4", "--plan", "-o", "film.mp4"], environment: ["HOME": folder.path],
            in: folder.path)
        #expect(whole.outputText.contains("coding    h264, copied\n"), "\(whole.outputText)")
        // and what would hold of a mix only is not
        let detailed = try Program.vcap.run(
            ["compose", "clip.mp4", "--plan", "-v", "-o", "film.mp4"],
            environment: ["HOME": folder.path], in: folder.path)
        #expect(!detailed.errorText.contains("mono"), "\(detailed.errorText)")
        let encoded = try Program.vcap.run(
            ["compose", "clip.mp4", "--plan", "-v", "--copy", "never", "-o", "film.mp4"],
            environment: ["HOME": folder.path], in: folder.path)
        #expect(encoded.errorText.contains("mono audio is heard on both channels"))
        let rotated = try compose("--plan", "--size", "160x90", "-o", "film.mp4").outputText
        #expect(
            rotated.contains("its 320x180 is brought to the film's 160x90")
                && !rotated.contains("copied"))
    }

    @Test("only is the preset passthrough, and goes with no other and no coding")
    func only() throws {
        let refused = try compose("--copy", "only", "-o", "film.mp4")
        #expect(refused.status == 64 && refused.errorText.contains("titles or watermark"))
        let preset = try compose("--copy", "only", "--preset", "720p", "-o", "film.mp4")
        #expect(
            preset.status == 64
                && preset.errorText.contains("--copy only copies, and --preset 720p encodes"))
        let coding = try compose("--copy", "only", "--crf", "20", "-o", "film.mp4")
        #expect(
            coding.status == 64
                && coding.errorText.contains("--crf has nothing to encode: --copy only copies"))
    }

    @Test("where there is nothing to copy into it is refused or reported")
    func elsewhere() throws {
        let animation = try compose("--copy", "auto", "-o", "film.gif")
        #expect(animation.status == 64 && animation.errorText.contains("--copy is for a movie"))
        let project = try compose("--copy", "auto", "-o", "film.vcap.json5")
        #expect(project.status == 64 && project.errorText.contains("--copy is for a movie"))
        let audio = try compose("--copy", "auto", "--preset", "audio", "-o", "film.m4a")
        #expect(
            audio.errorText.contains("--copy does nothing: --preset audio writes audio only"))
        let hevc = try compose("--copy", "auto", "--preset", "hevc-1080p", "-o", "film.mp4")
        #expect(hevc.status == 0 && !hevc.errorText.contains("does nothing"))
        let other = try compose("--copy", "auto", "--codec", "ffv1", "-o", "film.mkv")
        #expect(other.errorText.contains("--copy does nothing: only H.264 and HEVC are copied"))
    }
}
