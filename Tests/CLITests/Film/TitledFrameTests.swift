import Foundation
import TestSupport
import Testing

/// Titles in the world's scripts through the program: in a frame of the film there is ink where the title
/// is, each script's its own, and none without a title.
@Suite(
    "Titles in frames of films", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct TitledFrameTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.tone) = (640, 360, nil)
        clip.color = .init(60, 128, 128)
        try clip.write(to: folder.file("a.mp4"))
    }

    /// The frame at 0.2 s in red, green and blue.
    private func frame(_ titles: String) throws -> [UInt8] {
        let project = "{ videos: [\"a.mp4\"], titles: [\(titles)] }"
        try Data(project.utf8).write(to: URL(fileURLWithPath: folder.file("f.vcap.json5")))
        let result = try Program.vcap.run(
            ["export", "f.vcap.json5", "-y", "--still", "0.2s", "-o", "f.png"],
            environment: ["HOME": folder.path], in: folder.path)
        try #require(result.status == 0, "\(result.errorText)")
        let picture = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file("f.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
        ])
        try #require(picture.output.count == 640 * 360 * 3, "\(picture.errorText)")
        return picture.output
    }

    /// Pixels that differ clearly.
    private func changed(_ one: [UInt8], _ other: [UInt8]) -> Int {
        stride(from: 0, to: one.count, by: 3).count { pixel in
            (0..<3).contains { abs(Int(one[pixel + $0]) - Int(other[pixel + $0])) > 40 }
        }
    }

    @Test("every script and combined emoji are seen, and each looks its own way")
    func scripts() throws {
        let bare = try frame("")
        var seen: [(text: String, frame: [UInt8])] = []
        for text in [
            "Summer", "السلام عليكم", "שלום עולם", "नमस्ते दुनिया", "สวัสดีชาวโลก", "你好，世界",
            "こんにちは世界", "안녕하세요", "👨‍👩‍👧‍👦 🇩🇪 👍🏽",
        ] {
            let picture = try frame("{ text: \"\(text)\", style: \"plain\", duration: 0.4 }")
            let ink = changed(picture, bare)
            #expect(ink > 400 && ink < 640 * 360 / 4, "\(text): \(ink) pixels")
            for other in seen {
                #expect(changed(picture, other.frame) > 400, "\(text) looks like \(other.text)")
            }
            seen.append((text, picture))
        }
    }

    @Test("10,000 characters stand in the frame, and nothing of them at its edges")
    func longest() throws {
        let words = String(repeating: "words in a row ", count: 667).prefix(10_000)
        let bare = try frame("")
        let picture = try frame("{ text: \"\(words)\", style: \"plain\", duration: 0.4 }")
        #expect(changed(picture, bare) > 20_000)
        let edge = 4 * 640 * 3
        #expect(Array(picture.prefix(edge)) == Array(bare.prefix(edge)))
        #expect(Array(picture.suffix(edge)) == Array(bare.suffix(edge)))
    }
}
