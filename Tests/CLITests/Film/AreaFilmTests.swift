import Foundation
import TestSupport
import Testing

@Suite("Films with masks and effects", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct AreaFilmTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=3", "-c:v", "libx264",
            "-crf", "10", "-g", "25", "-pix_fmt", "yuv420p", folder.file("a.mp4"),
        ])
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func vcap(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    /// Lumas of a frame (160x96).
    private func lumas(_ name: String, frame: Int) throws -> [Int] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file(name), "-vf", "select=eq(n\\,\(frame))", "-frames:v",
            "1", "-f", "rawvideo", "-pix_fmt", "gray", "-",
        ])
        #expect(result.output.count == 160 * 96)
        return result.output.map(Int.init)
    }

    @Test("a mosaic hides its area in its span; before and after the clip's own frames are copied")
    func mosaic() throws {
        let result = try vcap(
            "compose", "a.mp4", "--effect",
            "mosaic,size=0.25,x=0.5,y=0.5,width=0.4,height=0.5,at=1s,duration=1s", "-o", "b.mp4",
            "--json")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.outputText.contains("\"copied_frames\": 50"), "\(result.outputText)")
        for frame in [0, 24, 25, 40, 49, 50, 74] {
            let (own, made) = (try lumas("a.mp4", frame: frame), try lumas("b.mp4", frame: frame))
            var (inner, outer) = (0, 0)
            for y in 0..<96 {
                for x in 0..<160 {
                    let off = abs(own[y * 160 + x] - made[y * 160 + x])
                    if (50..<110).contains(x), (26..<70).contains(y) {
                        inner = max(inner, off)
                    } else if !(46..<114).contains(x) || !(22..<74).contains(y) {
                        outer = max(outer, off)
                    }
                }
            }
            let isIn = (25..<50).contains(frame)
            #expect(isIn ? inner > 60 : inner == 0, "frame \(frame): \(inner)")
            #expect(isIn ? outer < 60 : outer == 0, "frame \(frame): \(outer)")
        }
        let plan = try vcap(
            "compose", "a.mp4", "--effect", "mosaic,at=1s,duration=1s", "--plan", "-o", "p.mp4")
        #expect(plan.outputText.contains("masked, blurred"), "\(plan.outputText)")
        // nothing of it may be copied where all of it is hidden
        let only = try vcap("compose", "a.mp4", "--effect", "blur", "--copy", "only", "-o", "c.mp4")
        #expect(only.status != 0 && only.errorText.contains("blurred"), "\(only.errorText)")
        let outside = try vcap("compose", "a.mp4", "--effect", "blur,x=3", "-o", "d.mp4", "--json")
        #expect(outside.outputText.contains("\"copied_frames\": 75"), "\(outside.outputText)")
        #expect(outside.errorText.contains("lies outside of the frame"))
    }

    @Test(
        "an overlay's mask shows what is behind it around an ellipse, and where a picture is black")
    func mask() throws {
        let matte = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "color=white:s=80x96:r=1:d=1,pad=160:96:0:0:black",
            "-frames:v", "1", folder.file("matte.png"),
        ])
        #expect(matte.status == 0, "\(matte.errorText)")
        for (key, holds) in [
            (
                "mask=ellipse,mask-width=0.8,mask-height=0.8",
                { x, y in
                    let (u, v) = ((Double(x) - 80) / 64, (Double(y) - 48) / 38.4)
                    let radius = (u * u + v * v).squareRoot()
                    return radius < 0.9 ? true : radius > 1.1 ? false : nil
                }
            ),
            ("mask=matte.png", { x, _ in x < 76 ? true : x > 84 ? false : nil }),
            ("mask=matte.png,mask-invert", { x, _ in x < 76 ? false : x > 84 ? true : nil }),
        ] as [(String, (Int, Int) -> Bool?)] {
            let result = try vcap(
                "compose", "color:#000000@..1s", "-s", "160x96", "-r", "25", "--overlay",
                "color:#ffffff@..1s,width=1,margin=0,\(key)", "--codec", "ffv1", "-o", "m.mkv", "-y"
            )
            #expect(result.status == 0, "\(result.errorText)")
            let lumas = try lumas("m.mkv", frame: 3)
            for y in stride(from: 2, to: 96, by: 5) {
                for x in stride(from: 2, to: 160, by: 5) {
                    guard let isWhite = holds(x, y) else { continue }
                    let luma = lumas[y * 160 + x]
                    #expect(isWhite ? luma > 250 : luma < 5, "\(key) \(x) \(y) \(luma)")
                }
            }
        }
    }

    @Test("what is typed wrongly is one sentence, before anything is made")
    func refusals() throws {
        for (value, status, why) in [
            ("swirl", 64, "blur or mosaic"), ("blur,clip=2", 64, "there is one"),
            ("blur,sice=0.1", 64, "did you mean \"size\""), ("blur,x=9", 64, "x must be"),
            ("mosaic,follow=face", 64, "no track of what was detected"),
            ("blur,picture=none.png", 66, "none.png"), ("blur,size=0.9", 64, "0.5"),
        ] {
            let result = try vcap("compose", "a.mp4", "--effect", value, "-o", "x.mp4")
            #expect(result.status == Int32(status), "\(value): \(result.errorText)")
            #expect(result.errorText.contains(why), "\(value): \(result.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("x.mp4")))
        }
        // behind a take they are refused before it
        let blind = try vcap(
            "record", "-c", "test:", "-a", "none", "-t", "1", "-o", "take.mp4", "--then", "compose",
            "--effect", "mosaic,follow=face")
        #expect(blind.status == 64 && blind.errorText.contains("--detect"), "\(blind.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("take.mp4")))
        let take = try vcap(
            "record", "-c", "test:", "-a", "none", "-t", "1", "-o", "take.mp4", "--then", "compose",
            "--effect",
            "blur,clip=2")
        #expect(take.status == 64, "\(take.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("take.mp4")))
    }
}
