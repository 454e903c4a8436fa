import Foundation
import TestSupport
import Testing

@Suite("Films with a screen keyed out", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct KeyFilmTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        // a grey square that moves before a green screen
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "color=c=0x00b140:s=160x96:r=25:d=1", "-f", "lavfi",
            "-i", "color=c=0x808080:s=32x32:r=25:d=1", "-filter_complex",
            "[0][1]overlay=x=n*4:y=32,format=yuv420p,setparams=colorspace=bt709:color_primaries=bt709"
                + ":color_trc=bt709:range=tv,scale=in_color_matrix=bt709:out_color_matrix=bt709",
            "-c:v", "libx264", "-crf", "6", "-g", "12", folder.file("green.mp4"),
        ])
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func vcap(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    /// Red values of a frame (160x96).
    private func reds(_ name: String, frame: Int) throws -> [UInt8] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file(name), "-vf", "select=eq(n\\,\(frame))", "-frames:v",
            "1",
            "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
        ])
        return stride(from: 0, to: result.output.count, by: 3).map { result.output[$0] }
    }

    @Test("the clip below shows where the screen was, in each frame")
    func film() throws {
        let result = try vcap(
            "compose", "color:#c02030@..1s", "-s", "160x96", "-r", "25", "--overlay",
            "green.mp4,key=green,width=1,margin=0", "--codec", "ffv1", "-o", "film.mkv")
        #expect(result.status == 0, "\(result.errorText)")
        for frame in [0, 7, 24] {
            let reds = try reds("film.mkv", frame: frame)
            let left = frame * 4
            for (x, y) in [(left + 8, 40), (left + 16, 48), (left + 24, 56)] where x < 160 {
                #expect(abs(Int(reds[y * 160 + x]) - 0x80) < 6)
            }
            for (x, y) in [(4, 4), (155, 90), (80, 10), ((left + 60) % 160, 80)] {
                #expect(abs(Int(reds[y * 160 + x]) - 0xC0) < 6, "\(frame) \(x) \(y)")
            }
        }
        // without the key it covers
        let plain = try vcap(
            "compose", "color:#c02030@..1s", "-s", "160x96", "-r", "25", "--overlay",
            "green.mp4,width=1,margin=0", "--codec", "ffv1", "-o", "plain.mkv")
        #expect(plain.status == 0)
        #expect(try reds("plain.mkv", frame: 0)[80 * 160 + 80] < 0x20)
    }

    @Test("a project's key is written as it was read, and OpenTimelineIO keeps it")
    func project() throws {
        let text = """
            { size: "160x96", fps: 25, videos: [{ generator: "bars", end: 1 }],
              overlays: [{ file: "green.mp4", key: { color: "blue", tolerance: 0.5 } },
                         { file: "green.mp4", key: "green" }] }
            """
        try text.write(toFile: folder.file("a.vcap.json5"), atomically: true, encoding: .utf8)
        #expect(try vcap("export", "a.vcap.json5", "-o", "b.otio").status == 0)
        let back = try vcap("export", "b.otio", "-o", "c.vcap.json5")
        #expect(back.status == 0, "\(back.errorText)")
        let copy = try String(contentsOfFile: folder.file("c.vcap.json5"), encoding: .utf8)
        #expect(copy.contains("key: \"green\"") && copy.contains("tolerance: 0.5"), "\(copy)")
        #expect(copy.contains("color: \"blue\""))
    }

    @Test("a keyed clip is rendered, and its film is another one for the digest")
    func copied() throws {
        let text = """
            { videos: [{ file: "green.mp4", key: "green" }] }
            """
        try text.write(toFile: folder.file("k.vcap.json5"), atomically: true, encoding: .utf8)
        let only = try vcap("export", "k.vcap.json5", "--copy", "only", "-o", "k.mp4")
        #expect(only.status != 0, "\(only.errorText)")
        let plan = try vcap("export", "k.vcap.json5", "--plan", "--json", "-o", "k.mp4")
        #expect(plan.outputText.contains("\"copied_frames\": 0"), "\(plan.outputText)")
        try text.replacing(", key: \"green\"", with: "").write(
            toFile: folder.file("n.vcap.json5"), atomically: true, encoding: .utf8)
        let without = try vcap("export", "n.vcap.json5", "--plan", "--json", "-o", "k.mp4")
        #expect(!without.outputText.contains("\"copied_frames\": 0"))
    }

    @Test(
        "mistakes are one sentence",
        arguments: [
            ("green.mp4,key=gray", "is a grey, which has no hue"),
            ("green.mp4,key=grun", "key must be green, blue or another colour"),
            ("green.mp4,key-spill=1", "key-spill is for a key; give it key=green as well"),
            ("green.mp4,key=green,key-softness=2", "key-softness must be"),
        ])
    func mistakes(_ overlay: String, _ part: String) throws {
        let result = try vcap("compose", "bars@..1s", "--overlay", overlay, "-o", "no.mp4")
        #expect(result.status != 0 && result.errorText.contains(part), "\(result.errorText)")
    }
}
